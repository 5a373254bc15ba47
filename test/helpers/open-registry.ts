import { Registry } from "../../src/sources/registry/registry.ts";
import { SqliteRegistry } from "../../src/sources/registry/sqlite/sqlite-registry.ts";

/** The registry of a data directory. */
export function openRegistry(
  dataDirectory: string,
  access?: ConstructorParameters<typeof SqliteRegistry>[1],
): Registry {
  return new Registry(new SqliteRegistry(dataDirectory, access));
}
