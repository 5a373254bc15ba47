import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { runProgram, type ProgramResult } from "../../src/base/run-program.ts";
import { tree } from "../helpers/tree.ts";

const NEVER = new AbortController().signal;

interface Given {
  readonly signal?: AbortSignal;
  readonly idleTimeoutMs?: number;
  readonly onLine?: (line: string) => void;
}

function shell(
  script: string,
  { signal = NEVER, idleTimeoutMs = 60_000, onLine = () => {} }: Given = {},
): Promise<ProgramResult> {
  const environment = { PATH: process.env["PATH"] };
  return runProgram("sh", ["-c", script], {
    directory: "/",
    environment,
    signal,
    idleTimeoutMs,
    onLine,
  });
}

test("the lines of standard error are reported as they come, overwritten ones too", async () => {
  const lines: string[] = [];
  const script = String.raw`printf '1%%\r2%%\r3%%\n\nlast without end' >&2; printf out; exit 0`;
  expect(await shell(script, { onLine: (line) => void lines.push(line) })).toEqual({
    outcome: "done",
    lines: ["1%", "2%", "3%", "last without end"],
  });
  expect(lines).toEqual(["1%", "2%", "3%", "last without end"]);
});

test("the last forty lines are kept, each cut to 2,000 characters", async () => {
  const script =
    "i=0; while [ $i -lt 60 ]; do echo line$i >&2; i=$((i+1)); done; printf '%05000d' 7 >&2; exit 3";
  const { outcome, lines } = await shell(script);
  expect([outcome, lines.length, lines[0]]).toEqual(["failed", 40, "line21"]);
  expect(lines.at(-1)).toBe("0".repeat(2000));
});

test("a program that does not exist is absent", async () => {
  const options = {
    directory: "/",
    environment: {},
    signal: NEVER,
    idleTimeoutMs: 1000,
    onLine() {},
  };
  expect(await runProgram("/no/such/program", [], options)).toEqual({
    outcome: "absent",
    lines: [],
  });
});

test("it gets the given environment and nothing of this process, and no input", async () => {
  process.env["SVC_TEST_SECRET"] = "secret";
  onTestFinished(() => void delete process.env["SVC_TEST_SECRET"]);
  const { lines } = await shell('read line || echo "end $SVC_TEST_SECRET" >&2');
  expect(lines).toEqual(["end "]);
});

test("a program without output is killed at its limit", async () => {
  expect(await shell("sleep 600", { idleTimeoutMs: 50 })).toEqual({ outcome: "late", lines: [] });
});

test("cancelling kills the program and its children", async () => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const controller = new AbortController();
  const script = `sleep 600 & echo $! >&2; wait; touch ${path}/survived`;
  let child = 0;
  const { outcome } = await shell(script, {
    signal: controller.signal,
    onLine(line) {
      child = Number(line);
      controller.abort();
    },
  });
  expect(outcome).toBe("cancelled");
  await expect.poll(() => isRunning(child)).toBe(false);
  expect(existsSync(`${path}/survived`)).toBe(false);
  expect(await shell("exit 0", { signal: controller.signal })).toEqual({
    outcome: "cancelled",
    lines: [],
  });
});

/** False also for a process that has ended and whose parent has not asked how. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z]/.test(stdout.trim());
}
