// Which definitions a C# file sees through its namespaces.

import type { ScopedFile, SymbolRef } from "./entity.ts";

/**
 * Of the definitions in namespaces that enclose the file or that it uses, returns those of the innermost
 * namespace.
 */
export function inVisibleNamespaces(
  file: ScopedFile,
  refs: readonly SymbolRef[],
): readonly SymbolRef[] {
  const used = new Set(file.imports.flatMap((one) => (one.isWildcard ? [one.module] : [])));
  const visible = refs.filter(({ file: { package: name } }) => {
    const isAround = name === "" || `${file.package}.`.startsWith(`${name}.`);
    return isAround || used.has(name);
  });
  const innermost = Math.max(...visible.map((ref) => ref.file.package.length));
  return visible.filter((ref) => ref.file.package.length === innermost);
}
