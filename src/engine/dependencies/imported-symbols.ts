// The definitions of names that a project imports from packages, where `find_symbol` does not find them in the project.

import type { Cacheable } from "../api/request.ts";
import type { FoundSymbol, SymbolsRequest, SymbolsResult } from "../api/symbols.ts";
import type { AcrossNamespaces, AskedNamespaces } from "../multi/across-namespaces.ts";
import type { MultiTarget } from "../multi/multi-target.ts";
import type { Namespaces } from "../namespaces.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { ProjectRecords } from "./project-records.ts";

/** Maximum files whose imports of the name are followed. */
const MAX_FILES = 20;
/** Definitions of one name in one package are few; overloads have lines of their own. */
const MAX_LOOKED_AT = 50;
const NAME = /^[\p{L}\p{N}_$]+$/u;

/** What is needed to follow imports; opened only where a project has dependencies. */
export interface ImportLookup {
  readonly records: Pick<ProjectRecords, "namespacesOf">;
  readonly namespaces: Pick<Namespaces, "state">;
  readonly across: () => Promise<AcrossNamespaces>;
  readonly lookUp: (request: SymbolsRequest) => Promise<SymbolsResult>;
}

/**
 * Adds the definitions in packages to the answer, before similar names of the project. Returns the answer as it is if the
 * project itself has the name. Only packages whose namespaces the caller may use are read.
 */
export async function withImportedSymbols(
  { records, namespaces, across: open, lookUp }: ImportLookup,
  request: SymbolsRequest,
  found: Cacheable<SymbolsResult>,
): Promise<Cacheable<SymbolsResult>> {
  const { name, near, path, cursor, at, principal } = request;
  const isDefined = found.symbols.some(
    ({ match, kind }) => match === "exact" && kind !== "section",
  );
  const isLimited = [near, path, cursor, at].some((limit) => limit !== undefined);
  if (isDefined || isLimited || !NAME.test(name)) return found;
  const names = records.namespacesOf(found.namespace, await namespaces.state());
  const usable = names.filter((one) => principal.canAccess(one));
  if (usable.length === 0) return found;
  const across = await open();
  const asked = await across.asked([found.namespace, ...usable], request);
  const home = await across.open(asked, found.namespace);
  const imported: FoundSymbol[] = [];
  for (const target of await targetsOf(across, asked, { home, name })) {
    // oxlint-disable-next-line no-await-in-loop -- mostly one
    const symbol = await symbolAt(target, request, lookUp);
    if (symbol !== undefined) imported.push(symbol);
  }
  if (imported.length === 0) return found;
  const symbols = found.isApproximate ? imported : [...imported, ...found.symbols];
  return {
    ...found,
    symbols: symbols.slice(0, request.limit),
    total: found.isApproximate ? imported.length : found.total + imported.length,
    isApproximate: false,
    // The packages may change without a new version of this index.
    isCacheable: false,
  };
}

type PlacedTarget = MultiTarget["target"] & { readonly namespace: string };

/** What the imports of the name lead to, each definition once. */
async function targetsOf(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  { home, name }: { readonly home: OpenIndex; readonly name: string },
): Promise<readonly PlacedTarget[]> {
  const { importedTarget } = await import("../multi/multi-target.ts");
  const targets = new Map<string, PlacedTarget>();
  const files = new Set((await home.reader.usesOf(name)).map(({ path }) => path));
  for (const file of [...files].slice(0, MAX_FILES)) {
    // oxlint-disable-next-line no-await-in-loop -- the graphs are kept, so only the first takes time
    const found = await importedTarget(across, asked, home, `${file}#${name}`);
    if (found === undefined) continue;
    const { namespace } = found.home;
    const { path, startLine } = found.target;
    targets.set(`${namespace}/${path}:${startLine}`, { ...found.target, namespace });
  }
  return [...targets.values()];
}

/** The definition as `find_symbol` shows it. */
async function symbolAt(
  { namespace, path, startLine, endLine, definition }: PlacedTarget,
  request: SymbolsRequest,
  lookUp: (request: SymbolsRequest) => Promise<SymbolsResult>,
): Promise<FoundSymbol | undefined> {
  if (definition === undefined) return undefined;
  const { qualifiedName: name } = definition;
  const found = await lookUp({ ...request, namespace, name, limit: MAX_LOOKED_AT });
  const symbol = found.symbols.find(
    (one) => one.path === path && one.nameLine >= startLine && one.nameLine <= endLine,
  );
  return symbol && { ...symbol, namespace };
}
