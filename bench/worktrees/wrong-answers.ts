import { execFileSync } from "node:child_process";

import type { Engine } from "../../src/engine/api/engine.ts";
import type { Environment } from "../workspace.ts";
import { engineIn } from "./engine-in.ts";
import type { AskedTree, DoubtfulAnswer } from "./questions.ts";

interface FreshIndexes {
  readonly svc: string;
  readonly trees: readonly AskedTree[];
  /** Returns an environment in which only one tree is indexed; the same number gives the same environment. */
  readonly freshEnv: (tree: number) => Environment;
  /** A folder that is not a project. */
  readonly place: string;
}

/** The wrong answers that differ from those of a fresh index of each tree. */
export async function wrongAnswers(
  doubtful: readonly DoubtfulAnswer[],
  fresh: FreshIndexes,
): Promise<readonly string[]> {
  if (doubtful.length === 0) return [];
  const engines = openFresh(fresh);
  const wrong: string[] = [];
  for (const { namespace, problems, isSameIn } of doubtful) {
    const engine = engines[fresh.trees.findIndex((tree) => tree.namespace === namespace)];
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    if (engine !== undefined && !(await isSameIn(engine))) wrong.push(...problems);
  }
  await Promise.all(engines.map((one) => one.close()));
  return wrong;
}

/** Indexes each tree in a separate data folder, so that no existing index serves as a base. */
export function openFresh({ svc, trees, freshEnv, place }: FreshIndexes): readonly Engine[] {
  for (const [at, { namespace, folder }] of trees.entries())
    execFileSync(svc, ["index", folder, "--namespace", namespace], { env: freshEnv(at) });
  return trees.map((_, at) => engineIn(freshEnv(at), place));
}
