import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { SymbolsRequest, SymbolsResult } from "../api/symbols.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { QueryContext } from "../query-context.ts";
import { findSymbols } from "./find-symbols.ts";

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
  return { namespace, ...result };
}
