// The problems with the inputs of `npm run gen`: with such an input, a page would lose parts or show wrong content.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Results } from "./reliability.ts";

/** If one of these were missing, the pages made from it would silently stay unchanged. */
const INPUTS = [
  "src/base/errors.ts",
  "src/config/setting-definitions.ts",
  "src/cli/commands.ts",
  "src/clients/definitions.ts",
  "src/tools/definitions.ts",
  "scripts/layers.ts",
  "scripts/supply-chain/components.ts",
  "test/trust/promises.ts",
  "docs/reliability.json",
  "docs/benchmarks.json",
  "package.json",
] as const;

/** One sentence for each problem of the inputs below `root`. */
export function inputProblems(root: string): readonly string[] {
  return INPUTS.flatMap((path) => {
    if (!existsSync(join(root, path))) return [`${path} is missing.`];
    if (!path.endsWith(".json")) return [];
    try {
      const value = JSON.parse(readFileSync(join(root, path), "utf8"));
      return path === "docs/reliability.json" ? goneTests(root, value) : [];
    } catch (error) {
      return [`${path}: ${String(error)}`];
    }
  });
}

/** Measured promises whose tests no longer exist because they were renamed or removed. */
function goneTests(root: string, results: Results): readonly string[] {
  const measured = Object.values(results).flatMap((run) => run?.promises ?? []);
  const gone = new Set(
    measured.map(({ file }) => file).filter((file) => !existsSync(join(root, file))),
  );
  return [...gone].map((file) => `docs/reliability.json: there is no ${file}.`);
}
