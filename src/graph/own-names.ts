// What a file itself tells of names: what it imports, defines and exports by default.

import {
  isType,
  ownerName,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";

/** The first part of a path; the beginning that an import binds as a whole, as `import a.b` of Python does. */
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

/** A supertype's constructor is nothing that has its name. */
export function isConstructor(ref: SymbolRef): boolean {
  const owner = ownerName(ref);
  return ref.facts.kind === "method" && owner.slice(owner.lastIndexOf(".") + 1) === ref.facts.name;
}

/** A module that is another file is known by the import of that. */
export function isImported(file: ScopedFile, own: readonly SymbolRef[], name: string): boolean {
  if (own.length === 0 || own.some(({ facts }) => facts.kind !== "module")) return false;
  return file.imports.some(({ bindings }) => bindings.some(({ local }) => local === name));
}

/** Whether the file of a member has a type of its own of that name. */
export function hasType({ file }: SymbolRef, name: string): boolean {
  return symbolsIn(file, name).some(isType);
}

/** What `export default` means is not in the index: an anonymous one, or the one thing that is exported. */
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
