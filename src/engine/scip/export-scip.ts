// Writes the reference graph of a source as a SCIP index: definitions, exact references and relations. References by name
// are left out, because SCIP has no mark for them.

import { pathToFileURL } from "node:url";

import { productVersion } from "../../base/assets.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import { FileFlag, type FileFacts } from "../../index/types.ts";
import { scipLanguage } from "../../scip/languages.ts";
import { SymbolRole } from "../../scip/read-index.ts";
import { SCIP_KINDS } from "../../scip/symbol-names.ts";
import {
  encodeScipDocument,
  encodeExternalSymbol,
  encodeMetadata,
  type WrittenDocument,
  type WrittenOccurrence,
  type WrittenRelation,
  type WrittenSymbol,
} from "../../scip/write-index.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { SourceText } from "../../sources/text/source-text.ts";
import type { ExportRequest, ExportResult } from "../api/export.ts";
import { textIfReadable } from "../files/current-file.ts";
import { symbolComment, symbolLines } from "../symbols/symbol-lines.ts";
import { LineNames } from "./line-names.ts";
import { FileSymbolNames } from "./file-symbol-names.ts";

interface ExportContext {
  readonly namespace: string;
  readonly source: Source;
  readonly reader: IndexReader;
  readonly graph: ReferenceGraph;
  /** With secrets masked, for signatures and comments. */
  readonly texts: TextReader;
  /** As stored, for columns. */
  readonly rawTexts: TextReader;
}

/** Writes the graph of a source. */
export async function exportScip(
  context: ExportContext,
  { write, signal }: Pick<ExportRequest, "write" | "signal">,
): Promise<ExportResult> {
  const exporter = new Exporter(context);
  const { root } = context.source;
  await write(encodeMetadata({ version: productVersion(), projectRoot: pathToFileURL(root).href }));
  for await (const file of context.reader.textCandidates({ kind: "all" }, {})) {
    signal.throwIfAborted();
    const document = await exporter.document(file);
    if (document !== undefined) await write(encodeScipDocument(document));
  }
  for (const symbol of exporter.externalSymbols()) await write(encodeExternalSymbol(symbol));
  return exporter.result;
}

class Exporter {
  readonly #context: ExportContext;
  readonly #names: FileSymbolNames;
  readonly #counts = { documents: 0, definitions: 0, references: 0, unplaced: 0 };
  readonly #changed: string[] = [];
  readonly #written = new Set<string>();
  /** Symbols of files that are not written, or not yet: path -> symbol -> name and kind. */
  readonly #referenced = new Map<string, Map<string, SymbolHit>>();

  constructor(context: ExportContext) {
    this.#context = context;
    const { reader, source } = context;
    this.#names = new FileSymbolNames(reader, source);
  }

  get result(): ExportResult {
    return { namespace: this.#context.namespace, ...this.#counts, changed: this.#changed };
  }

  /** Returns the symbols of files that have no document, for the end of the index. */
  externalSymbols(): readonly WrittenSymbol[] {
    return [...this.#referenced.values()].flatMap((symbols) =>
      [...symbols].map(([symbol, { name, kind }]) => ({
        symbol,
        name,
        kind: SCIP_KINDS[kind],
        signature: "",
        comment: "",
        relations: [],
      })),
    );
  }

  /** Returns the document of a file; undefined for one without code. */
  async document(file: FileFacts): Promise<WrittenDocument | undefined> {
    const { reader, source, rawTexts, texts, graph } = this.#context;
    const { path, language, role } = file;
    const isCode = (role === "code" || role === "tests") && language !== "";
    if (!isCode || !path.startsWith(source.prefix)) return undefined;
    const row = await reader.file(path);
    if (row?.hasContent !== true) return undefined;
    const raw = await textIfReadable(rawTexts, path, row);
    if (raw === undefined || raw.isChanged) {
      this.#changed.push(path);
      return undefined;
    }
    // The bytes of a text are valid until the next read; its lines stay.
    const { lines } = raw;
    const shown = await textIfReadable(texts, path, row);
    const { definitions, symbols } = await this.#definitions(file, { lines, shown });
    const uses = await this.#uses(file, lines, await graph.usesFromFile(path));
    const occurrences = withoutRepeats([...definitions, ...uses]);
    if (occurrences.length === 0) return undefined;
    this.#counts.documents += 1;
    this.#counts.definitions += definitions.length;
    this.#counts.references += uses.length;
    this.#written.add(path);
    this.#referenced.delete(path);
    const relative = path.slice(source.prefix.length);
    return { path: relative, language: scipLanguage(language), occurrences, symbols };
  }

  async #definitions(
    file: FileFacts,
    { lines, shown }: { readonly lines: readonly string[]; readonly shown: SourceText | undefined },
  ): Promise<{
    readonly definitions: readonly WrittenOccurrence[];
    readonly symbols: readonly WrittenSymbol[];
  }> {
    const definitions: WrittenOccurrence[] = [];
    const symbols = new Map<string, WrittenSymbol>();
    const names = new LineNames(lines);
    for (const facts of await this.#context.reader.numberedSymbolsOf(file.path)) {
      const hit = { ...facts, path: file.path };
      // oxlint-disable-next-line no-await-in-loop -- cached
      const symbol = await this.#names.of(hit);
      if (symbol === undefined) continue;
      const { name, kind, nameLine, startLine, endLine } = facts;
      const place = names.take(nameLine, [name]) ?? names.beginOf(nameLine);
      const endCharacter = lines[endLine - 1]?.length ?? 0;
      definitions.push({
        ...place,
        symbol,
        roles: SymbolRole.definition | rolesOf(file),
        enclosing: { startLine: startLine - 1, endLine: endLine - 1, endCharacter },
      });
      if (symbols.has(symbol)) continue;
      const all = shown?.lines ?? [];
      symbols.set(symbol, {
        symbol,
        name,
        kind: SCIP_KINDS[kind],
        signature: symbolLines(all, facts, file.language).signature,
        comment: symbolComment(all, facts, file.language),
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        relations: await this.#relations(hit, symbol),
      });
    }
    return { definitions, symbols: [...symbols.values()] };
  }

  async #relations(hit: SymbolHit, symbol: string): Promise<readonly WrittenRelation[]> {
    if (hit.kind !== "method" && hit.kind !== "class" && hit.kind !== "type") return [];
    const found = new Set<string>();
    for (const base of await this.#context.graph.basesOf(hit)) {
      // oxlint-disable-next-line no-await-in-loop -- cached
      const name = await this.#referencedName(base);
      if (name !== undefined && name !== symbol) found.add(name);
    }
    const isReference = hit.kind === "method";
    return [...found].toSorted().map((one) => ({ symbol: one, isReference }));
  }

  async #uses(
    file: FileFacts,
    lines: readonly string[],
    uses: Awaited<ReturnType<ReferenceGraph["usesFromFile"]>>,
  ): Promise<readonly WrittenOccurrence[]> {
    const found: WrittenOccurrence[] = [];
    const names = new LineNames(lines);
    const locals = await this.#localNames(file.path);
    for (const { name, line, role, targets, certainty } of uses) {
      if (certainty !== "exact") continue;
      const written = [name, ...(locals.get(name) ?? []), ...targets.flatMap(namesOf)];
      const place = names.take(line, written, role === "call");
      if (place === undefined) {
        this.#counts.unplaced += 1;
        continue;
      }
      const roles = (role === "import" ? SymbolRole.import : 0) | rolesOf(file);
      for (const target of targets) {
        // oxlint-disable-next-line no-await-in-loop -- cached
        const symbol = await this.#referencedName(target);
        if (symbol !== undefined) found.push({ ...place, symbol, roles });
      }
    }
    return found;
  }

  /** The names that a file gives to what it imports, by their names in the other modules. */
  async #localNames(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const { imports = [] } = (await this.#context.reader.importsOf(path)) ?? {};
    const bindings = imports.flatMap((one) => one.bindings).filter(({ local }) => local !== "");
    const byName = Map.groupBy(bindings, ({ name }) => name);
    return new Map([...byName].map(([name, all]) => [name, all.map(({ local }) => local)]));
  }

  async #referencedName(target: SymbolHit): Promise<string | undefined> {
    const symbol = await this.#names.of(target);
    if (symbol === undefined || this.#written.has(target.path)) return symbol;
    const others = this.#referenced.get(target.path);
    if (others === undefined) this.#referenced.set(target.path, new Map([[symbol, target]]));
    else others.set(symbol, target);
    return symbol;
  }
}

/** The names that stand for a definition: its own and, for a constructor, that of its type. */
function namesOf({ name, qualifiedName }: SymbolHit): readonly string[] {
  const owner = qualifiedName.slice(0, -name.length - 1);
  return [name, owner.slice(owner.lastIndexOf(".") + 1)].filter((one) => one !== "");
}

function rolesOf({ role, flags }: FileFacts): number {
  const isGenerated = (flags & FileFlag.generated) !== 0;
  return (role === "tests" ? SymbolRole.test : 0) | (isGenerated ? SymbolRole.generated : 0);
}

/** Leaves out occurrences with the place, symbol and roles of another one. */
function withoutRepeats(occurrences: readonly WrittenOccurrence[]): readonly WrittenOccurrence[] {
  const found = new Map<string, WrittenOccurrence>();
  for (const one of occurrences) {
    const key = `${one.line}:${one.start}-${one.end} ${one.roles} ${one.symbol}`;
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}
