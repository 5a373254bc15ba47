// Two small projects with SCIP indexes from real indexers: scip-typescript 0.4.0 in the folder
// `shapes`, and scip-python 0.6.6 in `app`. To rebuild one, copy its folder to /srv, because the index contains its
// path:
// `scip-typescript index`, `scip-python index . --project-name app --project-version 1`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type FixtureName = "shapes" | "app";

export function scipOf(name: FixtureName): string {
  return join(import.meta.dirname, "fixtures", name, "index.scip");
}

/** The files of a project without its SCIP index, by path. */
export function filesOf(name: FixtureName): Readonly<Record<string, string>> {
  const folder = join(import.meta.dirname, "fixtures", name);
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".scip"))
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [file.slice(folder.length + 1), readFileSync(file, "utf8")];
      }),
  );
}
