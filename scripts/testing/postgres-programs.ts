import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Debian keeps the programs of the server off the PATH, in a folder for each version. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** Returns the folder with the programs of the PostgreSQL server; undefined if it is not installed. */
export function postgresPrograms(): string | undefined {
  if (process.env["SVC_TESTS_WITHOUT_PROGRAMS"] !== undefined) return undefined;
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => path.join(DEBIAN_FOLDER, version, "bin"));
  const onPath = (process.env["PATH"] ?? "").split(path.delimiter);
  return [...folders, ...onPath].find((folder) => existsSync(path.join(folder, "initdb")));
}
