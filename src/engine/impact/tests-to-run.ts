// Selects the tests to run after a change: changed tests, tests that reach the change, and tests named after it.

import type { Affected } from "../../graph/impact.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { ImpactTest } from "../api/impact.ts";
import { isTestName, testsNamedAfter } from "../related/find-related-names.ts";
import type { ChangedTargetFile } from "./impact-target.ts";

/** Scores of a test named after the file: in the mirrored folder, and elsewhere. */
const NAMED_SCORE = { near: 0.9, far: 0.2 } as const;
/** Score of a test that imports the file. */
const IMPORT_SCORE = 0.4;
/** Factor of a test helper, which is not a test itself. */
const HELPER_FACTOR = 0.5;
/** Maximum reasons per test. */
const MAX_REASONS = 3;

interface TestSelectionContext {
  readonly reader: Pick<IndexReader, "fileTree">;
  readonly graph: Pick<ReferenceGraph, "importersOf">;
  readonly roles: (path: string) => Promise<string>;
}

/** The tests, best first. `reached`: affected places in tests. */
export async function testsToRun(
  { reader, graph, roles }: TestSelectionContext,
  changedFiles: readonly ChangedTargetFile[],
  reached: readonly Affected[],
): Promise<readonly ImpactTest[]> {
  const found = new Map<string, { why: Set<string>; missing: number }>();
  const add = (path: string, why: string, score: number): void => {
    const known = found.get(path) ?? { why: new Set(), missing: 1 };
    known.why.add(why);
    known.missing *= 1 - score;
    found.set(path, known);
  };
  const tree = await reader.fileTree();
  for (const { path, status, symbols } of changedFiles) {
    // oxlint-disable-next-line no-await-in-loop -- cached by file
    if ((await roles(path)) === "tests") {
      if (status !== "deleted") add(path, status === "named" ? "is one" : `is ${status}`, 1);
      continue;
    }
    for (const { path: test, proximity } of testsNamedAfter(tree, path)) {
      const score = NAMED_SCORE.far + (NAMED_SCORE.near - NAMED_SCORE.far) * proximity;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if ((await roles(test)) === "tests") add(test, `named after ${path}`, score);
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const { path: test, isOfPackage } of await graph.importersOf(path)) {
      // Who imports a package need not use this file of it.
      if (isOfPackage === true && symbols.length > 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if ((await roles(test)) === "tests") add(test, `imports ${path}`, IMPORT_SCORE);
    }
  }
  for (const { path, via, depth, score, role } of reached) {
    if (role === "import") continue;
    add(path, depth === 1 ? `uses ${via}` : `reaches it through ${via}`, Math.min(0.99, score));
  }
  return [...found]
    .map(([path, { why, missing }]) => ({
      path,
      why: [...why].slice(0, MAX_REASONS),
      score: (1 - missing) * (isTestName(path) ? 1 : HELPER_FACTOR),
    }))
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
}
