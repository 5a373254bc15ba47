// What a file of C# sees by the namespaces that files say they are of.

import type { ScopedFile, SymbolRef } from "./entity.ts";

/** Those in the innermost namespace that the file is in, or that it uses. */
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
