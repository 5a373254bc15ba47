// Finds the tests marked by `promise` or `promised` of test/trust/promise.ts, without running them.
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export interface PromiseTest {
  /** Path from the root of the project, with `/`. */
  readonly file: string;
  readonly ids: readonly number[];
}

const CALL = /(?<![.\w])promised?\(\s*\[(?<ids>[\d\s,]+)\]/g;

export function promiseTests(root: string): readonly PromiseTest[] {
  return globSync("test/**/*.test.ts", { cwd: root })
    .map((file) => file.split(sep).join("/"))
    .toSorted()
    .flatMap((file) => promisesIn(file, readFileSync(join(root, file), "utf8")));
}

function promisesIn(file: string, text: string): readonly PromiseTest[] {
  if (!text.includes("trust/promise.ts") && !text.includes("/promise.ts")) return [];
  return Array.from(text.matchAll(CALL), ({ groups }) => {
    const ids = groups?.["ids"] ?? "";
    return {
      file,
      ids: ids
        .split(",")
        .map(Number)
        .filter((id) => id > 0),
    };
  });
}
