// Many processes change one store at the same time, and half of them are killed while they do.
import { expect } from "vitest";

import { acknowledged, type Acknowledged, problemsOf } from "./acknowledged.ts";
import { auditedHome, logDamage, openAudited } from "./audited.ts";
import { memoryHome, start } from "./programs.ts";
import { promise } from "../../trust/promise.ts";

const PROCESSES = 20;
const CHANGES = 150;
/** A change takes about as long with all of them at work; the kill falls anywhere in it. */
const CHANGE_MS = 100;

/** Runs one process; with `kill` it is killed at a moment by chance in one of its changes. */
async function run(root: string, kill: boolean): Promise<Acknowledged & { isKilled: boolean }> {
  const { child, ended } = start("change-credentials.ts", [root, String(CHANGES)]);
  let left = kill ? 1 + Math.floor(Math.random() * (CHANGES - 2)) : Infinity;
  child.stdout.on("data", (text: string) => {
    if (left <= 0) return;
    left -= text.match(/^(?:created|revoked)/gm)?.length ?? 0;
    if (left <= 0) setTimeout(() => child.kill("SIGKILL"), Math.random() * CHANGE_MS);
  });
  const { output, errors, end } = await ended;
  expect(errors).toBe("");
  return { ...acknowledged(output), isKilled: end === "SIGKILL" };
}

promise(
  [34],
  `${PROCESSES} processes of ${CHANGES} changes, half of them killed: no change is lost or undone`,
  async () => {
    const home = memoryHome();
    const told = await Promise.all(
      Array.from({ length: PROCESSES }, (_, at) => run(home.root, at % 2 === 1)),
    );
    const killed = told.filter(({ isKilled }) => isKilled).length;
    // One that is at its last change when its turn comes ends by itself.
    expect(killed).toBeGreaterThanOrEqual(PROCESSES / 2 - 2);
    for (const { created, revoked } of told.filter(({ isKilled }) => !isKilled)) {
      expect(created.length + revoked.size).toBe(CHANGES);
    }
    expect(await problemsOf(auditedHome(home.root), told, killed)).toEqual([]);
    const { store, close } = await openAudited(home.root);
    expect(logDamage(home.root, store)).toBeUndefined();
    close();
    return PROCESSES * CHANGES;
  },
  240_000,
);
