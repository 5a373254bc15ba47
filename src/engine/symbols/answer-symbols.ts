import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { SymbolsRequest, SymbolsResult } from "../api/symbols.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { QueryContext } from "../query-context.ts";
import { pathFilter } from "../files/file-filter.ts";
import { nearestPaths } from "../files/nearest-paths.ts";
import { hintWithout } from "../files/unmatched-path.ts";
import { findSymbols } from "./find-symbols.ts";

/** Maximum files that an answer without definitions names. */
const MAX_FILES = 3;

/** Finds definitions in one index. `openGraph` is called only if the answer needs the graph. */
export async function answerSymbols(
  query: OpenIndex & QueryContext,
  request: SymbolsRequest,
  openGraph: () => Promise<ReferenceGraph>,
): Promise<Omit<SymbolsResult, "building">> {
  const { namespace, reader } = query;
  const { near, name } = request;
  const parts = await reader.segmentSymbols();
  let stepsTo: Parameters<typeof findSymbols>[0]["stepsTo"];
  if (near !== undefined) {
    const { nearDefinitions } = await import("./near-definitions.ts");
    stepsTo = await nearDefinitions({ ...query, graph: await openGraph() }, near, name);
  }
  const result = await findSymbols({ ...query, parts, graph: openGraph, stepsTo }, request);
  const { hint } = await hintWithout(result.symbols, query, request);
  const found = result.symbols.length > 0 ? undefined : (hint ?? (await fileHint(reader, request)));
  return { namespace, ...result, ...(found === undefined ? {} : { hint: found }) };
}

/** The files that are named like a symbol which is not defined: commands, pages and components are often files. */
async function fileHint(
  reader: Pick<OpenIndex["reader"], "fileTree">,
  request: SymbolsRequest,
): Promise<string | undefined> {
  if (request.symbolKind !== undefined) return undefined;
  const matches = pathFilter(request) ?? (() => true);
  const near = nearestPaths(await reader.fileTree(), request.name, MAX_FILES);
  const paths = near.isAlike ? near.paths.filter(matches) : [];
  return paths.length === 0 ? undefined : `Files with such a name: ${paths.join(", ")}.`;
}
