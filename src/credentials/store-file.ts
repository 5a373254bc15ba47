import { existsSync } from "node:fs";
import { join } from "node:path";

/** The database of the credential store in its directory. */
export function storeFile(directory: string): string {
  return join(directory, "credentials.db");
}

/** Whether a store was ever made there, without opening it: cheap enough for `initialize`. */
export function storeExists(directory: string): boolean {
  return existsSync(storeFile(directory));
}
