// Which local tables and variables of Lua other files see: classes that comments name, and what a file returns.

import { isType, symbolsEntity, type Entity, type SymbolRef } from "./entity.ts";
import type { ResolutionContext } from "./resolution-context.ts";

/** Returns the object that a class of Lua is: what it lacks, the table from which it has its members may have. */
export function luaObject(entity: Entity): Entity | undefined {
  const [type, ...others] = entity.kind === "symbols" ? entity.symbols : [];
  if (type === undefined || others.length > 0 || type.file.language !== "lua") return undefined;
  return type.facts.kind === "class" ? { kind: "instance", type, layers: 0 } : undefined;
}

/** Returns the table of the class that a name means, or of the only class with that name; undefined if there are none or several. */
export async function luaClass(
  { symbols }: Pick<ResolutionContext, "symbols">,
  path: string,
  found: Entity | undefined,
): Promise<Entity | undefined> {
  // The name of a class may have dots.
  const name = path.replaceAll(":", ".");
  const all = found?.kind === "symbols" ? found.symbols : await symbols.definitions(name);
  const [only, ...others] = all.filter((ref) => ref.file.language === "lua" && isType(ref));
  if (only === undefined || others.length > 0) return found;
  return symbolsEntity([tableOf(only) ?? only]);
}

/** Returns the table of a class that has another name in the comment before it. */
function tableOf({ file, facts }: SymbolRef): SymbolRef | undefined {
  const { kind, nameLine } = facts;
  const number = file.symbols.findIndex(
    (one) => one.kind === "class" && one.startLine <= nameLine && nameLine <= one.endLine,
  );
  const table = kind === "type" ? file.symbols[number] : undefined;
  return table && { file, number, facts: table };
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
