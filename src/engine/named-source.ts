import { resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import type { Registry, Source } from "../sources/registry.ts";
import type { RemoveSourceRequest } from "./engine.ts";

/** The source that is named as it was for `index`. Throws PATH_NOT_FOUND. */
export function requireSource(
  registry: Registry,
  { source: name, ref, namespace, caller }: RemoveSourceRequest,
): Source {
  const names = namespace === undefined ? registry.namespaces() : [namespace];
  const sources = names.filter((one) => caller.maySee(one)).flatMap((one) => registry.sources(one));
  const found = sources.filter((source) => isNamed(source, name, ref));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first !== undefined) {
    const all = found.map((one) => `"${one.namespace}"`).join(", ");
    throw new SvcError("USAGE", `${name} is a source of ${all}.`, { hint: "Give --namespace." });
  }
  throw new SvcError("PATH_NOT_FOUND", `${name} is not a source.`, {
    hint: "`svc status` lists the sources of each namespace.",
  });
}

/** Whether this is what a source was called when it was indexed. */
function isNamed({ root, url, ref }: Source, name: string, wantedRef: string | undefined): boolean {
  if (root === name || root === resolve(name)) return true;
  if (url === undefined) return false;
  const [wanted = "", hashRef = wantedRef] = name.split("#", 2);
  const isUrl = url === wanted || url === `file://${resolve(wanted)}`;
  return isUrl && (hashRef === undefined || hashRef === ref);
}
