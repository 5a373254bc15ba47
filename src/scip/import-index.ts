// Takes the facts of SCIP indexes: reads each document twice, first its definitions, then its uses, which may refer to the
// definitions of any document.

import { posix } from "node:path";

import {
  encodeCompilerFacts,
  type CompilerFacts,
  type FactRelation,
  type FactTarget,
  type FactUse,
} from "../index/compiler-facts/compiler-facts.ts";
import type { SymbolFacts } from "../index/types.ts";
import { ScipDefinitions } from "./definition-table.ts";
import { fitDocument, type Misfit, type PlacedOccurrence } from "./fit-document.ts";
import { ownDefinitions, type DocumentDefinitions } from "./own-definitions.ts";
import { ScipIndex, type DocumentPlace, type ScipDocument } from "./read-index.ts";
import { formatSymbol, isLocalSymbol, type GlobalSymbol } from "./symbol-text.ts";

/** An indexed file that a SCIP index may describe. */
export interface ScipFile {
  /** Path in the namespace. */
  readonly path: string;
  /** See `FileState`. */
  readonly hash: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** As the index has them. */
  readonly symbols: readonly SymbolFacts[];
}

/** The files that SCIP indexes may describe. */
export interface ScipProject {
  /** Returns the folder in the namespace to which the paths of an index are relative: "" or "a/b/". */
  readonly folderOf: (index: {
    readonly path: string;
    readonly projectRoot: string;
    readonly documents: readonly string[];
  }) => Promise<string>;
  /** Returns a file with its current text; undefined if the index of svc does not have that content. */
  readonly file: (path: string) => Promise<ScipFile | undefined>;
}

/** Why a document is not used. */
export type Refusal =
  | Misfit
  | "path outside the project"
  | "not indexed by svc"
  | "second document of a file";

/** What was taken of SCIP indexes. */
export interface TakenIndexes {
  /** Names and versions of the indexers. */
  readonly tools: readonly string[];
  /** Reason -> the paths of the documents, as written. */
  readonly refused: ReadonlyMap<Refusal, readonly string[]>;
}

/** Called for each file with its encoded facts. */
type Keep = (file: Pick<ScipFile, "path" | "hash">, facts: Buffer) => Promise<void>;

/** Documents whose paths decide to which folder the index belongs. */
const MAX_SAMPLED = 200;

interface AcceptedDocument {
  readonly index: ScipIndex;
  readonly place: DocumentPlace;
  readonly path: string;
}

/** Takes the facts of all documents that describe a file. Throws INVALID_PARAMS for a file that is no SCIP index. */
export async function takeIndexes(
  paths: readonly string[],
  project: ScipProject,
  { keep, signal }: { readonly keep: Keep; readonly signal: AbortSignal },
): Promise<TakenIndexes> {
  const indexes: ScipIndex[] = [];
  try {
    for (const path of paths) indexes.push(new ScipIndex(path));
    const taking = new Taking(project, signal);
    for (const [at, index] of indexes.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one document in memory at a time
      await taking.readDefinitions(index, paths[at] ?? "");
    }
    await taking.readUses(keep);
    const tools = [...new Set(indexes.map(({ metadata }) => metadata.tool))];
    return { tools: tools.filter((tool) => tool !== ""), refused: taking.refused };
  } finally {
    for (const index of indexes) index.close();
  }
}

class Taking {
  readonly refused = new Map<Refusal, string[]>();
  readonly #project: ScipProject;
  readonly #signal: AbortSignal;
  readonly #definitions = new ScipDefinitions();
  readonly #accepted: AcceptedDocument[] = [];
  readonly #paths = new Set<string>();
  /** The packages that the documents define. */
  readonly #packages = new Set<string>();

  constructor(project: ScipProject, signal: AbortSignal) {
    this.#project = project;
    this.#signal = signal;
  }

  async readDefinitions(index: ScipIndex, path: string): Promise<void> {
    const sample = index.documents.slice(0, MAX_SAMPLED).map((place) => index.document(place).path);
    const { projectRoot } = index.metadata;
    const folder = await this.#project.folderOf({ path, projectRoot, documents: sample });
    for (const place of index.documents) {
      this.#signal.throwIfAborted();
      const document = index.document(place);
      // oxlint-disable-next-line no-await-in-loop -- one document in memory at a time
      const accepted = await this.#fit(document, folder);
      if (typeof accepted === "string") {
        const others = this.refused.get(accepted);
        if (others === undefined) this.refused.set(accepted, [document.path]);
        else others.push(document.path);
        continue;
      }
      const { file, occurrences } = accepted;
      this.#accepted.push({ index, place, path: file.path });
      this.#paths.add(file.path);
      const { targets } = ownDefinitions(file, { occurrences, symbols: document.symbols });
      for (const { isDefinition, parsed } of occurrences) {
        if (isDefinition && parsed !== undefined) this.#packages.add(packageOf(parsed));
      }
      for (const [symbol, all] of targets) {
        if (isLocalSymbol(symbol)) continue;
        for (const target of all) this.#definitions.add(symbol, target);
      }
    }
  }

  async readUses(keep: Keep): Promise<void> {
    for (const { index, place, path } of this.#accepted) {
      this.#signal.throwIfAborted();
      const document = index.document(place);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const file = await this.#project.file(path);
      if (file === undefined) continue;
      const occurrences = fitDocument(document, file);
      // It was changed since the first reading.
      if (typeof occurrences === "string") continue;
      const own = ownDefinitions(file, { occurrences, symbols: document.symbols });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await keep(file, encodeCompilerFacts(this.#factsOf(document, { occurrences, own })));
    }
  }

  async #fit(
    document: ScipDocument,
    folder: string,
  ): Promise<
    { readonly file: ScipFile; readonly occurrences: readonly PlacedOccurrence[] } | Refusal
  > {
    if (!isInside(document.path)) return "path outside the project";
    const file = await this.#project.file(`${folder}${document.path}`);
    if (file === undefined) return "not indexed by svc";
    if (this.#paths.has(file.path)) return "second document of a file";
    const occurrences = fitDocument(document, file);
    return typeof occurrences === "string" ? occurrences : { file, occurrences };
  }

  #factsOf(
    document: ScipDocument,
    {
      occurrences,
      own,
    }: { readonly occurrences: readonly PlacedOccurrence[]; readonly own: DocumentDefinitions },
  ): CompilerFacts {
    const targetsOf = (symbol: string): readonly FactTarget[] =>
      isLocalSymbol(symbol) ? (own.targets.get(symbol) ?? []) : this.#definitions.of(symbol);
    const uses = occurrences
      .filter(({ isDefinition }) => !isDefinition)
      .flatMap((occurrence) =>
        usesOf(occurrence, {
          targetsOf,
          isOwn: (symbol) => own.hidden.has(symbol) || this.#isOfPackages(occurrence),
        }),
      )
      .toSorted((one, other) => one.line - other.line);
    const relations = document.symbols.flatMap(({ symbol, relationships }): FactRelation[] =>
      (own.targets.get(symbol) ?? []).flatMap(({ qualifiedName: owner }) =>
        relationships
          .filter(({ isImplementation, isReference }) => isImplementation || isReference)
          .flatMap((one) => targetsOf(one.symbol).map((target) => ({ owner, target }))),
      ),
    );
    return { definitions: own.added, uses, relations };
  }

  /** Whether a symbol is one of the project: without a definition it is a key of a literal, or the like. */
  #isOfPackages({ parsed }: PlacedOccurrence): boolean {
    return parsed !== undefined && this.#packages.has(packageOf(parsed));
  }
}

function packageOf({ scheme, manager, package: name }: GlobalSymbol): string {
  return [scheme, manager, name].join("\0");
}

/** Whether a path of a document leads into the project: relative, and without steps up. */
function isInside(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\") || posix.isAbsolute(path))
    return false;
  return posix.normalize(path) === path && path !== "." && !path.startsWith("../") && path !== "..";
}

/** Names of constructors in symbols, and texts of their occurrences that are not the name of the type. */
const CONSTRUCTORS: ReadonlySet<string> = new Set(["<constructor>", "<init>", "__init__"]);
const NO_TYPES: ReadonlySet<string> = new Set(["constructor", "super", "this", "__init__"]);

/** The symbol of the type whose constructor occurs where the type is named: to construct it is to use it. */
function constructedType(symbol: GlobalSymbol | undefined, text: string): string | undefined {
  const [last, type] = symbol?.descriptors.toReversed() ?? [];
  if (symbol === undefined || last?.suffix !== "method" || type?.suffix !== "type")
    return undefined;
  const isConstructor = CONSTRUCTORS.has(last.name);
  // An import may give the type another name.
  if (isConstructor ? NO_TYPES.has(text) : type.name !== text || last.name === text)
    return undefined;
  return formatSymbol({ ...symbol, descriptors: symbol.descriptors.slice(0, -1) });
}

function usesOf(
  { line, text, rest, symbol, parsed, isImport }: PlacedOccurrence,
  {
    targetsOf,
    isOwn,
  }: {
    readonly targetsOf: (symbol: string) => readonly FactTarget[];
    /** Whether a symbol that has no definition in svc's index is one of the project. */
    readonly isOwn: (symbol: string) => boolean;
  },
): readonly FactUse[] {
  const last = parsed?.descriptors.at(-1);
  const type = constructedType(parsed, text);
  const targets = [...targetsOf(symbol), ...(type === undefined ? [] : targetsOf(type))];
  const role = isImport
    ? "import"
    : /^\s*\(/.test(rest)
      ? "call"
      : last?.suffix === "type"
        ? "type"
        : "value";
  if (targets.length > 0) return targets.map((target) => ({ line, text, role, target }));
  const isLocal = isLocalSymbol(symbol) || last?.suffix === "parameter" || isOwn(symbol);
  return [{ line, text, role, target: isLocal ? "local" : "outside" }];
}
