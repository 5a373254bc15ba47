// Random questions about three worktrees, of which two started from the index of the first.
import { cpSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

import { expect, test } from "vitest";

import { askRandomly } from "../../../bench/worktrees/questions.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { plant } from "../../helpers/tree.ts";
import { engineOnDisk, indexed, moduleOf, modules, repositoryOf } from "../fixtures/worktrees.ts";

const QUESTIONS = 300;
const SOURCES = join(import.meta.dirname, "../../../src/engine");

test("no answer is of another tree", async () => {
  const trees = repositoryOf(modules(200));
  const { path: first } = trees.main;
  const names = readdirSync(SOURCES, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => relative(SOURCES, join(parentPath, name)));
  cpSync(SOURCES, first, { recursive: true });
  trees.main.commit({});
  const project = engineOnDisk();
  const folders = [first, trees.add("second"), trees.add("third")];
  const changed: string[] = [];
  for (const [at, folder] of folders.entries()) {
    // The same files in each tree, with other words of the same length.
    for (const number of [10, 20, 30]) {
      const path = `src/m${number}.ts`;
      plant(folder, { [path]: moduleOf(number, "xyz"[at]) });
      if (at === 0) changed.push(path);
    }
    // oxlint-disable-next-line no-await-in-loop -- each starts from one that is complete
    const { status } = await indexed(project, folder, `tree${at}`);
    expect(status.started_from?.same).toBe(at === 0 ? undefined : names.length + 197);
  }
  const { asked, doubtful } = await askRandomly(
    {
      engine: project.engine,
      principal: LOCAL,
      trees: folders.map((folder, at) => ({ namespace: `tree${at}`, folder })),
      paths: [...changed, ...names],
      changed,
      random: reportedRandom("questions about worktrees"),
    },
    QUESTIONS,
  );
  expect(doubtful.flatMap(({ problems }) => problems)).toEqual([]);
  expect(asked.text).toBe(QUESTIONS / 4);
}, 240_000);
