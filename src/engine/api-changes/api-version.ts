// One of two versions of a project that are compared: its files, their definitions, and their declarations.

import { isCallableKind } from "../../base/definition-kinds.ts";
import { chunkFile } from "../../chunk/chunk.ts";
import { isType, symbolRef, type ScopedFile, type SymbolRef } from "../../graph/entity.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import { ALL } from "../../index/literal-query.ts";
import type { FileTree, IndexReader } from "../../index/port.ts";
import { FileFlag, type FileFacts, type SymbolFacts } from "../../index/types.ts";
import { fingerprintsOf } from "../../parse/fingerprints.ts";
import type { SymbolDefinition } from "../../parse/symbols/symbol-definition.ts";
import type { ReadNow, TextReader, TextResult } from "../../sources/text/port.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { parseDeclaration, type ApiDeclaration } from "./declaration.ts";
import { membersOf, type PublicDefinition } from "./public-definition.ts";
import { overloadsIn } from "./overloads.ts";

/** The data of a version. */
export interface VersionParts {
  readonly reader: IndexReader;
  readonly texts: TextReader;
  readonly graph: ReferenceGraph;
  /** Returns the text of a config file. */
  readonly readFile: (path: string) => string | undefined;
}

/** A definition with what declares it: several for overloads. */
export interface DeclaredSymbol {
  readonly declarations: readonly ApiDeclaration[];
  /** Equal for definitions with the same text, whatever their names are. */
  readonly content: string;
}

/** A long list of parameters is compared as a whole. */
const MAX_SIGNATURE_CHARS = 8000;
/** Lines of decorators above a name. */
const MAX_LINES_ABOVE = 30;
const HIDDEN = FileFlag.example | FileFlag.vendored;
/** Code around a package, which nobody imports. */
const NOT_SHIPPED =
  /(?:^|\/)(?:__tests__|testdata|examples?|benchmarks?|fixtures|samples|e2e|playground)\/|^(?:tests?|scripts|tools|docs?|bench|\.[^/]+)\//i;

/** A module of a package that helps its users with their tests: werkzeug/test.py. */
const TEST_MODULE = /(?:^|\/)(?!tests?\/)[^/]+\/test(?:ing|_utils?|_client)?\.py$/;

export class ApiVersion {
  readonly parts: VersionParts;
  readonly #declared = new Map<string, Promise<ReadonlyMap<string, DeclaredSymbol>>>();
  #tree: FileTree | undefined;
  #readNow: ReadNow | undefined;

  constructor(parts: VersionParts) {
    this.parts = parts;
  }

  async tree(): Promise<FileTree> {
    this.#tree ??= await this.parts.reader.fileTree();
    return this.#tree;
  }

  /** Returns the files whose definitions may be public: no tests, examples and vendored code. */
  async files(): Promise<readonly FileFacts[]> {
    const found: FileFacts[] = [];
    for await (const file of this.parts.reader.textCandidates(ALL, { filter: mayBePublic }))
      found.push(file);
    return found;
  }

  /** Returns the names of a file; undefined if its content is not indexed. */
  scope(path: string): Promise<ScopedFile | undefined> {
    return this.parts.graph.project.names.context.symbols.file(path);
  }

  /** Returns the files that an import of a file leads to. */
  targetOf(file: ScopedFile, module: string): readonly string[] {
    return this.parts.graph.filesOf(file, module);
  }

  /** Whether a type has a member of that name, its own or inherited. */
  async hasMember(definition: PublicDefinition, name: string): Promise<boolean> {
    const { types } = this.parts.graph.project.names;
    for (const type of await this.#typesOf(definition)) {
      // oxlint-disable-next-line no-await-in-loop -- mostly one
      const { found } = await types.members(type, name, 0);
      if (found.length > 0) return true;
    }
    return false;
  }

  /** Returns the names of the public members that a type inherits and does not define itself. */
  async inheritedMembers(definition: PublicDefinition): Promise<readonly string[]> {
    const { types } = this.parts.graph.project.names;
    const own = await this.#typesOf(definition);
    const names = new Set<string>();
    const visited = new Set(own.map(({ facts }) => facts));
    const pending = [...own];
    for (let type = pending.shift(); type !== undefined; type = pending.shift()) {
      if (!own.includes(type))
        for (const [name] of membersOf(type.file, type.facts.qualifiedName))
          if (!name.includes(".")) names.add(name);
      // oxlint-disable-next-line no-await-in-loop -- one type after the other
      for (const base of await types.supertypes(type, 0)) {
        if (base === undefined || visited.has(base.facts)) continue;
        visited.add(base.facts);
        pending.push(base);
      }
    }
    const { path, facts } = definition;
    const file = await this.scope(path);
    const defined = file === undefined ? [] : [...membersOf(file, facts.qualifiedName)];
    return [...names].filter((name) => !defined.some(([one]) => one === name));
  }

  async #typesOf({ path, facts }: PublicDefinition): Promise<readonly SymbolRef[]> {
    const file = await this.scope(path);
    const numbers = file?.byQualifiedName.get(facts.qualifiedName) ?? [];
    return numbers.flatMap((number) => {
      const type = file && symbolRef(file, number);
      return type !== undefined && isType(type) ? [type] : [];
    });
  }

  /** Reads these files at once: one after the other, each would start git. */
  async prepare(paths: readonly string[]): Promise<void> {
    this.#readNow = await this.parts.texts.prefetch(paths);
  }

  async #textOf(path: string): Promise<TextResult> {
    const read = this.#readNow?.(path);
    return read === undefined || "problem" in read ? this.parts.texts.read(path) : read;
  }

  /** Returns the text of a file; "" if it cannot be read. */
  async text(path: string): Promise<string> {
    const read = await this.#textOf(path);
    return "problem" in read ? "" : read.lines.join("\n");
  }

  /** Returns the declaration of a symbol; undefined if its file cannot be read. */
  async declared(path: string, symbol: SymbolFacts): Promise<DeclaredSymbol | undefined> {
    let all = this.#declared.get(path);
    if (all === undefined) this.#declared.set(path, (all = this.#read(path)));
    return (await all).get(keyOf(symbol));
  }

  async #read(path: string): Promise<ReadonlyMap<string, DeclaredSymbol>> {
    const found = new Map<string, DeclaredSymbol>();
    const facts = await this.parts.reader.factsOf(path);
    const read = await this.#textOf(path);
    if (facts === undefined || "problem" in read) return found;
    const { language } = facts;
    const text = `${read.lines.join("\n")}\n`;
    const maxSignatureChars = MAX_SIGNATURE_CHARS;
    const { symbols } = chunkFile(
      { path, language, text, maxSignatureChars },
      await packedGrammars(),
    );
    const localType = (name: string): string | undefined => {
      const type = symbols.find(
        (one) => one.qualifiedName === name && one.kind === "type" && one.access !== "exported",
      );
      return type && read.lines.slice(type.nameLine - 1, type.endLine).join("\n");
    };
    const prints = fingerprintsOf({ text, language, symbols }).symbols;
    for (const [at, symbol] of symbols.entries()) {
      const print = prints[at];
      found.set(keyOf(symbol), {
        declarations: declarationsOf(symbol, { lines: read.lines, language, localType }),
        content: `${symbol.kind} ${print?.signature ?? ""} ${print?.body ?? ""}`,
      });
    }
    return found;
  }
}

function mayBePublic({ path, role, flags, language }: FileFacts): boolean {
  const isCode = role === "code" || TEST_MODULE.test(path);
  return isCode && (flags & HIDDEN) === 0 && language !== "" && !NOT_SHIPPED.test(path);
}

function keyOf({ qualifiedName, nameLine, kind }: SymbolFacts): string {
  return `${kind} ${nameLine} ${qualifiedName}`;
}

function declarationsOf(
  symbol: SymbolDefinition,
  {
    lines,
    language,
    localType,
  }: {
    readonly lines: readonly string[];
    readonly language: string;
    readonly localType: (name: string) => string | undefined;
  },
): readonly ApiDeclaration[] {
  const { name, kind, signature, startLine, nameLine, endLine } = symbol;
  const from = Math.max(startLine, nameLine - MAX_LINES_ABOVE);
  const text = lines.slice(nameLine - 1, endLine).join("\n");
  const above = lines.slice(from - 1, nameLine - 1);
  const declared = signature === "" ? (lines[nameLine - 1] ?? "").trim() : signature;
  const signatures = isCallableKind(kind) ? overloadsIn(text, name, language) : [];
  return (signatures.length === 0 ? [declared] : signatures).map((one) =>
    parseDeclaration({
      name,
      kind,
      language,
      signature: one,
      above,
      localType,
      text: text.slice(0, MAX_SIGNATURE_CHARS),
    }),
  );
}
