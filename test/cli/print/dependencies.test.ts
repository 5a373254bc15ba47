import { expect, test } from "vitest";

import { dependenciesRecord, dependenciesSummary } from "../../../src/cli/print/dependencies.ts";

const REPORT = {
  namespaces: ["npm-a-1.0.0", "npm-b-1.0.0"],
  added: 1,
  removed: 0,
  leftOut: [],
  isForgotten: false,
  elapsedMs: 1234,
};

test("a project without dependencies has no line and no part of the record", () => {
  expect(dependenciesSummary(undefined)).toEqual([]);
  expect(dependenciesRecord(undefined)).toEqual({});
});

test("the summary counts what is new, what was there and what is gone", () => {
  expect(dependenciesSummary(REPORT)).toEqual([
    "2 dependencies: 1 new, 1 indexed before, in 1.23 s.",
  ]);
  const one = { ...REPORT, namespaces: ["npm-a-1.0.0"], added: 1, removed: 1, elapsedMs: 12_000 };
  expect(dependenciesSummary(one)).toEqual(["1 dependency: 1 new, in 12 s. 1 index removed."]);
  expect(dependenciesSummary({ ...REPORT, isForgotten: true, removed: 2 })).toEqual([
    "Its dependencies are no longer indexed. 2 indexes removed.",
  ]);
});

test("what was left out has one line for each reason, with some names", () => {
  const names = Array.from({ length: 10 }, (_, at) => ({
    name: `p${at}`,
    reason: "not installed",
  }));
  const leftOut = [...names, { name: "big", reason: "more than 32 MB of text" }];
  expect(dependenciesSummary({ ...REPORT, leftOut }).slice(1)).toEqual([
    "10 left out (not installed): p0, p1, p2, p3, p4, p5, p6, p7 and 2 more.",
    "1 left out (more than 32 MB of text): big.",
  ]);
});
