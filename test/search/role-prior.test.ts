import { expect, test } from "vitest";

import { FileFlag, type FileFacts } from "../../src/index/types.ts";
import { rolePrior } from "../../src/search/role-prior.ts";
import { MIN_CODE_SHARE, PRIOR } from "../../src/search/weights.ts";
import { factsOf, file } from "./known-candidates.ts";

const PLAIN = "where is the token revoked";

/** A file, a query, and the factor; undefined means 1. */
const cases: readonly (readonly [
  string,
  Partial<FileFacts>,
  string,
  keyof typeof PRIOR | undefined,
])[] = [
  ["code", {}, PLAIN, undefined],
  ["tests", { role: "tests" }, PLAIN, "tests"],
  ["requested tests", { role: "tests" }, "test of the token", undefined],
  ["docs", { role: "docs" }, PLAIN, "docsAmongCode"],
  ["requested docs", { role: "docs" }, "guide to tokens", undefined],
  ["settings", { role: "config" }, PLAIN, "config"],
  ["requested settings", { role: "config" }, "config of the token", undefined],
  [
    "wanted settings",
    { path: "token.conf", role: "config", language: "ini" },
    "how to set a token",
    undefined,
  ],
  [
    "settings of a tool",
    { path: ".token.ini", role: "config", language: "ini" },
    "how to set a token",
    "config",
  ],
  ["an example", { flags: FileFlag.example }, PLAIN, "example"],
  ["a requested example", { flags: FileFlag.example }, "token demo", undefined],
  ["a copy", { flags: FileFlag.vendored }, PLAIN, "vendored"],
  ["a generated file", { flags: FileFlag.generated }, PLAIN, "generated"],
  ["declarations", { path: "token.d.ts" }, PLAIN, "declarations"],
  ["the named file", { path: "src/token.ts" }, "what is in token.ts", "pathNamed"],
  ["a file with a longer name", { path: "src/my-token.ts" }, "what is in token.ts", undefined],
];

test.each(cases)("%s", (_, facts, question, factor) => {
  const expected = factor === undefined ? 1 : PRIOR[factor];
  expect(rolePrior(file(facts).file, factsOf(question))).toBe(expected);
});

test("factors are multiplied", () => {
  const facts = { role: "tests", flags: FileFlag.vendored | FileFlag.generated } as const;
  expect(rolePrior(file(facts).file, factsOf(PLAIN))).toBeCloseTo(
    PRIOR.tests * PRIOR.vendored * PRIOR.generated,
    9,
  );
});

test("where most files are documentation it is not demoted", () => {
  const docs = file({ role: "docs" }).file;
  expect(rolePrior(docs, factsOf(PLAIN, { docsShare: 1 - MIN_CODE_SHARE }))).toBe(1);
  expect(rolePrior(docs, factsOf(PLAIN, { docsShare: 0.99 - MIN_CODE_SHARE }))).toBe(
    PRIOR.docsAmongCode,
  );
});

test("documentation is demoted less, the likelier someone wants to do something", () => {
  const docs = file({ role: "docs" }).file;
  const task = rolePrior(docs, factsOf("hide the token in all logs"));
  const change = rolePrior(docs, factsOf("fix revokeToken"));
  expect(task).toBeLessThan(1);
  expect(task).toBeGreaterThan(change);
  expect(change).toBeGreaterThan(PRIOR.docsAmongCode);
});
