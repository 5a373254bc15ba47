// The exports of a script by assignment: `module.exports = name`, `module.exports = { name() {} }`.
import {
  isCallable,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { canUse } from "./name-rules.ts";

/** The name of everything that a script exports, in its imports and exports. */
export const WHOLE_EXPORT = "module.exports";
/** The name of the symbol for a literal, a function or a class without a name that a script exports. */
const LITERAL = "exports";

/** Returns the number of the import that passes on the value of the script, or of a module of Lua; -1 if there is none. */
export function wholeExportOf({ language, imports }: ScopedFile): number {
  if (!canUse(language, "javascript") && language !== "lua") return -1;
  return imports.findIndex(
    ({ module, bindings }) => module === "" && bindings.some(({ local }) => local === WHOLE_EXPORT),
  );
}

/** Returns the definition in the literal that the script exports, or the function that it exports as a whole. */
export function ownScriptExport(file: ScopedFile, name: string): Entity | undefined {
  if (!canUse(file.language, "javascript")) return undefined;
  if (name !== WHOLE_EXPORT) return symbolsEntity(symbolsIn(file, `${LITERAL}.${name}`));
  return symbolsEntity(symbolsIn(file, LITERAL).filter(isCallable));
}

/**
 * Returns the members among the definitions that are named after a function: those of the object that it returns, but not
 * other definitions inside of it, which only have it in their names.
 */
export function membersOfFunction(
  { file, facts }: SymbolRef,
  named: readonly SymbolRef[],
): readonly SymbolRef[] {
  if (facts.kind !== "function" || !canUse(file.language, "javascript")) return named;
  return named.filter(
    ({ facts: { kind, access } }) => kind === "method" || kind === "field" || access !== "private",
  );
}

/**
 * Returns the module of a script itself, and the number of steps that name it: 0 for `exports`, 1 for `module.exports`. In Zig
 * a file is a structure.
 */
export function ownModule(
  file: ScopedFile,
  name: string,
  next: string | undefined,
): { readonly entity: Entity; readonly taken: number } | undefined {
  const entity: Entity = { kind: "module", files: [file.path], isPackage: false };
  if (file.language === "zig") return name === "struct" ? { entity, taken: 0 } : undefined;
  if (file.language !== "javascript") return undefined;
  const isOwn = name === "exports" || (name === "module" && next === "exports");
  return isOwn ? { entity, taken: name === "exports" ? 0 : 1 } : undefined;
}
