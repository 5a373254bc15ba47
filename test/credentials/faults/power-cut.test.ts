// Rebuilds the disk after a power cut at any moment from the calls of a process that changed credentials.
import { join } from "node:path";

import { expect, test } from "vitest";

import { createToken } from "../../../src/credentials/access-tokens.ts";
import { codeOf } from "../home.ts";
import { acknowledged, problemsOf } from "./acknowledged.ts";
import { auditedHome, openAudited } from "./audited.ts";
import { DiskModel, plantDisk } from "./disk-model.ts";
import { diskSteps, type Step } from "./disk-steps.ts";
import { memoryHome, start } from "./programs.ts";
import { readTrace, traced } from "./system-calls.ts";
import { needs } from "../../helpers/needs.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";

const STATES = 400;
/** Number of states of a disk that ignores every sync; they show that the model finds losses. */
const UNSYNCED_STATES = 50;
const CHANGES = 12;

/** Returns the steps of a process that makes changes and then exits. */
async function steps(root: string): Promise<readonly Step[]> {
  const trace = join(memoryHome().root, "trace");
  const args = [root, String(CHANGES), "save"];
  const wrapper = traced(trace, { opens: true });
  const { end, errors } = await start("change-credentials.ts", args, wrapper).ended;
  expect([end, errors]).toEqual([0, ""]);
  return diskSteps(readTrace(trace), root);
}

/** Cuts the power at random moments; returns the problems of each state of the disk that results. */
async function powerCuts(
  home: ReturnType<typeof memoryHome>,
  all: readonly Step[],
  count: number,
): Promise<readonly (readonly string[])[]> {
  const states: (readonly string[])[] = [];
  const random = reportedRandom(`${all.length} steps`);
  for (let state = 0; state < count; state += 1) {
    const disk = new DiskModel();
    let printed = "";
    const at = Math.floor(random() * (all.length + 1));
    for (const step of all.slice(0, at)) {
      if (step.kind === "print") printed += step.text;
      else disk.apply(step);
    }
    plantDisk(home.root, ["store", "keys", "audit"], disk.afterPowerCut(random));
    /* oxlint-disable no-await-in-loop -- one state after another in one place */
    const problems = [...(await problemsOf(auditedHome(home.root), [acknowledged(printed)], 1))];
    const code = await codeOf(async () => {
      const { store, close } = await openAudited(home.root);
      await createToken(store, { name: "after" });
      await close();
    });
    if (code !== "ok") problems.push(`it cannot be used any more: ${code}`);
    /* oxlint-enable no-await-in-loop */
    states.push(problems);
  }
  return states;
}

needs(["strace"], () => {
  test("power cuts lose no acknowledged change", async () => {
    const home = memoryHome();
    const all = await steps(home.root);
    expect((await powerCuts(home, all, STATES)).flat()).toEqual([]);
    const unsynced = all.filter(({ kind }) => kind !== "sync");
    const lost = (await powerCuts(home, unsynced, UNSYNCED_STATES)).filter(
      ({ length }) => length > 0,
    );
    expect(lost.length).toBeGreaterThan(UNSYNCED_STATES / 4);
  }, 60_000);
});
test("the disk model keeps all synced data and any sectors of the rest", () => {
  const path = "/disk/file";
  const disk = new DiskModel();
  const bytes = Buffer.alloc(1024, "n");
  disk.apply({ kind: "create", path });
  disk.apply({ kind: "write", path, bytes: Buffer.alloc(1024, "o") });
  expect(disk.afterPowerCut(() => 0)).toEqual(new Map());
  disk.apply({ kind: "sync", path });
  disk.apply({ kind: "sync", path: "/disk" });
  disk.apply({ kind: "write", path, offset: 0, bytes });
  disk.apply({ kind: "remove", path });
  // First the directory keeps its entry and one sector survives, then nothing does.
  const chances = [0.5, 0, 0.4, 0.6];
  const half = disk.afterPowerCut(() => chances.shift() ?? 0);
  expect(half.get(path)?.toString()).toBe("n".repeat(512) + "o".repeat(512));
  disk.apply({ kind: "sync", path: "/disk" });
  expect(disk.afterPowerCut(() => 0.5)).toEqual(new Map());
});
