import { expect, test } from "vitest";

import { readLineOrigins, readRangeHistory } from "../../src/sources/line-history.ts";
import { historyRepository, LIMITS, linesOf } from "./history-repository.ts";

const BODY = ["one();", "two();", "three();", "four();"];

test("the commits of a range are found through a rename of the file, the newest first", async () => {
  const { commit, read } = historyRepository();
  const first = commit({ "a.ts": linesOf("// head", ...BODY) });
  const second = commit({ "a.ts": linesOf("// head", "one();", "twice();", ...BODY.slice(2)) });
  commit({
    "a.ts": undefined,
    "src/b.ts": linesOf("// head", "one();", "twice();", ...BODY.slice(2)),
  });
  commit({
    "src/b.ts": linesOf("// other head", "", "one();", "twice();", ...BODY.slice(2)),
  });
  const head = commit({ "unrelated.ts": "x" });
  const { changes, outcome } = await read((git) =>
    readRangeHistory(git, { commit: head, path: "src/b.ts", startLine: 3, endLine: 5 }, LIMITS),
  );
  expect(outcome).toBe("whole");
  expect(changes.map(({ id, path }) => [id, path])).toEqual([
    [second, "a.ts"],
    [first, "a.ts"],
  ]);
  expect(changes[0]?.hunks[0]?.lines).toEqual([" one();", "-two();", "+twice();", " three();"]);
});

test("the writer of a line is found behind a commit that only moved or indented it", async () => {
  const { commit, read } = historyRepository();
  const first = commit({ "a.ts": linesOf("start();", "writeTheWholeAnswerAtOnce(result);") });
  const second = commit({
    "a.ts": linesOf("start();", "if (ready) {", "  writeTheWholeAnswerAtOnce(result);", "}"),
  });
  const range = { commit: second, path: "a.ts", startLine: 1, endLine: 4 };
  const origins = await read((git) => readLineOrigins(git, range, { ...LIMITS, ignored: [] }));
  expect([1, 2, 3, 4].map((line) => origins.get(line)?.id)).toEqual([first, second, first, second]);
  expect(origins.get(3)?.line).toBe(2);
});

test("an ignored commit writes no line that was there before", async () => {
  const { commit, read } = historyRepository();
  const first = commit({ "a.ts": linesOf("const name = 'value of it';") });
  const second = commit({ "a.ts": linesOf('const name = "value of it";') });
  const range = { commit: second, path: "a.ts", startLine: 1, endLine: 1 };
  const writer = async (ignored: readonly string[]): Promise<string | undefined> =>
    (await read((git) => readLineOrigins(git, range, { ...LIMITS, ignored }))).get(1)?.id;
  expect(await writer([])).toBe(second);
  expect(await writer([second])).toBe(first);
});

test("a file that the commit does not have has no history", async () => {
  const { commit, read } = historyRepository();
  const head = commit({ "a.ts": "x\n" });
  const range = { commit: head, path: "none.ts", startLine: 1, endLine: 1 };
  const history = await read((git) => readRangeHistory(git, range, LIMITS));
  expect(history).toEqual({ changes: [], outcome: "failed" });
  const origins = await read((git) => readLineOrigins(git, range, { ...LIMITS, ignored: [] }));
  expect(origins.size).toBe(0);
});

test("without time the history is cut, and says so", async () => {
  const { commit, read } = historyRepository();
  for (let at = 0; at < 20; at += 1) commit({ "a.ts": linesOf(`line(${at});`) });
  const head = commit({ "a.ts": linesOf("line(-1);") });
  const range = { commit: head, path: "a.ts", startLine: 1, endLine: 1 };
  const { changes, outcome } = await read((git) =>
    readRangeHistory(git, range, { ...LIMITS, maxBytes: 400 }),
  );
  expect(outcome).toBe("full");
  expect(changes.length).toBeLessThan(21);
});

test("names with spaces, quotes, colons and control characters are followed", async () => {
  const { commit, read } = historyRepository();
  const path = 'odd "name": 1,2\u001b[31m.ts';
  commit({ [path]: linesOf("one();") });
  const head = commit({ [path]: linesOf("two();") });
  const { changes } = await read((git) =>
    readRangeHistory(git, { commit: head, path, startLine: 1, endLine: 1 }, LIMITS),
  );
  expect(changes.map((change) => change.path)).toEqual([path, path]);
});
