// Classes of Lua that comments name: they are visible everywhere, although their tables mostly are local.

import { isType, symbolsEntity, type Entity } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Returns the only class with a name; undefined if there are none or several. */
export async function luaClass(
  { context }: NameResolver,
  path: string,
): Promise<Entity | undefined> {
  const all = await context.symbols.definitions(path.slice(path.lastIndexOf(".") + 1));
  const classes = all.filter((ref) => ref.file.language === "lua" && isType(ref));
  return classes.length === 1 ? symbolsEntity(classes) : undefined;
}
