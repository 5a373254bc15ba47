// Finds the commit that a request is about, and the data of it that the request needs.

import { SvcError } from "../../base/errors.ts";
import type { EngineRequest, RevisionLimits } from "../api/request.ts";
import type { PlaceContext } from "../files/at-revision.ts";
import type { ReadDependencies } from "../middleware/read-dependencies.ts";
import type { QueryContext } from "../query-context.ts";

type Request = EngineRequest & RevisionLimits;

/** Queries that need an index of the commit, and not only its files. */
const QUERIES = new Set(["search", "findSymbols", "references", "outline", "related", "impact"]);

/** Whether the query `name` needs the index of a commit. */
export function needsRevision(
  name: string,
  request: Request,
): request is Request & { readonly at: string } {
  return request.at !== undefined && QUERIES.has(name);
}

/** Throws INVALID_PARAMS for a request of several namespaces about a commit. */
export function requireNoCommit({ at }: Request): void {
  if (at === undefined) return;
  throw new SvcError("INVALID_PARAMS", "Several namespaces have no commit in common.", {
    hint: "Search one namespace at a time.",
  });
}

/** What a query of files reads: the current ones, or those of a commit. Names of commits move, so such an answer is not cached. */
export async function contextOf(
  query: QueryContext & { readonly dependencies: Pick<ReadDependencies, "markUncacheable"> },
  { at, signal }: Pick<Request, "at" | "signal">,
): Promise<PlaceContext> {
  if (at === undefined) return query;
  query.dependencies.markUncacheable();
  const { atRevision } = await import("../files/at-revision.ts");
  return atRevision(query, at, signal);
}
