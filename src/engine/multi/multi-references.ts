// References across namespaces.

import { SvcError } from "../../base/errors.ts";
import { projectPlace } from "../../graph/linked/linked-graph.ts";
import type { NamespaceList } from "../../sources/namespace-list.ts";
import type { FoundReference, ReferencesRequest, ReferencesResult } from "../api/references.ts";
import { listReferences } from "../symbols/find-references.ts";
import { namesSharedOnly } from "../symbols/find-shared-name.ts";
import type { AcrossNamespaces, AskedNamespaces } from "./across-namespaces.ts";
import { pathInNamespace, sharedNameAcross } from "./multi-shared-names.ts";
import { findTarget } from "./multi-target.ts";

/** Throws what the same request for one namespace throws. */
export async function findReferencesAcross(
  across: AcrossNamespaces,
  list: NamespaceList,
  request: ReferencesRequest,
): Promise<ReferencesResult> {
  const asked = await across.asked(list, request);
  if (namesSharedOnly(request.symbol)) {
    const shared = await sharedNameAcross(across, asked, request);
    if (shared !== undefined) return placedShared(asked, shared);
  }
  try {
    return await definitionAcross(across, asked, request);
  } catch (error) {
    const isUnknown = error instanceof SvcError && error.code === "SYMBOL_NOT_FOUND";
    const shared = isUnknown ? await sharedNameAcross(across, asked, request) : undefined;
    if (shared === undefined) throw error;
    return placedShared(asked, shared);
  }
}

function placedShared(
  asked: AskedNamespaces,
  result: Omit<ReferencesResult, "namespace">,
): ReferencesResult {
  const { target } = result;
  return {
    ...result,
    namespace: asked.text,
    target: target.path === "" ? target : located(target),
    others: result.others.map(located),
    references: result.references.map(placed),
  };
}

function located<Place extends { readonly path: string }>(
  place: Place,
): Place & { readonly namespace: string } {
  const { project, path } = projectPlace(place.path);
  return { ...place, path, namespace: project };
}

async function definitionAcross(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  request: ReferencesRequest,
): Promise<ReferencesResult> {
  const { home, target, others, isPackage } = await findTarget(across, asked, request.symbol);
  const { relation } = request;
  const direction = relation === "callees" || relation === "imports" ? "used" : "users";
  const linked = await across.link(asked, home, { path: target.path, direction });
  const { namespace } = home;
  const full = `${namespace}/${target.path}`;
  const result = await listReferences(
    {
      ...linked,
      limitedPath: pathInNamespace,
      scope: `${asked.text} ${linked.reader.version.epoch}`,
    },
    // The users of a package are the files that import it.
    { ...request, relation: isPackage && relation === "references" ? "importers" : relation },
    {
      ...target,
      path: full,
      definition: target.definition && { ...target.definition, path: full },
    },
  );
  return {
    ...result,
    namespace: asked.text,
    target: { ...result.target, path: target.path, namespace },
    others,
    references: result.references.map(placed),
    missing: linked.missing,
  };
}

function placed(reference: FoundReference): FoundReference {
  const { project, path } = projectPlace(reference.path);
  const from = reference.from === "" ? undefined : projectPlace(reference.from);
  return {
    ...reference,
    path,
    namespace: project,
    from: from?.path ?? "",
    ...(from === undefined || from.project === project ? {} : { fromNamespace: from.project }),
    via: reference.via.startsWith(`${project}/`) ? projectPlace(reference.via).path : reference.via,
    ...(reference.place === undefined ? {} : { place: projectPlace(reference.place).path }),
  };
}
