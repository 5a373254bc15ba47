// Opens the indexes of several namespaces for one search.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import { MultiReader } from "../../index/multi/multi-reader.ts";
import type { NamespaceList } from "../../sources/namespace-list.ts";
import type { EngineRequest } from "../api/request.ts";
import type { Namespaces } from "../namespaces.ts";
import type { IndexReadiness, OpenIndex, OpenIndexes } from "../open-indexes.ts";

interface MultiIndexesParts {
  readonly indexes: Pick<OpenIndexes, "use">;
  readonly namespaces: Pick<Namespaces, "authorize" | "visible">;
}

/** The indexes of a search of several namespaces. */
export interface OpenedIndexes {
  readonly reader: MultiReader;
  readonly indexes: readonly OpenIndex[];
  /** One sentence for each namespace that cannot be searched now. */
  readonly missing: readonly string[];
}

/** A search of more namespaces does not keep them up to date: to watch them all would cost more than it gains. */
const MAX_FRESH_NAMESPACES = 16;

/**
 * Opens the indexes of all these namespaces that can be searched now. Throws NAMESPACE_NOT_FOUND if the caller may not use
 * one of them, or none, and the first error if no index can be opened.
 */
export async function openIndexes(
  { indexes, namespaces }: MultiIndexesParts,
  { list, readiness }: { readonly list: NamespaceList; readonly readiness: IndexReadiness },
  request: EngineRequest,
): Promise<OpenedIndexes> {
  const named: readonly AuthorizedNamespace[] =
    list === "all"
      ? await namespaces.visible(request)
      : await Promise.all(list.map((name) => namespaces.authorize(request, name)));
  if (named.length === 0) {
    throw new SvcError("NAMESPACE_NOT_FOUND", "There is no namespace to search.", {
      hint: "Index a project with `svc index`.",
    });
  }
  const isKeptFresh = named.length <= MAX_FRESH_NAMESPACES;
  const opened = await Promise.all(
    named.map((namespace) =>
      indexes
        .use({ ...request, namespace }, { readiness, isKeptFresh }, async (index) => index)
        .catch((thrown: unknown) => ({ namespace, error: toSvcError(thrown) })),
    ),
  );
  const failed = opened.flatMap((one) => ("error" in one ? [one] : []));
  const found = opened.flatMap((one) => ("error" in one ? [] : [one]));
  const [first] = failed;
  if (found.length === 0 && first !== undefined) throw first.error;
  return {
    reader: new MultiReader(found),
    indexes: found,
    missing: failed.map(
      ({ namespace, error }) => `"${namespace}" was not searched: ${error.detail}`,
    ),
  };
}
