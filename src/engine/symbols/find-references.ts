// Finds the users of a definition, and the definitions that it uses: edges of the reference graph with their lines.

import { documentPlace } from "../../base/documents/places.ts";
import { columnOfName } from "./name-column.ts";
import { SvcError } from "../../base/errors.ts";
import { Yielder } from "../../base/yielder.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import type { WalkedGraph } from "../../graph/linked/linked-graph.ts";
import {
  sharedReference,
  type Certainty,
  type Reference,
  type ReferenceGraph,
} from "../../graph/reference-graph.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { QueryContext } from "../query-context.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { FoundReference, ReferencesRequest, ReferencesResult } from "../api/references.ts";
import { pathFilter } from "../files/file-filter.ts";
import { innermostAt } from "./innermost-symbol.ts";
import {
  isWholeFile,
  overloadsOf,
  requireNotSecret,
  resolveTarget,
  type ResolvedTarget,
} from "./resolve-target.ts";
import { SourceLines, type SourceFileLines } from "../files/source-lines.ts";
import {
  findSharedName,
  namesSharedOnly,
  requireNoSharedName,
  type FoundSharedName,
} from "./find-shared-name.ts";

export interface ReferenceContext extends QueryContext {
  readonly graph: WalkedGraph & Pick<ReferenceGraph, "shared">;
}

/** What is read to list the references of a definition that is known. */
export interface ReferenceListing {
  readonly reader: Pick<IndexReader, "version" | "pageRanks" | "factsOf" | "file" | "symbolsOf">;
  readonly texts: TextReader;
  readonly graph: WalkedGraph;
  /** Returns the path that the limits of the request are about: the same by default. */
  readonly limitedPath?: (path: string) => string;
  /** Identifies the listing if it covers several namespaces; a cursor continues the same listing. */
  readonly scope?: string;
}

/** An edge before its line is read. */
interface ReferenceEdge {
  readonly path: string;
  readonly line: number;
  /** The name on the line; "" for an import. */
  readonly name: string;
  readonly role: FoundReference["role"];
  readonly certainty: Certainty;
  readonly depth: number;
  /** Has the definition that the line is in, which may take a while to find; undefined at the top level. */
  readonly at: { readonly owner: SymbolHit | undefined };
  /** The symbol of the previous level that it is connected with. */
  readonly via: string;
  /** The file with the line, where that is not `path`: for an import the one that imports; else "" or not there. */
  readonly from?: string;
  readonly version?: string | undefined;
}

/** Maximum definitions or files followed per level. */
const MAX_FOLLOWED = 200;
const MAX_LINE_CHARS = 200;

export async function findReferences(
  context: ReferenceContext,
  request: ReferencesRequest,
): Promise<Omit<ReferencesResult, "namespace">> {
  const { symbol, relation, depth, path, within, cursor } = request;
  const generation = context.reader.version.at;
  // A cursor of another query is refused before its target is looked for.
  decodeCursor(["references", symbol, relation, depth, path, within, generation], cursor);
  return listEdges(context, request, await subjectOf(context, request));
}

/** Lists the users of a shared name, or the places that declare it. Throws INVALID_CURSOR. */
export async function listSharedName(
  context: Omit<ReferenceListing, "graph">,
  request: ReferencesRequest,
  found: FoundSharedName,
): Promise<Omit<ReferencesResult, "namespace">> {
  return listEdges(context, request, sharedSubject(found, request));
}

/** Lists the references of a target. Throws INVALID_CURSOR. */
export async function listReferences(
  context: ReferenceListing,
  request: ReferencesRequest,
  target: ResolvedTarget,
): Promise<Omit<ReferencesResult, "namespace">> {
  return listEdges(context, request, await targetSubject(context, request, target));
}

async function listEdges(
  context: Omit<ReferenceListing, "graph">,
  request: ReferencesRequest,
  subject: ReferenceSubject,
): Promise<Omit<ReferencesResult, "namespace">> {
  const { symbol, relation, depth, path, within, limit, cursor } = request;
  const { limitedPath = (one) => one, scope = [] } = context;
  const generation = context.reader.version.at;
  const cursorKey = ["references", symbol, relation, depth, path, within, generation].concat(scope);
  const from = decodeCursor(cursorKey, cursor);
  const { target, others, edges } = subject;
  const matches = pathFilter(request);
  const all = edges.filter((edge) => matches === undefined || matches(limitedPath(edge.path)));
  const ordered = await sortEdges(context.reader, all);
  const lines = new SourceLines(context.reader, context.texts);
  await lines.prefetch([...new Set(ordered.slice(from, from + limit).map(textPathOf))]);
  const references: FoundReference[] = [];
  let at = from;
  for (; at < ordered.length && references.length < limit; at += 1) {
    const edge = ordered[at];
    // oxlint-disable-next-line no-await-in-loop -- a file is read once for all its lines
    const found = edge && (await shown(lines, edge));
    if (found !== undefined) references.push(found);
  }
  const count = (certainty: Certainty): number =>
    all.filter((edge) => edge.certainty === certainty).length;
  return {
    generation,
    target,
    others,
    references,
    exact: count("exact"),
    byName: count("name"),
    files: new Set(all.map((edge) => edge.path)).size,
    nextCursor: at < ordered.length ? encodeCursor(cursorKey, at) : undefined,
  };
}

/** What the request is about, and its edges. */
interface ReferenceSubject extends Pick<ReferencesResult, "target" | "others"> {
  readonly edges: readonly ReferenceEdge[];
}

async function subjectOf(
  context: ReferenceContext,
  request: ReferencesRequest,
): Promise<ReferenceSubject> {
  const { symbol } = request;
  const shared = namesSharedOnly(symbol)
    ? await findSharedName(context.graph.shared, symbol)
    : undefined;
  if (shared !== undefined) return sharedSubject(shared, request);
  requireNoSharedName(symbol);
  try {
    return await targetSubject(context, request, await definitionTarget(context, symbol));
  } catch (error) {
    const isUnknown = error instanceof SvcError && error.code === "SYMBOL_NOT_FOUND";
    const found = isUnknown ? await findSharedName(context.graph.shared, symbol) : undefined;
    if (found === undefined) throw error;
    return sharedSubject(found, request);
  }
}

async function targetSubject(
  context: ReferenceListing,
  request: ReferencesRequest,
  target: ResolvedTarget,
): Promise<ReferenceSubject> {
  const { path, startLine, endLine, symbol, others } = target;
  // Imports are of the file, also if the request names a definition in it.
  const isOfFile = request.relation === "imports" || request.relation === "importers";
  const lines =
    isOfFile || isWholeFile(target) ? { startLine: 0, endLine: 0 } : { startLine, endLine };
  const edges = await new ReferenceWalk(context, request).edges(target);
  return { target: { path, ...lines, symbol }, others, edges };
}

/** An environment variable, a route or a table: its users, or for implementations the places that declare it. */
function sharedSubject(
  { kind, name, declared, used }: FoundSharedName,
  { symbol, relation }: ReferencesRequest,
): ReferenceSubject {
  const isOfUsers = relation === "references" || relation === "callers";
  if (!isOfUsers && relation !== "implementations") {
    throw new SvcError("INVALID_PARAMS", `${symbol} has no ${relation}.`, {
      hint: "An environment variable, a route or a table has references and implementations.",
    });
  }
  const text = kind === "route" ? name.replace(/^[A-Z]+ /, "") : name;
  const edges = (isOfUsers ? used : declared).map((place) => ({
    ...withoutLocal(sharedReference(place)),
    // A route is not on the line as it is named.
    name: kind === "route" ? (text.split("/").findLast((part) => part !== "{}") ?? "") : text,
    depth: 1,
    via: "",
  }));
  const [first, ...others] = declared;
  const { path, line } = first ?? { path: "", line: 0 };
  return {
    target: { path, startLine: line, endLine: line, symbol: `${kind}:${name}` },
    others: others.map((place) => ({
      path: place.path,
      startLine: place.line,
      qualifiedName: place.owner?.qualifiedName ?? "",
    })),
    edges,
  };
}

/** The definition of a name or a location: for `path:line`, the innermost one there. */
export async function definitionTarget(
  context: QueryContext,
  symbol: string,
): Promise<ResolvedTarget> {
  const target = await resolveTarget(context, symbol);
  requireNotSecret(context.sources, target.path);
  if (target.definition !== undefined || isWholeFile(target)) return target;
  const definition = innermostAt(await context.reader.symbolsOf(target.path), target);
  if (definition === undefined) {
    throw new SvcError("SYMBOL_NOT_FOUND", `There is no definition at ${symbol}.`, {
      hint: "Give a line inside a definition; `outline` of the file lists them.",
    });
  }
  const { startLine, endLine, qualifiedName } = definition;
  const found = { ...definition, path: target.path };
  return { ...target, startLine, endLine, symbol: qualifiedName, definition: found };
}

/** Follows edges of one relation, level by level. */
class ReferenceWalk {
  readonly #context: Pick<ReferenceListing, "graph">;
  readonly #request: ReferencesRequest;

  constructor(context: Pick<ReferenceListing, "graph">, request: ReferencesRequest) {
    this.#context = context;
    this.#request = request;
  }

  async edges(target: ResolvedTarget): Promise<readonly ReferenceEdge[]> {
    const { relation } = this.#request;
    const { definition, path } = target;
    if (relation === "imports" || relation === "importers") {
      return this.#levels(
        [path],
        (one) => this.#ofFile(one),
        ({ path: next }) => next,
      );
    }
    if (definition === undefined) {
      throw new SvcError("SYMBOL_NOT_FOUND", `${path} is a file, not a definition.`, {
        hint: "For a file use the relation importers or imports; for a definition give `path#symbol`.",
      });
    }
    if (relation === "callees") {
      return this.#levels(
        [definition],
        (one) => this.#callees(one),
        ({ at }) => at.owner,
      );
    }
    // A name refers to all its overloads, a line to one of them.
    const withOverloads = overloadsOf(target).length > 0;
    return this.#levels(
      [definition],
      (one) => this.#users(one, withOverloads && one === definition),
      ({ at }) => at.owner,
    );
  }

  /** Breadth-first search. `next`: the node from which the next level starts. */
  async #levels<Node extends SymbolHit | string>(
    start: readonly Node[],
    edgesOf: (node: Node) => Promise<readonly Omit<ReferenceEdge, "depth">[]>,
    next: (edge: Omit<ReferenceEdge, "depth">) => Node | undefined,
  ): Promise<readonly ReferenceEdge[]> {
    const found = new Map<string, ReferenceEdge>();
    const visited = new Set(start.map(keyOf));
    const yielder = new Yielder();
    let level: readonly Node[] = start;
    for (let depth = 1; depth <= this.#request.depth && level.length > 0; depth += 1) {
      const following: Node[] = [];
      for (const node of level) {
        // oxlint-disable-next-line no-await-in-loop -- yields to other calls
        await yielder.yieldIfDue();
        if (this.#request.signal.aborted) return [];
        // oxlint-disable-next-line no-await-in-loop -- sequential
        for (const edge of await edgesOf(node)) {
          const key = `${edge.path}:${edge.line}:${edge.role}`;
          if (!found.has(key)) found.set(key, { ...edge, depth });
          if (depth === this.#request.depth) continue;
          const to = next(edge);
          // A match by name is shown but not followed.
          if (to === undefined || edge.certainty === "name" || visited.has(keyOf(to))) continue;
          visited.add(keyOf(to));
          following.push(to);
        }
      }
      level = following.slice(0, MAX_FOLLOWED);
    }
    return [...found.values()];
  }

  async #users(
    symbol: SymbolHit,
    withOverloads: boolean,
  ): Promise<readonly Omit<ReferenceEdge, "depth">[]> {
    const { relation } = this.#request;
    if (relation === "implementations") {
      const found = await this.#context.graph.implementationsOf(symbol);
      return found.map((one) => definitionEdge(one, symbol));
    }
    const { signal } = this.#request;
    const all = await this.#context.graph.referencesTo(symbol, signal, { withOverloads });
    const wanted = relation === "callers" ? all.filter(({ role }) => role === "call") : all;
    return wanted.map((reference) => ({
      ...withoutLocal(reference),
      name: symbol.name,
      via: symbol.qualifiedName,
    }));
  }

  async #callees(symbol: SymbolHit): Promise<readonly Omit<ReferenceEdge, "depth">[]> {
    const all = await this.#context.graph.usesFrom(symbol);
    return all
      .filter(({ role }) => role === "call")
      .flatMap(({ targets, certainty, version }) =>
        targets.map((one) => ({
          ...definitionEdge(one, symbol),
          role: "call" as const,
          certainty,
          version,
        })),
      );
  }

  async #ofFile(path: string): Promise<readonly Omit<ReferenceEdge, "depth">[]> {
    const { graph } = this.#context;
    const isImports = this.#request.relation === "imports";
    const all = isImports ? await graph.importsOf(path) : await graph.importersOf(path);
    return all.map((edge) => ({
      path: edge.path,
      line: edge.line,
      // The line of the import belongs to the importing file.
      from: isImports ? path : "",
      name: "",
      role: "import",
      certainty: edge.version === undefined ? "exact" : "name",
      at: { owner: undefined },
      via: path,
      version: edge.version,
    }));
  }
}

function withoutLocal(reference: Reference): Omit<ReferenceEdge, "depth" | "name" | "via"> {
  const { path, line, role, certainty, version } = reference;
  return { path, line, role, certainty, version, at: reference };
}

/** An edge to a definition, which is its own owner, so the next level starts from it. */
function definitionEdge(symbol: SymbolHit, via: SymbolHit): Omit<ReferenceEdge, "depth"> {
  return {
    path: symbol.path,
    line: symbol.nameLine,
    name: symbol.name,
    role: "inherit",
    certainty: "exact",
    at: { owner: symbol },
    via: via.qualifiedName,
  };
}

function keyOf(node: SymbolHit | string): string {
  return typeof node === "string" ? node : `${node.path}#${node.qualifiedName}:${node.startLine}`;
}

/** Sorts by depth, then exact before by name, code before tests and docs, by rank, and by position. */
async function sortEdges(
  reader: Pick<IndexReader, "pageRanks" | "factsOf">,
  edges: readonly ReferenceEdge[],
): Promise<readonly ReferenceEdge[]> {
  const pageRanks = await reader.pageRanks();
  const weights = new Map<string, number>();
  for (const path of new Set(edges.map((edge) => edge.path))) {
    // oxlint-disable-next-line no-await-in-loop -- reads the catalog
    const role = (await reader.factsOf(path))?.role ?? "code";
    weights.set(path, pageRanks.fileRank(path) + (role === "tests" || role === "docs" ? 0 : 1000));
  }
  const weight = ({ path }: ReferenceEdge): number => weights.get(path) ?? 0;
  return edges.toSorted(
    (one, other) =>
      one.depth - other.depth ||
      Number(one.certainty === "name") - Number(other.certainty === "name") ||
      weight(other) - weight(one) ||
      (one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1),
  );
}

/** The file with the line of an edge. */
function textPathOf({ path, from = "" }: ReferenceEdge): string {
  return from === "" ? path : from;
}

/** The edge with its current line; undefined when the line no longer exists. */
async function shown(lines: SourceLines, edge: ReferenceEdge): Promise<FoundReference | undefined> {
  const { path, role, certainty, depth, at, via, name, from = "", version } = edge;
  const textPath = textPathOf(edge);
  const file = await lines.read(textPath);
  const line = file && currentLine(file, edge);
  if (file === undefined || line === undefined) return undefined;
  const text = file.lines[line - 1] ?? "";
  return {
    path,
    line,
    place: documentPlace(textPath, file.document, { startLine: line, endLine: line }),
    column: columnOfName(text, name),
    text: text.trim().slice(0, MAX_LINE_CHARS),
    symbol: at.owner?.qualifiedName ?? "",
    role,
    certainty,
    depth,
    via: depth > 1 && from === "" ? via : "",
    from,
    changed: file.changed,
    ...(version === undefined ? {} : { version }),
  };
}

/** The line of an edge; in a changed file, the nearest line with the name. */
function currentLine(
  { lines, changed }: SourceFileLines,
  { line, name }: ReferenceEdge,
): number | undefined {
  if (!changed || name === "") return line <= Math.max(1, lines.length) ? line : undefined;
  let closest: number | undefined;
  for (const [at, text] of lines.entries()) {
    if (!text.includes(name)) continue;
    const isNearer = closest === undefined || Math.abs(at + 1 - line) < Math.abs(closest - line);
    if (isNearer) closest = at + 1;
  }
  return closest;
}
