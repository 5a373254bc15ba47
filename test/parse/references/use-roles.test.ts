import { expect, test } from "vitest";

import { usesIn } from "./reference-lines.ts";

test("a parent node gives a role to the name of its part", async () => {
  expect(await usesIn("typescript", "new (a.b)();\nclass C extends d.E<F> {}\n")).toEqual([
    "1 value a",
    "1 call a.b",
    "2 value d in C",
    "2 inherit d.E in C",
    "2 type F in C",
  ]);
});

test("in types of Haskell, names in lower case are variables", async () => {
  const source = "run :: m a -> (a ~> Int)\nrun = go @a @Int\n";
  expect(await usesIn("haskell", source)).toEqual([
    "1 type ~> in run",
    "1 type Int in run",
    "2 call go in run",
    "2 type Int in run",
  ]);
});
