import { expect, test } from "vitest";

import { HistoryLog } from "../../../bench/impact/history-log.ts";

function commit(id: string, parents: readonly string[], time: number, paths: readonly string[]) {
  const changes = paths.map((path) => ({ path, isNew: false, isMoved: false }));
  return { id, parents, time, changes };
}

test("the times of the latest changes include only a commit and its ancestors", () => {
  const log = new HistoryLog([
    commit("merge", ["main", "branch"], 50, []),
    commit("main", ["first"], 40, ["a", "b"]),
    commit("branch", ["first"], 30, ["a", "c"]),
    commit("first", ["unknown"], 10, ["a", "d"]),
  ]);
  expect(Object.fromEntries(log.changeTimes("branch"))).toEqual({ a: 30, c: 30, d: 10 });
  expect(Object.fromEntries(log.changeTimes("merge"))).toEqual({ a: 40, b: 40, c: 30, d: 10 });
});
