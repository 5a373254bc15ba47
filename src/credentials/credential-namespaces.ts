import { SvcError } from "../base/errors.ts";
import { requireNamespaceName } from "../sources/namespace.ts";

/** Throws USAGE for an invalid name, and for no name at all. */
export function requireNamespaces(namespaces: "all" | readonly string[]): void {
  if (namespaces === "all") return;
  for (const namespace of namespaces) requireNamespaceName(namespace);
  if (namespaces.length > 0) return;
  throw new SvcError("USAGE", "A credential needs at least one namespace.", {
    hint: "Name one with --namespace. A token without --namespace can access all, and so can a key with --all-namespaces.",
  });
}
