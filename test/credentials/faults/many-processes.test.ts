// Many processes change one store at the same time, and half of them are killed meanwhile.
import { expect } from "vitest";

import { acknowledged, type Acknowledged, problemsOf } from "./acknowledged.ts";
import { auditedHome, logDamage, openAudited } from "./audited.ts";
import { memoryHome, start } from "./programs.ts";
import type { Random } from "../../../bench/quality/random.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { promise, sized } from "../../trust/promise.ts";

const PROCESSES = 20;
const CHANGES = sized({ quick: 60, full: 150 });
/** The time of one change while all processes run; the kill falls anywhere in it. */
const CHANGE_MS = 100;

/** Runs one process; with `kill` it is killed at a random moment in one of its changes. */
async function run(
  root: string,
  kill: Random | undefined,
): Promise<Acknowledged & { isKilled: boolean }> {
  const { child, ended } = start("change-credentials.ts", [root, String(CHANGES)]);
  let left = kill === undefined ? Infinity : 1 + Math.floor(kill() * (CHANGES - 2));
  child.stdout.on("data", (text: string) => {
    if (left <= 0) return;
    left -= text.match(/^(?:created|revoked)/gm)?.length ?? 0;
    if (kill !== undefined && left <= 0)
      setTimeout(() => child.kill("SIGKILL"), kill() * CHANGE_MS);
  });
  const { output, errors, end } = await ended;
  expect(errors).toBe("");
  return { ...acknowledged(output), isKilled: end === "SIGKILL" };
}

promise(
  [34],
  `${PROCESSES} processes with ${CHANGES} changes each, half of them killed, lose nothing and undo nothing`,
  async () => {
    const home = memoryHome();
    const random = reportedRandom("kills");
    const runs = await Promise.all(
      Array.from({ length: PROCESSES }, (_, at) =>
        run(home.root, at % 2 === 1 ? random : undefined),
      ),
    );
    const killed = runs.filter(({ isKilled }) => isKilled).length;
    // A process that is at its last change when its turn comes exits normally.
    expect(killed).toBeGreaterThanOrEqual(PROCESSES / 2 - 2);
    for (const { created, revoked } of runs.filter(({ isKilled }) => !isKilled)) {
      expect(created.length + revoked.size).toBe(CHANGES);
    }
    expect(await problemsOf(auditedHome(home.root), runs, killed)).toEqual([]);
    const { store, close } = await openAudited(home.root);
    expect(logDamage(home.root, store)).toBeUndefined();
    await close();
    return PROCESSES * CHANGES;
  },
  240_000,
);
