import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { GitRepository } from "../../helpers/git-repository.ts";
import { request } from "../../helpers/project.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { indexFor } from "../../helpers/index-for.ts";
import { plant } from "../../helpers/tree.ts";
import { promise, sized } from "../../trust/promise.ts";
import { look, problemsOf } from "../fixtures/check-index.ts";
import {
  answersOf,
  engineOnDisk,
  indexed,
  moduleOf,
  modules,
  recordedFiles,
  repositoryOf,
} from "../fixtures/worktrees.ts";

const COUNT = 150;
const SWITCHED = 20;
const WORDS = ["marmot3a", "marmot3b", "helper3", "only4a", "only4b", "token5b", "only149a"];
const SWITCHES = sized({ quick: 30, full: 200, soak: 600 });

/** Branches `main` and `other`, which differ in some files; another one has a file more and some less. */
function branches(): GitRepository {
  const { main } = repositoryOf(modules(COUNT));
  const branch = main.git("branch", "--show-current").trim();
  main.git("branch", "-m", branch, "trunk");
  for (const edition of ["b", "c"]) {
    main.git("checkout", "-q", "-b", `branch-${edition}`, "trunk");
    const changed = Array.from({ length: SWITCHED }, (_, at) => at);
    plant(
      main.path,
      Object.fromEntries(changed.map((at) => [`src/m${at}.ts`, moduleOf(at, edition)])),
    );
    plant(main.path, { [`src/new-${edition}.ts`]: moduleOf(900, edition) });
    main.git("rm", "-q", "-f", "src/m140.ts", "src/m141.ts");
    main.commit({});
  }
  switchTo(main, "trunk");
  return main;
}

/** Switches, and makes the files older than the time in which they may change without another time stamp. */
function switchTo({ git, path }: GitRepository, branch: string): void {
  git("checkout", "-q", "-f", branch);
  for (const name of readdirSync(join(path, "src"))) utimesSync(join(path, "src", name), 1, 1);
}

async function earlierOf(data: string, namespace: string) {
  return look(data, namespace, async ({ catalog }) => catalog.earlier.places());
}

/** The answers of an index that was made for these files. */
async function freshAnswers(folder: string) {
  const fresh = engineOnDisk();
  await indexed(fresh, folder, "ns");
  return { answers: await answersOf(fresh, "ns", WORDS), files: recordedFiles(fresh.data, "ns") };
}

test("a switch back takes the files from the index, and answers as a fresh one does", async () => {
  const main = branches();
  const project = engineOnDisk();
  const { data } = project;
  await indexed(project, main.path, "ns");
  switchTo(main, "branch-b");
  await indexed(project, main.path, "ns");
  // The replaced files, and the removed ones.
  expect(await earlierOf(data, "ns")).toHaveLength(SWITCHED + 2);
  const onBranch = await freshAnswers(main.path);
  expect(await answersOf(project, "ns", WORDS)).toEqual(onBranch.answers);
  const segments = (): readonly string[] => readdirSync(indexLayout(data, "ns").segments);
  const before = segments();
  for (const branch of ["trunk", "branch-b", "trunk"]) {
    /* oxlint-disable no-await-in-loop -- one switch after the other */
    switchTo(main, branch);
    const { report } = await indexed(project, main.path, "ns");
    expect(report).toMatchObject({ changed: SWITCHED, unchanged: COUNT - SWITCHED - 2 });
    const fresh = await freshAnswers(main.path);
    expect(await answersOf(project, "ns", WORDS)).toEqual(fresh.answers);
    expect(recordedFiles(data, "ns")).toEqual(fresh.files);
    expect(await look(data, "ns", problemsOf)).toEqual([]);
    /* oxlint-enable no-await-in-loop */
  }
  // Nothing was written but the catalogue.
  expect(segments()).toEqual(before);
  const { changes } = await project.engine.changes({
    ...request(),
    namespace: "ns",
    limit: 500,
    waitMs: 0,
  });
  const names = changes.flatMap(({ symbols }) => symbols.map(({ name }) => name));
  expect(names).toContain("only3a");
  expect(names).toContain("only3b");
});

test("with a monitor, and for a few files, files are parsed", async () => {
  const main = branches();
  const project = engineOnDisk();
  await indexed(project, main.path, "ns");
  plant(main.path, { "src/m7.ts": moduleOf(7, "d") });
  await indexed(project, main.path, "ns");
  expect(await earlierOf(project.data, "ns")).toEqual([]);
  await project.engine.monitors({
    ...request(),
    namespace: "ns",
    action: "create",
    name: "tokens",
    question: { kind: "pattern", text: "token3b" },
  });
  switchTo(main, "branch-b");
  await indexed(project, main.path, "ns");
  expect(await earlierOf(project.data, "ns")).toEqual([]);
});

test("a removed namespace leaves nothing of its earlier contents", async () => {
  const main = branches();
  const project = engineOnDisk();
  await indexed(project, main.path, "ns");
  switchTo(main, "branch-b");
  await indexed(project, main.path, "ns");
  await project.engine.removeNamespace({ ...request(), namespace: "ns" });
  expect(existsSync(indexLayout(project.data, "ns").directory)).toBe(false);
});

promise(
  [1],
  "after random switches of branches with killed runs, an index answers as a fresh one does",
  async () => {
    const main = branches();
    const project = engineOnDisk();
    const { data, home } = project;
    await indexed(project, main.path, "ns");
    const random = reportedRandom("kills of switches");
    const names = ["trunk", "branch-b", "branch-c"];
    let kills = 0;
    for (let at = 0; at < SWITCHES; at += 1) {
      /* oxlint-disable no-await-in-loop -- one switch after the other */
      switchTo(main, names[Math.floor(random() * names.length)] ?? "trunk");
      const isKilling = at % 3 === 0;
      if (isKilling) {
        const waitMs = 150 + 500 * random();
        const killed = { folder: main.path, namespace: "ns", data, home };
        if ((await indexFor(waitMs, killed)) === undefined) kills += 1;
      } else await indexed(project, main.path, "ns");
      expect(await look(data, "ns", problemsOf)).toEqual([]);
      /* oxlint-enable no-await-in-loop */
    }
    await indexed(project, main.path, "ns");
    const fresh = await freshAnswers(main.path);
    expect(kills).toBeGreaterThan(0);
    expect(await answersOf(project, "ns", WORDS)).toEqual(fresh.answers);
    expect(recordedFiles(data, "ns")).toEqual(fresh.files);
    const earlier = (await earlierOf(data, "ns")) ?? [];
    const bytes = earlier.reduce((sum, { size }) => sum + size, 0);
    const total = fresh.files.reduce((sum: number, file) => sum + sizeOf(file), 0);
    expect(bytes).toBeLessThanOrEqual(Math.max(total * 0.2, 4 << 20));
    return kills;
  },
);

function sizeOf(file: unknown): number {
  return typeof file === "object" && file !== null && "size" in file ? Number(file.size) : 0;
}

test("files that are all restored are in place before their segments are merged", async () => {
  const project = engineOnDisk();
  const { main } = repositoryOf(modules(COUNT));
  let time = 0;
  const edit = async (count: number, edition: string) => {
    const numbers = Array.from({ length: count }, (_, at) => at);
    plant(
      main.path,
      Object.fromEntries(numbers.map((at) => [`src/m${at}.ts`, moduleOf(at, edition)])),
    );
    time += 1;
    // Old enough not to be read again.
    for (const at of count === 0 ? Array(COUNT).keys() : numbers)
      utimesSync(join(main.path, `src/m${at}.ts`), time, time);
    return (await indexed(project, main.path, "main")).report;
  };
  await edit(0, "a");
  expect(await edit(25, "b")).toMatchObject({ added: 0, changed: 25 });
  // Afterwards more than half of a segment is deleted.
  expect(await edit(20, "a")).toMatchObject({ added: 0, changed: 20 });
  expect(await edit(20, "b")).toMatchObject({ added: 0, changed: 20 });
  const [answer] = await answersOf(project, "main", ["marmot7b"]);
  expect(answer).toMatchObject({ text: [{ path: "src/m7.ts" }] });
});
