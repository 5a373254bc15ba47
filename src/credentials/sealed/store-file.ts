import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns the path of the credential store's database in its directory. */
export function storeFile(directory: string): string {
  return join(directory, "credentials.db");
}

/** Returns true when a store was created there. Does not open it: cheap enough for `initialize`. */
export function storeExists(directory: string): boolean {
  return existsSync(storeFile(directory));
}
