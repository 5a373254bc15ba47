import { expect, test } from "vitest";

import { parseOptions } from "../../../bench/quality/options.ts";

test("flags go before the environment", () => {
  const environment = {
    SVC_BENCH_QUESTIONS: "/q",
    SVC_BENCH_MIRRORS: "/m",
    SVC_BIN: "/bin/svc",
  };
  const options = parseOptions(["--mirrors", "/n", "--suite", "a,b", "--jobs", "1"], environment);
  expect(options).toMatchObject({ mode: "quality", svc: "/bin/svc", jobs: 1 });
  expect(options.questions.at(-1)).toBe("/q");
  expect(options.store).toMatchObject({ mirrors: "/n", remote: undefined });
  expect(options.selection.suites).toEqual(["a", "b"]);
});

test("what may not come from the network does not, unless it is asked for", () => {
  expect(parseOptions([], {})).toMatchObject({ jobs: 2, store: { remote: undefined } });
  expect(parseOptions(["--fetch"], {}).store.remote).toBe("https://github.com");
});

test.each([
  [["--robust", "--wrong"], "do not go together"],
  [["--compare", "a"], "two files"],
  [["semble"], 'What is "semble"?'],
  [["--jobs", "0"], "--jobs is a number from 1 on"],
  [["--per-corpus", "x"], "--per-corpus is a number"],
  [["--sweet"], "--sweet"],
])("%j is refused", (words, problem) => {
  expect(() => parseOptions(words, {})).toThrow(problem);
});
