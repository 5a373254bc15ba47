// Macros of Rust that are defined by rules: they are seen without an import, and exported by the root of
// their crate wherever in it they are: https://doc.rust-lang.org/reference/macros-by-example.html.

import type { ScopedFile, SymbolRef } from "./entity.ts";

/** What the outline's types say of them. */
const MACRO_RULES_TYPE = "@macro_rules";

/** Of definitions of a name the macros that are nearest to a file. */
export function nearestMacros(
  { path }: ScopedFile,
  refs: readonly SymbolRef[],
): readonly SymbolRef[] {
  const macros = refs.filter(({ file, number }) => file.types[number] === MACRO_RULES_TYPE);
  if (macros.length < 2) return macros;
  const folders = path.split("/");
  const shared = ({ file }: SymbolRef): number => {
    const others = file.path.split("/");
    const end = folders.findIndex((folder, at) => folder !== others[at]);
    return end === -1 ? folders.length : end;
  };
  const maxShared = Math.max(...macros.map(shared));
  return macros.filter((ref) => shared(ref) === maxShared);
}

/** Whether all that a crate exports as macros is found in the file. */
export function isCrateRoot({ path, language }: ScopedFile): boolean {
  return language === "rust" && (path === "lib.rs" || path.endsWith("/lib.rs"));
}
