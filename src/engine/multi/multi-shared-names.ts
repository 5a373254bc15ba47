// The users of a shared name in several namespaces: a client and the handler of its route are often in two repositories.

import { toSvcError } from "../../base/errors.ts";
import { projectPlace } from "../../graph/linked/linked-graph.ts";
import type { SharedPlace } from "../../graph/shared-references.ts";
import { MultiReader } from "../../index/multi/multi-reader.ts";
import type { ReferencesRequest, ReferencesResult } from "../api/references.ts";
import type { OpenIndex } from "../open-indexes.ts";
import { listSharedName } from "../symbols/find-references.ts";
import { findSharedName, type FoundSharedName } from "../symbols/find-shared-name.ts";
import { MAX_LINKED, type AcrossNamespaces, type AskedNamespaces } from "./across-namespaces.ts";
import { multiTexts } from "./multi-texts.ts";

/**
 * Returns the references of an environment variable, a route or a table in all these namespaces; undefined if none of them has
 * it. Paths begin with their namespace.
 */
export async function sharedNameAcross(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  request: ReferencesRequest,
): Promise<Omit<ReferencesResult, "namespace"> | undefined> {
  const searched = asked.names.slice(0, MAX_LINKED);
  const rest = asked.names.length - searched.length;
  const missing = rest > 0 ? [`${rest} more namespaces were not searched; name fewer.`] : [];
  const indexes: OpenIndex[] = [];
  let found: FoundSharedName | undefined;
  for (const namespace of searched) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first that has the name says of which kind it is
      const index = await across.open(asked, namespace);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { shared } = await across.parts.graphOf(index);
      const text = found === undefined ? request.symbol : `${found.kind}:${found.name}`;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const own = await findSharedName(shared, text);
      if (own === undefined) continue;
      indexes.push(index);
      found = joined(found, own, namespace);
    } catch (thrown) {
      missing.push(`"${namespace}" was not searched: ${toSvcError(thrown).detail}`);
    }
  }
  if (found === undefined) return undefined;
  const reader = new MultiReader(indexes);
  const texts = multiTexts(
    new Map(indexes.map((index) => [index.namespace as string, across.parts.textsOf(index)])),
  );
  const scope = `${asked.text} ${reader.version.epoch}`;
  const result = await listSharedName(
    { reader, texts, limitedPath: pathInNamespace, scope },
    request,
    found,
  );
  return { ...result, missing };
}

/** Returns a path of several namespaces without its namespace. */
export function pathInNamespace(path: string): string {
  return projectPlace(path).path;
}

function joined(
  before: FoundSharedName | undefined,
  own: FoundSharedName,
  namespace: string,
): FoundSharedName {
  const placed = (place: SharedPlace): SharedPlace => ({
    ...place,
    path: `${namespace}/${place.path}`,
  });
  return {
    ...own,
    declared: [...(before?.declared ?? []), ...own.declared.map(placed)],
    used: [...(before?.used ?? []), ...own.used.map(placed)],
  };
}
