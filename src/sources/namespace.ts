import { SvcError } from "../base/errors.ts";

/** Who asks: what the owner of a verified credential may see and do. */
export interface Caller {
  /** Id of the credential, `local` for the owner of the machine; safe to log. */
  readonly id: string;
  /** Namespaces the caller may name; `all` is every namespace on this machine. */
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
}

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

export function maySee(caller: Caller, namespace: string): boolean {
  return caller.namespaces === "all" || caller.namespaces.includes(namespace);
}

/** One answer for "does not exist" and "not yours": a caller cannot probe for names. */
export function namespaceNotFound(namespace: string): SvcError {
  return new SvcError("NAMESPACE_NOT_FOUND", `There is no namespace "${namespace}".`, {
    hint: "`index_status` (or `svc status`) lists the namespaces you can use.",
  });
}
