// Which local tables and variables of Lua other files see: classes that comments name, and what a file returns.

import { isType, symbolsEntity, type Entity, type SymbolRef } from "./entity.ts";
import type { ResolutionContext } from "./resolution-context.ts";

/** Returns the only class with a name; undefined if there are none or several. */
export async function luaClass(
  { symbols }: Pick<ResolutionContext, "symbols">,
  path: string,
): Promise<Entity | undefined> {
  const all = await symbols.definitions(path.slice(path.lastIndexOf(".") + 1));
  const classes = all.filter((ref) => ref.file.language === "lua" && isType(ref));
  return classes.length === 1 ? symbolsEntity(classes) : undefined;
}

/** Returns whether all that was found of a name in a file are local variables of Lua, which the file does not return. */
export function isHiddenInLua(found: Entity, path: string, name: string): boolean {
  return found.kind === "symbols" && found.symbols.every((ref) => isHidden(ref, path, name));
}

function isHidden({ file, facts }: SymbolRef, path: string, name: string): boolean {
  const isLocal = file.language === "lua" && file.path === path && facts.access === "private";
  if (!isLocal || facts.qualifiedName !== name) return false;
  return !file.imports.some(
    ({ module, bindings }) => module === "" && bindings.some((one) => one.local === name),
  );
}
