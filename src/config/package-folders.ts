// Where the package managers of the user keep packages.
import { join } from "node:path";

import type { Environment } from "./paths.ts";

export const PACKAGE_VARIABLES = ["VIRTUAL_ENV", "GOMODCACHE", "GOPATH", "CARGO_HOME"];

export interface PackageFolders {
  /** The active virtual environment of Python; undefined if there is none. */
  readonly virtualEnvironment: string | undefined;
  /** The module cache of Go. */
  readonly goModules: string;
  /** The sources that Cargo has unpacked, in a folder for each registry. */
  readonly cargoSources: string;
}

/** Returns the folders that the tools themselves would use. */
export function packageFoldersIn(env: Environment, home: string): PackageFolders {
  const value = (name: string): string | undefined => {
    const text = env[name]?.trim() ?? "";
    return text === "" ? undefined : text;
  };
  // The first of several is the one that Go downloads to.
  const goPath = value("GOPATH")?.split(process.platform === "win32" ? ";" : ":")[0];
  return {
    virtualEnvironment: value("VIRTUAL_ENV"),
    goModules: value("GOMODCACHE") ?? join(goPath ?? join(home, "go"), "pkg", "mod"),
    cargoSources: join(value("CARGO_HOME") ?? join(home, ".cargo"), "registry", "src"),
  };
}
