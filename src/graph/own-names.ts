// The names of a file: its imports, definitions and default export.

import {
  isType,
  ownerName,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";

/**
 * Returns the first part of a path, or its longest prefix that an import binds, as Python's `import a.b`
 * does.
 */
export function longestBoundPrefix({ imports }: ScopedFile, path: string): string {
  let first = path.split(".", 1)[0] ?? "";
  for (const { bindings } of imports) {
    for (const { local } of bindings) {
      const isBeginning = path === local || path.startsWith(`${local}.`);
      if (isBeginning && local.length > first.length) first = local;
    }
  }
  return first;
}

/** Returns whether the symbol is a constructor. A supertype's constructor is not a member of its name. */
export function isConstructor(
  ref: Pick<SymbolRef, "facts"> & { readonly file?: Pick<ScopedFile, "language"> },
): boolean {
  if (ref.file?.language === "swift")
    return ref.facts.kind === "method" && ref.facts.name === "init";
  const owner = ownerName(ref);
  return ref.facts.kind === "method" && owner.slice(owner.lastIndexOf(".") + 1) === ref.facts.name;
}

/** Returns whether the name is a module that the file imports, such as `mod name;` in Rust. */
export function isImported(file: ScopedFile, own: readonly SymbolRef[], name: string): boolean {
  if (own.length === 0 || own.some(({ facts }) => facts.kind !== "module")) return false;
  return file.imports.some(({ bindings }) => bindings.some(({ local }) => local === name));
}

/** Returns whether the file of a member defines a type of that name. */
export function hasType({ file }: SymbolRef, name: string): boolean {
  return symbolsIn(file, name).some(isType);
}

/**
 * Guesses the target of `export default`, which the index does not have: the only exported symbol, or the one
 * with the name of the file.
 */
export function defaultExport(file: ScopedFile): Entity | undefined {
  const exported = file.symbols.flatMap((facts, number) =>
    facts.access === "exported" && facts.name === facts.qualifiedName
      ? [{ file, number, facts }]
      : [],
  );
  const stem = file.path
    .slice(file.path.lastIndexOf("/") + 1)
    .replace(/\..*$/, "")
    .toLowerCase();
  const named = exported.filter(({ facts }) => facts.name.toLowerCase() === stem);
  const names = new Set(exported.map(({ facts }) => facts.name));
  return symbolsEntity(names.size === 1 ? exported : named);
}
