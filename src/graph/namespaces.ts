// What a file of C# sees by the namespaces that files say they are of.

import type { ScopedFile, SymbolRef } from "./entity.ts";

/** Those in the innermost namespace that the file is in, or that it uses. */
export function inSeenNamespaces(
  file: ScopedFile,
  refs: readonly SymbolRef[],
): readonly SymbolRef[] {
  const used = new Set(file.imports.flatMap((one) => (one.isWildcard ? [one.module] : [])));
  const seen = refs.filter(({ file: { package: name } }) => {
    const isAround = name === "" || `${file.package}.`.startsWith(`${name}.`);
    return isAround || used.has(name);
  });
  const innermost = Math.max(...seen.map((ref) => ref.file.package.length));
  return seen.filter((ref) => ref.file.package.length === innermost);
}
