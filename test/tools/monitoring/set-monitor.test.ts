import { expect, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { plant } from "../../helpers/tree.ts";
import { changes, indexedProject, LONG_TIMEOUT, refusal, type Changes } from "./changed-project.ts";

function monitorsIn(answer: Changes): unknown {
  return answer.changes.map(({ hits }) => hits?.map(({ monitor }) => monitor));
}

test("monitors and their hits are visible only to their owner", LONG_TIMEOUT, async () => {
  const one = indexedProject();
  const { next_cursor: since } = await changes(one);
  const laptop = new Principal({ id: "tok_1", namespaces: "all", readOnly: false });
  await one.tool("set_monitor", { action: "create", name: "mine", path: "src/**" });
  await one.tool("set_monitor", { action: "create", name: "theirs", path: "src/a.ts" }, laptop);
  plant(one.root, { "src/a.ts": "export const a = 2;\n" });
  expect(monitorsIn(await changes(one, { since }))).toEqual([["mine"]]);
  expect(monitorsIn(await changes(one, { since }, laptop))).toEqual([["theirs"]]);
  expect(await refusal(one, "list_changes", { monitor: "mine" }, laptop)).toMatch(
    /no monitor "mine"/,
  );
  expect(await refusal(one, "set_monitor", { action: "delete", name: "mine" }, laptop)).toMatch(
    /^INVALID_PARAMS: You have no monitor "mine"\. Your monitors: theirs\./,
  );
  await one.tool("set_monitor", { action: "delete", name: "mine" });
  expect(monitorsIn(await changes(one, { since }))).toEqual([undefined]);
});

test.each([
  [
    { action: "create" },
    /^INVALID_PARAMS: `create` requires one of query, pattern, symbol and path/,
  ],
  [
    { action: "create", path: "*", symbol: "a" },
    /^INVALID_PARAMS: A monitor has one query, but symbol and path/,
  ],
  [{ action: "create", pattern: "(" }, /^INVALID_PATTERN: .*RE2/],
  [{ action: "create", pattern: "a".repeat(2000) }, /^INVALID_PARAMS: pattern: must be 1 to 1000/],
  [{ action: "create", query: "ab" }, /^INVALID_QUERY/],
  [{ action: "create", symbol: "two words" }, /^INVALID_PARAMS: symbol: "two words" is not a name/],
  [{ action: "create", path: "src/[" }, /^INVALID_PARAMS: path: the glob "src\/\[" has a/],
  [
    { action: "create", name: "../x", path: "*" },
    /^INVALID_PARAMS: name: "\.\.\/x" is not a valid name/,
  ],
  [{ action: "delete" }, /^INVALID_PARAMS: name: `delete` requires it/],
  [{ action: "stop" }, /^INVALID_PARAMS: action: must be create, list or delete/],
])("set_monitor refuses %j", LONG_TIMEOUT, async (input, expected) => {
  const one = indexedProject();
  await changes(one);
  expect(await refusal(one, "set_monitor", input)).toMatch(expected);
});
