import { SvcError } from "../../base/errors.ts";
import { nextTurn } from "../../base/turns.ts";
import type { TextStore } from "../../sources/text/port.ts";
import type { IndexProgress } from "../api/index-report.ts";
import type { EngineRequest } from "../api/request.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { Middleware } from "./middleware.ts";
import type { ReadDependencies } from "./read-dependencies.ts";

/** One query on an open index. */
export interface QueryCall {
  /** Name of the engine's method. */
  readonly name: string;
  readonly request: EngineRequest;
  readonly index: OpenIndex;
  /** Filled while the query runs. */
  readonly dependencies: ReadDependencies;
}

interface CachingOptions {
  readonly cache: AnswerCache;
  readonly texts: TextStore;
  /** Progress of the first build of a namespace, while it is running. */
  readonly building: (namespace: string) => IndexProgress | undefined;
}

/**
 * Returns the cached answer when the index and every file that it read are unchanged and the caller has the same rights.
 * Otherwise lets the query compute one, and caches it. The caller's access to the namespace must be checked before.
 */
export function caching({ cache, texts, building }: CachingOptions): Middleware<QueryCall> {
  return async (call, next) => {
    const { index, request, dependencies } = call;
    const { namespace, reader, sources } = index;
    const { signal } = request;
    const key = cacheKeyOf(call);
    const version = JSON.stringify([reader.version, await reader.rankVersion(), sources]);
    const mustBeNew = (): boolean => !dependencies.isCacheable || building(namespace) !== undefined;
    const lookUp = async (): Promise<unknown> =>
      mustBeNew()
        ? undefined
        : cache.get(key, version, (known) =>
            known.isValid(sources, texts.open(namespace, sources)),
          );
    let known = await lookUp();
    if (known === undefined) {
      await nextTurn();
      // A call that began at the same time may have stored the answer by now.
      known = await lookUp();
    }
    if (typeof known === "object" && known !== null) return { ...known, isCacheable: true };
    // The caller has gone.
    if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const answer = await next(call);
    if (mustBeNew() || signal.aborted) dependencies.markUncacheable();
    return { ...answer, isCacheable: cache.set(key, version, { answer, dependencies }) };
  };
}

/** A key that does not depend on the order of fields and ignores undefined ones. */
function cacheKeyOf({ name, request, index: { namespace } }: QueryCall): string {
  const { principal, signal: _signal, deadline: _deadline, ...query } = request;
  const parts = [name, principal.rightsKey, { ...query, namespace }];
  return JSON.stringify(parts, (_name, value: unknown) => {
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isRecord) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}
