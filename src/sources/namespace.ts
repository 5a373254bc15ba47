import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isNamespaceName(name: string): boolean {
  return NAME.test(name);
}

/** Throws USAGE unless `name` has the form of a namespace. */
export function requireNamespaceName(name: string): string {
  if (isNamespaceName(name)) return name;
  throw new SvcError("USAGE", `"${name}" is not a namespace name.`, {
    hint: "Use 1 to 64 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or digit.",
  });
}

/** A namespace name made from a folder's name: lower case, other characters become `-`. */
export function namespaceNameFor(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 64);
  return name === "" ? "workspace" : name;
}

/**
 * One answer for "does not exist" and "not yours": a caller cannot probe for names. `visible` are those that
 * the caller may see.
 */
export function namespaceNotFound(namespace: string, visible: readonly string[] = []): SvcError {
  const near = closestWord(namespace, visible);
  const guess = near === undefined ? "" : `Did you mean "${near}"? `;
  return new SvcError("NAMESPACE_NOT_FOUND", `There is no namespace "${namespace}".`, {
    hint: `${guess}\`index_status\` (or \`svc status\`) lists the namespaces you can use.`,
  });
}

/** For a call without a namespace by a caller who sees several, of which the default is none. */
export function noNamespaceNamed(): SvcError {
  return new SvcError("NAMESPACE_NOT_FOUND", "The call names no namespace.", {
    hint: "The credential is for several: name one. `index_status` lists them.",
  });
}
