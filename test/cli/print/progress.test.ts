import { expect, onTestFinished, test, vi } from "vitest";

import { createMemoryIo } from "../../../src/cli/io.ts";
import { createProgress, createRunProgress } from "../../../src/cli/print/progress.ts";

const ERASE = "\r\u001b[2K";

interface Step {
  readonly phase?: string;
  readonly done: number;
  readonly total?: number;
}

/** The output of these steps, a second apart, on standard error. */
function call(steps: readonly Step[], options: { errIsTerminal?: boolean; columns?: number } = {}) {
  const io = createMemoryIo({ errIsTerminal: true, ...options });
  let now = 0;
  const progress = createProgress(io, () => (now += 1000));
  for (const step of steps) progress.update({ phase: "Indexing", ...step });
  progress.end();
  expect(io.stdout()).toBe("");
  return io.stderr();
}

test("a bar shows the share and the counts, and is gone at the end", () => {
  expect(call([{ done: 1200, total: 2400 }])).toBe(
    `${ERASE}${"█".repeat(10)}${"░".repeat(10)} Indexing 50% 1,200/2,400${ERASE}`,
  );
});

test("without a total there is only a count", () => {
  expect(call([{ done: 7 }])).toBe(`${ERASE}Indexing 7${ERASE}`);
});

test("a log has a line every five seconds, and none for short work", () => {
  const steps = Array.from({ length: 12 }, (_, at) => ({
    done: at * 10,
    total: 200,
  }));
  expect(call(steps.slice(0, 4), { errIsTerminal: false })).toBe("");
  expect(call(steps, { errIsTerminal: false })).toBe(
    "Indexing 20% 40/200  10/s, 16 s left\nIndexing 45% 90/200  10/s, 11 s left\n",
  );
});

test("the line never fills the terminal", () => {
  const shown = call([{ phase: "x".repeat(200), done: 1, total: 2 }], { columns: 50 });
  expect(shown.replaceAll(ERASE, "").length).toBe(49);
});

test("steps that follow too fast are not drawn", () => {
  const io = createMemoryIo({ errIsTerminal: true });
  let now = 5;
  const progress = createProgress(io, () => now);
  now += 1000;
  for (let done = 0; done < 100; done++) progress.update({ phase: "Indexing", done });
  expect(io.stderr()).toBe(`${ERASE}Indexing 0`);
});

test("work that is done immediately does not flicker", () => {
  const io = createMemoryIo({ errIsTerminal: true });
  let now = 0;
  const progress = createProgress(io, () => (now += 80));
  progress.update({ phase: "Indexing", done: 1, total: 2 });
  progress.update({ phase: "Indexing", done: 2, total: 2 });
  progress.end();
  expect(io.stderr()).toBe("");
});

test("work that ends before its first step prints nothing", () => {
  expect(call([])).toBe("");
});

test("longer work shows its pace and the remaining time, separately for each stage", () => {
  const shown = call([
    { done: 0, total: 100, phase: "words" },
    { done: 10, total: 100, phase: "words" },
    { done: 20, total: 100, phase: "words" },
    { done: 0, total: 50, phase: "syntax" },
  ]).split(ERASE);
  expect(shown.at(2)).toMatch(/words 10% 10\/100$/);
  expect(shown.at(3)).toMatch(/words 20% 20\/100 {2}10\/s, 8 s left$/);
  expect(shown.at(4)).toMatch(/syntax 0% 0\/50$/);
});

test("a run shows its phases in words, and each new phase at once", () => {
  const io = createMemoryIo({ errIsTerminal: true });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const progress = createRunProgress(io);
  vi.advanceTimersByTime(1000);
  progress.update({ stage: "list", done: 30, total: 30 });
  progress.update({ stage: "words", done: 0, total: 30 });
  progress.update({ stage: "words", done: 15, total: 30 });
  progress.update({ stage: "words", done: 30, total: 30 });
  progress.end();
  expect(io.stderr().split(ERASE)).toEqual([
    "",
    `${"█".repeat(20)} Listing files 100% 30/30`,
    `${"░".repeat(20)} Reading files 0% 0/30`,
    "Writing the index",
    "",
  ]);
});
