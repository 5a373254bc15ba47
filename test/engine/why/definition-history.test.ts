import { expect, test } from "vitest";

import {
  readDefinitionHistory,
  type DefinitionHistory,
} from "../../../src/engine/why/definition-history.ts";
import { openHistory } from "../../../src/sources/open-history.ts";
import { withGit } from "../../../src/sources/run-git.ts";
import { linesOf, signal, whyRepository, type WhyRepository } from "./why-repository.ts";

const WORK = [
  "export function workOnIt(items) {",
  "  const results = items.map(transformOne);",
  "  results.sort(compareResults);",
  "  return results;",
  "}",
];

async function historyOf(
  { path }: WhyRepository,
  range: { path: string; startLine: number; endLine: number },
  endsAt = Infinity,
): Promise<DefinitionHistory> {
  const source = { root: path };
  const history = await openHistory(source, signal);
  return withGit(history.repository, (git) =>
    readDefinitionHistory(
      { git, source, history, signal, endsAt },
      { ...range, commit: history.head },
      "workOnIt",
    ),
  );
}

test("a definition is followed through several moves between files", async () => {
  const repository = whyRepository();
  const { commit } = repository;
  const first = commit({
    "a.js": linesOf("other();", ...WORK),
    "b.js": "b();\n",
    "c.js": "c();\n",
  });
  const second = commit({ "a.js": "other();\n", "b.js": linesOf("b();", ...WORK) });
  const third = commit({ "b.js": linesOf("b();", ...WORK.with(2, "  results.reverse();")) });
  const fourth = commit({
    "b.js": "b();\n",
    "c.js": linesOf("c();", ...WORK.with(2, "  results.reverse();")),
  });
  const { changes, isWhole } = await historyOf(repository, {
    path: "c.js",
    startLine: 2,
    endLine: 6,
  });
  expect(isWhole).toBe(true);
  expect(
    changes.map(({ id, path, movedFrom, isFirst }) => [id, path, movedFrom?.path, isFirst]),
  ).toEqual([
    [fourth, "c.js", "b.js", false],
    [third, "b.js", undefined, false],
    [second, "b.js", "a.js", false],
    [first, "a.js", undefined, true],
  ]);
});

test("a definition that replaces another one is no move", async () => {
  const repository = whyRepository();
  const { commit } = repository;
  commit({ "a.js": linesOf("export function different() {", "  return nothingAlike();", "}") });
  const second = commit({ "a.js": linesOf(...WORK) });
  const { changes } = await historyOf(repository, { path: "a.js", startLine: 1, endLine: 5 });
  expect(changes[0]).toMatchObject({ id: second, movedFrom: undefined });
});

test("without time the history is not whole", async () => {
  const repository = whyRepository();
  repository.commit({ "a.js": linesOf(...WORK) });
  const range = { path: "a.js", startLine: 1, endLine: 5 };
  const { isWhole } = await historyOf(repository, range, 0);
  expect(isWhole).toBe(false);
});
