import type { GraphReader } from "../graph-ports.ts";

/** Reads the same index, with a prefix before all paths. Paths without it have no files. */
export function prefixedReader(reader: GraphReader, prefix: string): GraphReader {
  const own = (path: string): string | undefined =>
    path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  const placed = <Item extends { readonly path: string }>(item: Item): Item => ({
    ...item,
    path: prefix + item.path,
  });
  const at = async <T>(
    path: string,
    read: (path: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const inside = own(path);
    return inside === undefined ? undefined : read(inside);
  };
  const locate = <Item extends { readonly path: string }>(item: Item | undefined) =>
    item && placed(item);
  return {
    definitionsOf: (name) => reader.definitionsOf(name),
    factsOf: async (path) => locate(await at(path, reader.factsOf)),
    importersOf: async (part) => (await reader.importersOf(part)).map((path) => prefix + path),
    importsOf: async (path) => locate(await at(path, reader.importsOf)),
    includesOf: async (path) => locate(await at(path, reader.includesOf)),
    inheritsOf: async (path) => (await at(path, reader.inheritsOf)) ?? [],
    referencesOf: (path) => reader.referencesOf(own(path) ?? path),
    scopeOf: async (path) => locate(await at(path, reader.scopeOf)),
    symbolsNamed: async (name, limit) => (await reader.symbolsNamed(name, limit)).map(placed),
    usesOf: async (name) => (await reader.usesOf(name)).map(placed),
  };
}
