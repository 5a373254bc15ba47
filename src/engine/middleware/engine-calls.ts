import type { Engine } from "../api/engine.ts";
import type { EngineRequest } from "../api/request.ts";
import { pipeline, type Middleware } from "./middleware.ts";

/** The methods of the engine that answer a request. */
const CALLS = [
  "search",
  "searchText",
  "read",
  "findSymbols",
  "outline",
  "references",
  "folder",
  "file",
  "colors",
  "nameAt",
  "related",
  "impact",
  "changes",
  "why",
  "drift",
  "apiChanges",
  "monitors",
  "monitorHits",
  "index",
  "status",
] as const satisfies readonly (keyof Engine)[];

/** One call of the engine. */
export interface EngineCall {
  readonly name: (typeof CALLS)[number];
  readonly request: Pick<EngineRequest, "principal" | "namespace">;
}

/** Returns an engine whose calls pass through these steps, the first one first. */
export function withMiddleware(engine: Engine, steps: readonly Middleware<EngineCall>[]): Engine {
  if (steps.length === 0) return engine;
  const run = pipeline<EngineCall>(steps, ({ name, request }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- steps pass on the request of the same method
    const call = engine[name] as (request: EngineCall["request"]) => Promise<object>;
    return call(request);
  });
  const calls = CALLS.map(
    (name) => [name, (request: EngineCall["request"]) => run({ name, request })] as const,
  );
  const byName: object = Object.fromEntries(calls);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- steps return the answer of the same method
  return { ...engine, ...(byName as Pick<Engine, (typeof CALLS)[number]>) };
}
