import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  changedCode,
  drawTasks,
  isCode,
  parseLog,
  type LoggedCommit,
} from "../../../bench/impact/commits.ts";

const MODIFIED = { isNew: false, isMoved: false };

function commit(id: string, paths: readonly string[], more: Partial<LoggedCommit> = {}) {
  const changes = paths.map((path) => ({ path, ...MODIFIED }));
  return { id, parents: [`before ${id}`], time: Number(id), changes, ...more };
}

test("a log tells of each commit its parents, time and changed files", () => {
  const log =
    "\u0001aa 100 bb\0\nM\0src/a.ts\0A\0src/new.ts\0R087\0src/b.ts\0src/c.ts\0R100\0src/d.ts\0src/e.ts\0" +
    "\u0001bb 90 cc dd\0\u0001cc 80\0\nD\0a b.ts\0";
  expect(parseLog(log)).toEqual([
    {
      id: "aa",
      parents: ["bb"],
      time: 100,
      changes: [
        { path: "src/a.ts", isNew: false, isMoved: false },
        { path: "src/new.ts", isNew: true, isMoved: false },
        { path: "src/b.ts", isNew: false, isMoved: false },
        { path: "src/c.ts", isNew: true, isMoved: false },
        { path: "src/d.ts", isNew: false, isMoved: true },
        { path: "src/e.ts", isNew: true, isMoved: true },
      ],
    },
    { id: "bb", parents: ["cc", "dd"], time: 90, changes: [] },
    { id: "cc", parents: [], time: 80, changes: [{ path: "a b.ts", ...MODIFIED }] },
  ]);
});

test.each([
  ["src/a.ts", true],
  ["test/a.test.ts", true],
  ["README.md", false],
  ["package-lock.json", false],
  ["test/fixtures/data.json", false],
  ["vendor/lib/a.go", false],
  ["api/service.pb.go", false],
])("%s is code: %s", (path, is) => {
  expect(isCode(path)).toBe(is);
});

test("what is asked about changes two to eight files of code, two of which were there before", () => {
  const many = Array.from({ length: 9 }, (_, at) => `src/${at}.ts`);
  const isNew = { isNew: true, isMoved: false };
  expect(changedCode(commit("1", ["a.ts", "b.ts", "README.md"]))).toEqual(["a.ts", "b.ts"]);
  expect(changedCode(commit("1", ["a.ts", "README.md"]))).toBeUndefined();
  expect(changedCode(commit("1", many))).toBeUndefined();
  expect(changedCode(commit("1", many.slice(1)))).toHaveLength(8);
  expect(changedCode(commit("1", ["a.ts", "b.ts"], { parents: ["x", "y"] }))).toBeUndefined();
  const changes = [
    { path: "a.ts", ...MODIFIED },
    { path: "new.ts", ...isNew },
  ];
  expect(changedCode(commit("1", [], { changes }))).toBeUndefined();
});

test("tasks ask for one changed file, want the others, and are the same for the same seed", () => {
  const path = fc.constantFrom("a.ts", "b.ts", "c.ts", "d.test.ts", "e.test.ts", "README.md");
  const commits = fc.array(fc.uniqueArray(path), { maxLength: 30 });
  fc.assert(
    fc.property(commits, fc.string(), fc.nat({ max: 20 }), (all, seed, count) => {
      const logged = all.map((paths, at) => commit(String(at), paths));
      const tasks = drawTasks(logged, { count, seed });

      expect(tasks).toEqual(drawTasks(logged, { count, seed }));
      expect(tasks.length).toBe(
        Math.min(count, logged.filter((one) => changedCode(one) !== undefined).length),
      );
      expect(tasks.map(({ time }) => time)).toEqual(
        tasks.map(({ time }) => time).toSorted((one, other) => one - other),
      );
      const tuned = tasks.filter(({ half }) => half === "tuning").length;
      expect(tuned).toBe(Math.ceil(tasks.length / 2));
      for (const { commit: id, asked, others, tests } of tasks) {
        const changed = changedCode(commit(id, all[Number(id)] ?? [])) ?? [];
        expect([asked, ...others].toSorted()).toEqual(changed.toSorted());
        const wanted = changed.filter((one) => one.includes(".test."));
        const hasBoth = wanted.length > 0 && wanted.length < changed.length;
        expect(tests?.changed).toEqual(hasBoth ? wanted : undefined);
        expect(tests?.asked.includes(".test.") ?? false).toBe(false);
      }
    }),
  );
});
