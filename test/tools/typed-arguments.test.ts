import * as v from "valibot";
import { expect, test } from "vitest";

import { flag, wholeNumber } from "../../src/tools/arguments.ts";
import { typedArguments } from "../../src/tools/typed-arguments.ts";
import { tokenProject } from "./token-project.ts";

const entries = {
  targets: v.pipe(v.array(v.string()), v.minLength(1)),
  limit: v.optional(wholeNumber(1, 50), 10),
  exact: flag,
  query: v.string(),
};

test.each([
  [{ targets: "src/a.ts" }, { targets: ["src/a.ts"] }],
  [{ targets: '["src/a.ts", "b"]' }, { targets: ["src/a.ts", "b"] }],
  // A route of a web framework, not a list.
  [{ targets: "[id]/page.ts" }, { targets: ["[id]/page.ts"] }],
  [{ targets: "[1]" }, { targets: ["[1]"] }],
  [
    { limit: "20", exact: "true" },
    { limit: 20, exact: true },
  ],
  [{ exact: "false" }, { exact: false }],
  [{ query: "20" }, { query: "20" }],
])("%j can only mean %j", (given, typed) => {
  expect(typedArguments(entries, given)).toEqual(typed);
});

test.each([
  [{ targets: "" }],
  [{ limit: "ten" }],
  [{ limit: "1e9" }],
  [{ exact: "yes" }],
  [{ unknown: "7" }],
  [{ toString: "7" }],
  [["a"]],
  ["text"],
  [null],
])("%j stays for the schema to refuse", (given) => {
  expect(typedArguments(entries, given)).toEqual(given);
});

const { call, refusal } = tokenProject();

test("one target as a text, and the other names of an argument", async () => {
  const { text } = await call("read_context", { targets: ["revokeToken"] });
  expect((await call("read_context", { targets: "revokeToken" })).text).toBe(text);
  expect((await call("read_context", { path: "revokeToken" })).text).toBe(text);
  const impact = await call("analyze_impact", { target: "revokeToken" });
  expect((await call("analyze_impact", { symbol: "revokeToken" })).text).toBe(impact.text);
  const related = await call("find_related", { target: "src/tokens.ts" });
  expect((await call("find_related", { path: "src/tokens.ts" })).text).toBe(related.text);
  expect(await refusal("search_context", { query: "revoke", limit: "500" })).toBe(
    "INVALID_PARAMS: limit: must be 1 to 50.",
  );
});
