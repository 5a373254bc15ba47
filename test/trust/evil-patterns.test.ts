// Patterns and globs of callers take time that is linear in the text, or are refused.
import { expect, onTestFinished } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { compileSteps } from "../../src/engine/text-search/text-pattern.ts";
import { pathMatcher } from "../../src/engine/files/file-filter.ts";
import { tools } from "../../src/tools/registry.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { modernParams, openSession } from "../helpers/rpc.ts";
import { evilGlobs, evilPatterns, evilTexts, IRREGULAR } from "./evil-patterns.ts";
import { seeded } from "./isolation/random.ts";
import { promise, sized } from "./promise.ts";

const SEED = "patterns 1";
/**
 * Characters of the smallest text; the largest has four times as many. A search of a shorter text would end before V8
 * notices that it backtracks too often.
 */
const LENGTH = 66_000;
/** A text of four times the length may take up to this factor more work; quadratic work takes 16 times. */
const MAX_GROWTH = 10;
/** Processor time; a step should take a twentieth of this. Without steps it takes ten seconds. */
const MAX_STEP_MS = 500;
/** A file of a megabyte takes seconds. */
const SLOW: readonly string[] = ["\\pL{1000}\\d", "(?:(?:\\pL?){30}){30}\\d", "(?:é?a){900}\\d"];
/** Shorter times count as this one: a clock measures more of the machine than of the work. */
const MIN_MS = 4;

promise([30], "a regular expression is refused, or its work grows no faster than the text", () => {
  const patterns = evilPatterns(seeded(SEED), sized({ quick: 40, full: 500 }));
  let refused = 0;
  for (const pattern of patterns) {
    const steps = stepsOf(pattern);
    if (steps === undefined) refused += 1;
    else for (const at of [0, 1, 2, 3]) requireLinear(pattern, steps, at);
  }
  expect(refused).toBeGreaterThanOrEqual(IRREGULAR.length);
  expect(refused).toBeLessThan(patterns.length * 0.6);
  return patterns.length;
});

type Steps = ReturnType<typeof compileSteps>["steps"];

/** Undefined for a pattern that svc refuses, as it must. */
function stepsOf(pattern: string): Steps | undefined {
  try {
    return compileSteps(pattern, { isRegex: true, caseSensitive: true, wholeWord: false }).steps;
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) throw thrown;
    expect({ pattern, code: thrown.code }).toEqual({ pattern, code: "INVALID_PATTERN" });
    expect(thrown.hint).not.toBe("");
    return undefined;
  }
}

function requireLinear(pattern: string, steps: Steps, at: number): void {
  const [once, fourTimes] = [1, 4].map((times) => evilTexts(LENGTH * times)[at] ?? "");
  // The minimum of several: other load on the machine only adds time.
  for (let look = 0; look < 4; look += 1) {
    const small = workOf(steps, once ?? "");
    const large = workOf(steps, fourTimes ?? "");
    if (large < Math.max(small, MIN_MS) * MAX_GROWTH) return;
  }
  throw new Error(`${pattern.slice(0, 200)} takes more than linear time on text ${at}`);
}

/** Milliseconds of the processor, only of this thread; lines that go to another thread count as done. */
function workOf(steps: Steps, text: string): number {
  const before = process.threadCpuUsage();
  const stepping = steps(text, false);
  for (let step = stepping.next(); step.done !== true;) step = stepping.next(false);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

promise([30], "no pattern delays others for longer than one step, for lines of any length", () => {
  const patterns = [SLOW, evilPatterns(seeded(SEED), sized({ quick: 30, full: 120 }))].flat();
  const texts = evilTexts(1_000_000);
  for (const pattern of patterns) {
    const steps = stepsOf(pattern);
    for (const [at, text] of steps === undefined ? [] : texts.entries()) {
      const longest = longestStep(steps, text);
      if (longest > MAX_STEP_MS)
        throw new Error(`${pattern.slice(0, 200)}: ${longest} ms on text ${at}`);
    }
  }
  return patterns.length;
});

/** The longest of the first steps, in milliseconds of the processor. */
function longestStep(steps: Steps | undefined, text: string): number {
  const stepping = steps?.(text, false);
  let longest = 0;
  for (let taken = 0, count = 0; taken < 200 && count < 200; count += 1) {
    const before = process.threadCpuUsage();
    const isDone = stepping?.next(false).done !== false;
    const { user, system } = process.threadCpuUsage(before);
    taken += (user + system) / 1000;
    longest = Math.max(longest, (user + system) / 1000);
    if (isDone) break;
  }
  return longest;
}

promise([30], "the work of a glob grows no faster than the paths it is matched against", () => {
  const random = seeded(SEED);
  const paths = [1, 4].map((times) => "a/".repeat(200 * times) + "a".repeat(200 * times));
  let cases = 0;
  for (let round = 0; round < sized({ quick: 3, full: 30 }); round += 1) {
    for (const glob of evilGlobs(random)) {
      cases += 1;
      const matches = compiled(glob);
      // A refused glob does no work.
      if (matches === undefined) continue;
      const [small = 0, large = 0] = paths.map((path) => {
        const before = process.threadCpuUsage();
        for (let time = 0; time < 5; time += 1) matches(path);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1000;
      });
      // Nested stars of two kinds: quadratic in a path, which is short.
      if (large > MIN_MS * 5)
        expect({ glob, growth: large / small }).toEqual({
          glob,
          growth: expect.toSatisfy((growth: number) => growth < 40),
        });
    }
  }
  return cases;
});

/** Undefined for a glob that is refused because nothing can match it. */
function compiled(glob: string): ReturnType<typeof pathMatcher> | undefined {
  try {
    return pathMatcher(glob);
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_PARAMS" });
    return undefined;
  }
}

/** A line of the maximum length of a file, and lines that V8 sees, with enough short ones not to count as minified code. */
async function hostile(): Promise<Project> {
  const short = "\n".repeat(20_000);
  const [line = "", lines = ""] = evilTexts(900_000);
  const project = createProject({
    "line.txt": `${short}${line}\n`,
    "lines.txt": `${short}${lines}`,
    "a.md": "# The aardvark\n\nIt digs.\n",
  });
  onTestFinished(project.dispose);
  await project.engine.index(request());
  return project;
}

promise(
  [30],
  "during a long pattern search, other calls are answered, and the caller can cancel the search",
  async () => {
    const project = await hostile();
    const { text } = await project.tool("search_text", { pattern: "aaaa", output: "files" });
    expect(text).toMatch(/line\.txt: 1\nlines\.txt: 901/);
    const engine = (): Promise<Project["engine"]> => Promise.resolve(project.engine);
    const [evil, other] = [openSession({ engine, tools }), openSession({ engine, tools })];
    for (const pattern of SLOW) {
      let hasEnded = false;
      const params = { name: "search_text", arguments: { pattern, regex: true } };
      const search = evil
        .exchange({ jsonrpc: "2.0", id: pattern, method: "tools/call", params })
        .then(() => (hasEnded = true));
      for (let call = 0; call < 5; call += 1) {
        // eslint-disable-next-line no-await-in-loop -- one call after the other
        const { error } = await other.request(
          "tools/call",
          modernParams({ name: "search_context", arguments: { query: "aardvark" } }),
        );
        expect(error).toBeUndefined();
        // eslint-disable-next-line no-await-in-loop -- as above
        await other.request("ping");
      }
      expect({ pattern, hasEnded }).toEqual({ pattern, hasEnded: false });
      // eslint-disable-next-line no-await-in-loop -- as above
      await evil.exchange({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: pattern },
      });
      // eslint-disable-next-line no-await-in-loop -- as above
      await search;
    }
    return SLOW.length;
  },
);

promise(
  [30],
  "every tool with a pattern or a glob answers hostile ones, or reports what is wrong",
  async () => {
    const project = createProject({
      "src/a.ts": `export const a = "${"a".repeat(2000)}";\n`,
      "é.md": "# aaaa\n",
    });
    onTestFinished(project.dispose);
    await project.engine.index(request());
    const random = seeded(SEED);
    const patterns = evilPatterns(random, sized({ quick: 40, full: 500 }));
    let cases = 0;
    for (const [at, pattern] of patterns.entries()) {
      const [glob = "**"] = evilGlobs(random).slice(at % 12);
      const calls: readonly (readonly [string, object])[] = [
        [
          "search_text",
          { pattern, regex: true, case_sensitive: at % 2 === 0, whole_word: at % 3 === 0 },
        ],
        ["search_text", { pattern: "a", path: glob }],
        ["find_symbol", { name: pattern.slice(0, 1000), path: glob }],
        ["search_context", { query: `abc ${pattern}`.slice(0, 9000), path: glob }],
        ...(at % 20 === 0
          ? ([
              ["set_monitor", { action: "create", pattern: pattern.slice(0, 1000) }],
              ["list_changes", { since: "0", path: glob }],
            ] as const)
          : []),
      ];
      for (const [tool, input] of calls) {
        // eslint-disable-next-line no-await-in-loop -- one call after the other
        const problem = await project.tool(tool, input).then(
          () => "",
          (thrown: unknown) => thrown,
        );
        const isTold =
          problem === "" ||
          (problem instanceof SvcError && /^INVALID_|_NOT_FOUND$/.test(problem.code));
        if (!isTold)
          throw new Error(`${tool} ${JSON.stringify(input).slice(0, 300)}`, { cause: problem });
        cases += 1;
      }
    }
    return cases;
  },
);
