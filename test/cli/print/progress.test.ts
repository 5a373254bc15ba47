import { expect, test } from "vitest";

import { createMemoryIo } from "../../../src/cli/io.ts";
import { createProgress } from "../../../src/cli/print/progress.ts";

const ERASE = "\r\u001b[2K";

interface Step {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** The output of these steps, a second apart, on standard error. */
function call(steps: readonly Step[], options: { errIsTerminal?: boolean; columns?: number } = {}) {
  const io = createMemoryIo({ errIsTerminal: true, ...options });
  let now = 0;
  const progress = createProgress(io, "Indexing", () => (now += 1000));
  for (const step of steps) progress.update(step);
  progress.end();
  expect(io.stdout()).toBe("");
  return io.stderr();
}

test("a bar shows the share and the counts, and is gone at the end", () => {
  expect(call([{ done: 1200, total: 2400, message: "src/a.ts" }])).toBe(
    `${ERASE}${"█".repeat(10)}${"░".repeat(10)} Indexing 50% 1,200/2,400  src/a.ts${ERASE}`,
  );
});

test("without a total there is only a count", () => {
  expect(call([{ done: 7 }])).toBe(`${ERASE}Indexing 7${ERASE}`);
});

test("a log has a line every five seconds, and none for short work", () => {
  const steps = Array.from({ length: 12 }, (_, at) => ({
    done: at * 10,
    total: 200,
    message: "words",
  }));
  expect(call(steps.slice(0, 4), { errIsTerminal: false })).toBe("");
  expect(call(steps, { errIsTerminal: false })).toBe(
    "Indexing 20% 40/200  10/s, 16 s left  words\nIndexing 45% 90/200  10/s, 11 s left  words\n",
  );
});

test("the line never fills the terminal", () => {
  const shown = call([{ done: 1, total: 2, message: "x".repeat(200) }], { columns: 50 });
  expect(shown.replaceAll(ERASE, "").length).toBe(49);
});

test("a file name cannot smuggle in escape sequences", () => {
  expect(call([{ done: 1, message: "a\u001b[2Jb\n" }])).toBe(`${ERASE}Indexing 1  ab ${ERASE}`);
});

test("steps that follow too fast are not drawn", () => {
  const io = createMemoryIo({ errIsTerminal: true });
  let now = 5;
  const progress = createProgress(io, "Indexing", () => now);
  now += 1000;
  for (let done = 0; done < 100; done++) progress.update({ done });
  expect(io.stderr()).toBe(`${ERASE}Indexing 0`);
});

test("work that is done immediately does not flicker", () => {
  const io = createMemoryIo({ errIsTerminal: true });
  let now = 0;
  const progress = createProgress(io, "Indexing", () => (now += 80));
  progress.update({ done: 1, total: 2 });
  progress.update({ done: 2, total: 2 });
  progress.end();
  expect(io.stderr()).toBe("");
});

test("work that ends before its first step prints nothing", () => {
  expect(call([])).toBe("");
});

test("longer work shows its pace and the remaining time, separately for each stage", () => {
  const shown = call([
    { done: 0, total: 100, message: "words" },
    { done: 10, total: 100, message: "words" },
    { done: 20, total: 100, message: "words" },
    { done: 0, total: 50, message: "syntax" },
  ]).split(ERASE);
  expect(shown.at(2)).toMatch(/10% 10\/100 {2}words$/);
  expect(shown.at(3)).toMatch(/20% 20\/100 {2}10\/s, 8 s left {2}words$/);
  expect(shown.at(4)).toMatch(/0% 0\/50 {2}syntax$/);
});
