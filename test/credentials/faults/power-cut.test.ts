// The disk after a power cut at any moment, rebuilt from the calls of a process that changed credentials.
import { join } from "node:path";

import { expect, test } from "vitest";

import { openOrCreateStore } from "../../../src/credentials/open-store.ts";
import { createToken } from "../../../src/credentials/tokens.ts";
import { codeOf } from "../home.ts";
import { acknowledged, problemsOf } from "./acknowledged.ts";
import { DiskModel, type Operation, plantDisk } from "./disk-model.ts";
import { memoryHome, start } from "./programs.ts";
import { bytesOf, CAN_TRACE, pathOf, readTrace, type SystemCall, traced } from "./system-calls.ts";

const STATES = 400;
/** Of a disk that keeps nothing it was asked to sync: shows that the model finds losses. */
const UNSYNCED_STATES = 50;
const CHANGES = 12;

type Step = Operation | { readonly kind: "told"; readonly text: string };

/** What each call that succeeded did. */
const STEPS: Readonly<Record<string, (call: SystemCall, path: string) => Step | undefined>> = {
  openat({ args }) {
    const [, path, flags] = args;
    return flags?.includes("O_CREAT")
      ? { kind: "create", path: bytesOf(path).toString() }
      : undefined;
  },
  write({ args }, path) {
    const bytes = bytesOf(args[1]);
    const isTold = args[0]?.startsWith("1<");
    return isTold ? { kind: "told", text: bytes.toString() } : { kind: "write", path, bytes };
  },
  pwrite64: ({ args }, path) => ({
    kind: "write",
    path,
    offset: Number(args[3]),
    bytes: bytesOf(args[1]),
  }),
  ftruncate: ({ args }, path) => ({ kind: "truncate", path, size: Number(args[1]) }),
  fsync: (_, path) => ({ kind: "sync", path }),
  fdatasync: (_, path) => ({ kind: "sync", path }),
  unlink: (_, path) => ({ kind: "remove", path }),
  rename: ({ args }, path) => ({ kind: "rename", path, to: bytesOf(args[1]).toString() }),
  link: ({ args }, path) => ({ kind: "link", path, to: bytesOf(args[1]).toString() }),
  // Directories are there before, and modes outlive nothing that matters here.
  mkdir: () => undefined,
  fchmod: () => undefined,
};

function stepOf(call: SystemCall): Step | undefined {
  const [first] = call.args;
  const read = STEPS[call.name];
  if (read === undefined) throw new Error(`The model of the disk does not know ${call.name}.`);
  return call.result < 0 ? undefined : read(call, pathOf(first) ?? bytesOf(first).toString());
}

/** The steps of a process that makes changes and then ends, or is cut off from power at any of them. */
async function steps(root: string): Promise<readonly Step[]> {
  const trace = join(memoryHome().root, "trace");
  const args = [root, String(CHANGES), "save"];
  const wrapper = traced(trace, { opens: true });
  const { end, errors } = await start("change-credentials.ts", args, wrapper).ended;
  expect([end, errors]).toEqual([0, ""]);
  const known = new Set<string>();
  const found: Step[] = [];
  for (const call of readTrace(trace)) {
    const step = stepOf(call);
    if (step === undefined) continue;
    if (step.kind !== "told") {
      // Shared memory is never read back after a restart.
      if (!step.path.startsWith(root) || step.path.endsWith("-shm")) continue;
      // Opening may create, and did so if the file was not there.
      if (step.kind === "create" && known.has(step.path)) continue;
      if (step.kind === "create") known.add(step.path);
      if (step.kind === "remove" || step.kind === "rename") known.delete(step.path);
      if (step.kind === "link" || step.kind === "rename") known.add(step.to);
    }
    found.push(step);
  }
  return found;
}

/** Cuts the power at moments by chance; what is wrong with each state of the disk that this leaves. */
async function powerCuts(
  home: ReturnType<typeof memoryHome>,
  all: readonly Step[],
  count: number,
): Promise<readonly (readonly string[])[]> {
  const states: (readonly string[])[] = [];
  for (let state = 0; state < count; state += 1) {
    const disk = new DiskModel();
    let told = "";
    const at = Math.floor(Math.random() * (all.length + 1));
    for (const step of all.slice(0, at)) {
      if (step.kind === "told") told += step.text;
      else disk.apply(step);
    }
    plantDisk(home.root, ["store", "keys"], disk.afterPowerCut(Math.random));
    /* oxlint-disable no-await-in-loop -- one state after another in one place */
    const problems = [...(await problemsOf(home, [acknowledged(told)], 1))];
    const code = await codeOf(async () => {
      const store = await openOrCreateStore(home);
      createToken(store, { name: "after" });
      store.close();
    });
    if (code !== "ok") problems.push(`it cannot be used any more: ${code}`);
    /* oxlint-enable no-await-in-loop */
    states.push(problems);
  }
  return states;
}

test.each(CAN_TRACE ? [STATES] : [])(
  "%i power cuts lose nothing a process was told is done",
  async (states) => {
    const home = memoryHome();
    const all = await steps(home.root);
    expect((await powerCuts(home, all, states)).flat()).toEqual([]);
    const unsynced = all.filter(({ kind }) => kind !== "sync");
    const lost = (await powerCuts(home, unsynced, UNSYNCED_STATES)).filter(
      ({ length }) => length > 0,
    );
    expect(lost.length).toBeGreaterThan(UNSYNCED_STATES / 4);
  },
  60_000,
);
test("the model of a disk keeps what was synced and any sectors of the rest", () => {
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
  // Once the directory keeps its entry and one sector survives, once nothing does.
  const chances = [0.5, 0, 0.4, 0.6];
  const half = disk.afterPowerCut(() => chances.shift() ?? 0);
  expect(half.get(path)?.toString()).toBe("n".repeat(512) + "o".repeat(512));
  disk.apply({ kind: "sync", path: "/disk" });
  expect(disk.afterPowerCut(() => 0.5)).toEqual(new Map());
});
