// The index of a worktree after its first run was killed at any moment.
import { readdirSync } from "node:fs";

import { expect } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { request } from "../../helpers/project.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { indexFor } from "../../helpers/index-for.ts";
import { plant } from "../../helpers/tree.ts";
import { promise, sized } from "../../trust/promise.ts";
import { look, problemsOf } from "../fixtures/check-index.ts";
import {
  engineOnDisk,
  indexed,
  moduleOf,
  modules,
  recordedFiles,
  repositoryOf,
} from "../fixtures/worktrees.ts";

const KILLS = sized({ quick: 12, full: 60, soak: 200 });
const COUNT = 300;

promise(
  [1],
  "a first run of a worktree that is killed at any moment leaves nothing that the next run does not repair",
  async () => {
    const trees = repositoryOf({ ...modules(COUNT), ...manyWords() });
    const [project, fresh] = [engineOnDisk(), engineOnDisk()];
    const { data, home, engine } = project;
    await indexed(project, trees.main.path, "main");
    const folder = trees.add("next");
    const next = { folder, namespace: "next", data, home };
    plant(folder, { "src/m3.ts": moduleOf(3, "b"), "src/m4.ts": moduleOf(4, "b") });
    await indexed(fresh, folder, "next");
    const wanted = recordedFiles(fresh.data, "next");
    const random = reportedRandom("kills of starts");
    const wholeMs = (await indexFor(60_000, next)) ?? Infinity;
    expect(recordedFiles(data, "next")).toEqual(wanted);
    const problems: string[] = [];
    for (let kills = 0; kills < KILLS;) {
      /* oxlint-disable no-await-in-loop -- one run after the other */
      await engine.removeNamespace({ ...request(), namespace: "next" });
      // The program takes some time to start.
      const waitMs = wholeMs * (0.2 + 0.8 * random());
      if ((await indexFor(waitMs, next)) === undefined) kills += 1;
      const seen = await look(data, "next", problemsOf);
      problems.push(...(seen ?? []));
      await indexed(project, folder, "next");
      expect(recordedFiles(data, "next")).toEqual(wanted);
      problems.push(...((await look(data, "next", problemsOf)) ?? ["no index"]));
      problems.push(...((await look(data, "main", problemsOf)) ?? ["no base"]));
      const files = await look(data, "next", async ({ catalog }) =>
        catalog.segments.all().flatMap(({ name, isRow }) => (isRow ? [] : [name])),
      );
      /* oxlint-enable no-await-in-loop */
      expect(readdirSync(indexLayout(data, "next").segments).toSorted()).toEqual(files?.toSorted());
    }
    expect(problems).toEqual([]);
    return KILLS;
  },
);
