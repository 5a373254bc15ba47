// Rust macros that are defined by `macro_rules!`. They are visible without an import, and the crate root
// exports them wherever in the crate they are defined:
// https://doc.rust-lang.org/reference/macros-by-example.html.

import type { ScopedFile, SymbolRef } from "./entity.ts";

/** The type of macros in the outline. */
const MACRO_RULES_TYPE = "@macro_rules";

/** Of the definitions of a name, returns the macros that are closest to a file in the folder tree. */
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

/** Returns whether the file is the root of a crate, which exports the crate's macros. */
export function isCrateRoot({ path, language }: ScopedFile): boolean {
  return language === "rust" && (path === "lib.rs" || path.endsWith("/lib.rs"));
}
