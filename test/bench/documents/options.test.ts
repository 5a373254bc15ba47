import { expect, test } from "vitest";

import { parseOptions, PARTS } from "../../../bench/documents/options.ts";

test("flags go before the environment", () => {
  const environment = { SVC_BENCH_DOCUMENTS: "/d", SVC_BIN: "/bin/svc" };
  expect(parseOptions([], environment)).toMatchObject({
    svc: "/bin/svc",
    documents: "/d",
    fetch: false,
    parts: PARTS,
    fuzz: undefined,
  });
  const options = parseOptions(
    ["--documents", "/e", "--part", "cost", "--group", "pdf,epub", "--fuzz", "5", "--from", "10"],
    environment,
  );
  expect(options).toMatchObject({ documents: "/e", parts: ["cost"], fuzz: 5, from: 10 });
  expect(options.groups).toEqual(["pdf", "epub"]);
});

test.each([
  [["--part", "size"], '--part is one of questions, outlines, cost, not "size"'],
  [["--group", "mp3"], "--group is one of pdf"],
  [["--fuzz", "many"], "--fuzz is a number"],
  [["--sweet"], "--sweet"],
  [["what"], "what"],
])("%j is refused", (words, problem) => {
  expect(() => parseOptions(words, {})).toThrow(problem);
});
