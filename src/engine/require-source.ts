import { SvcError } from "../base/errors.ts";
import { realOrSame } from "../sources/confined-path.ts";
import type { Source } from "../sources/registry/records.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";
import type { RemoveSourceRequest } from "./api/index-source.ts";

/** The source with the path or URL given to `index`. Throws PATH_NOT_FOUND, and USAGE when several match. */
export function requireSource(
  registry: RegistryState,
  { source: name, ref, namespace, principal }: RemoveSourceRequest,
): Source {
  const names = namespace === undefined ? registry.namespaces() : [namespace];
  const sources = names
    .filter((one) => principal.canAccess(one))
    .flatMap((one) => registry.sources(one));
  const found = sources.filter((source) => isNamed(source, name, ref));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first !== undefined) {
    const all = found.map((one) => `${nameOf(one)} of "${one.namespace}"`).join(", ");
    throw new SvcError("USAGE", `${name} is ambiguous: ${all}.`, {
      hint: "Name the namespace, or give URL#ref.",
    });
  }
  throw new SvcError(
    "PATH_NOT_FOUND",
    `${name === "." ? realOrSame(name) : name} is not a source.`,
    {
      hint: "`svc status` lists the sources of each namespace.",
    },
  );
}

/** Whether `name` is the path or URL of the source. */
function isNamed({ root, url, ref }: Source, name: string, wantedRef: string | undefined): boolean {
  if (root === name || root === realOrSame(name)) return true;
  if (url === undefined) return false;
  const [wanted = "", hashRef = wantedRef] = name.split("#", 2);
  const isUrl = url === wanted || url === `file://${realOrSame(wanted)}`;
  return isUrl && (hashRef === undefined || hashRef === ref);
}

function nameOf({ root, url, ref }: Source): string {
  if (url === undefined) return root;
  return ref === undefined ? url : `${url}#${ref}`;
}
