// The first index of a worktree or a clone, which starts from that of the repository.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { takeExclusiveLock } from "../../../src/base/exclusive-lock.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { Principal } from "../../../src/sources/principal.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { pdfOf } from "../../helpers/pdf.ts";
import { request, SEARCH } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import {
  answersOf,
  engineOnDisk,
  indexed,
  moduleOf,
  modules,
  recordedFiles,
  repositoryOf,
} from "../fixtures/worktrees.ts";

const COUNT = 40;
const WORDS = [
  "marmot3a",
  "marmot3b",
  "helper4",
  "only3a",
  "only3b",
  "helper7",
  "only99a",
  "token5a",
];

/** A worktree that differs: a file of the same length, one more, one less, one with another name. */
function change(folder: string): void {
  plant(folder, {
    "src/m3.ts": moduleOf(3, "b"),
    "src/m99.ts": moduleOf(99),
    "docs/n.md": "# Zebu\n",
  });
  rmSync(join(folder, "src/m5.ts"));
  execFileSync("git", ["mv", "src/m7.ts", "src/moved.ts"], { cwd: folder });
}

test("it answers as a fresh index, and takes the files with the same content from the base", async () => {
  const trees = repositoryOf(modules(COUNT));
  const [project, fresh] = [engineOnDisk(), engineOnDisk()];
  await indexed(project, trees.main.path, "main");
  const folder = trees.add("next");
  change(folder);
  const { status, report } = await indexed(project, folder, "next");
  expect(status.started_from).toEqual({ namespace: "main", same: COUNT - 3, files: COUNT + 1 });
  expect(report).toMatchObject({ isStarted: true, added: 4, removed: 0, unchanged: COUNT - 3 });
  await indexed(fresh, folder, "next");
  expect(recordedFiles(project.data, "next")).toEqual(recordedFiles(fresh.data, "next"));
  expect(await answersOf(project, "next", WORDS)).toEqual(await answersOf(fresh, "next", WORDS));
  // Later runs have nothing to do, and do not report it again.
  const again = await indexed(project, folder, "next");
  expect(again.report).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: COUNT + 1 });
  expect(again.report).not.toHaveProperty("isStarted");
  // The base is unchanged.
  const before = await indexed(project, trees.main.path, "main");
  expect(before.status).not.toHaveProperty("started_from");
  expect(before.report).toMatchObject({ added: 0, changed: 0, unchanged: COUNT });
}, 120_000);

test("a first question in a new worktree waits for its changed files", async () => {
  const trees = repositoryOf(modules(COUNT));
  const folder = trees.add("next");
  change(folder);
  const project = engineOnDisk({ workspace: () => folder, firstBuildWaitMs: 60_000 });
  await indexed(project, trees.main.path, "main");
  const { passages, namespace } = await project.engine.search({
    ...request(),
    ...SEARCH,
    query: "marmot3b whistles",
  });
  expect(passages[0]).toMatchObject({ path: "src/m3.ts" });
  const [status] = await project.engine.status({ ...request(), namespace, detail: "summary" });
  expect(status?.started_from).toMatchObject({ namespace: "main", same: COUNT - 3 });
}, 120_000);

test("an edit of the same length and time is read, whichever tree it is in", async () => {
  const trees = repositoryOf(modules(COUNT));
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main");
  const folder = trees.add("next");
  // The base has older content than its tree for one file, and the worktree other content for another.
  plant(trees.main.path, { "src/m1.ts": moduleOf(1, "c") });
  plant(folder, { "src/m2.ts": moduleOf(2, "b") });
  const { atime, mtime } = statSync(join(trees.main.path, "src/m2.ts"));
  utimesSync(join(folder, "src/m2.ts"), atime, mtime);
  await indexed(project, folder, "next");
  const [one, two, three] = await answersOf(project, "next", ["marmot1a", "marmot2b", "marmot2a"]);
  expect(one).toMatchObject({ text: [{ path: "src/m1.ts" }] });
  expect(two).toMatchObject({ text: [{ path: "src/m2.ts" }] });
  expect(three).toMatchObject({ text: [] });
}, 120_000);

test("a clone of the folder starts from its index; so does one with the same remote", async () => {
  const trees = repositoryOf(modules(COUNT));
  const project = engineOnDisk();
  const place = tree();
  onTestFinished(place.dispose);
  const clone = (name: string, ...options: readonly string[]): string => {
    const folder = join(place.path, name);
    execFileSync("git", ["clone", "-q", ...options, trees.main.path, folder]);
    return folder;
  };
  await indexed(project, trees.main.path, "main");
  const first = await indexed(project, clone("first"), "first");
  expect(first.status.started_from).toMatchObject({ namespace: "main", same: COUNT });
  const [second, third] = [clone("second"), clone("third")];
  for (const folder of [second, third])
    execFileSync("git", ["remote", "set-url", "origin", "https://example.org/zoo/modules"], {
      cwd: folder,
    });
  expect((await indexed(project, second, "second")).status).not.toHaveProperty("started_from");
  const last = await indexed(project, third, "third");
  expect(last.status.started_from).toMatchObject({ namespace: "second", same: COUNT });
  // Its objects are those of the repository, and it has no remote. Its differences are its own objects.
  const shared = clone("shared", "--shared");
  execFileSync("git", ["remote", "remove", "origin"], { cwd: shared });
  plant(shared, { "src/m3.ts": moduleOf(3, "s") });
  const { status } = await indexed(project, shared, "shared");
  expect(status.started_from).toMatchObject({ same: COUNT - 1 });
  const [ofShared, ofMain] = await Promise.all(
    ["shared", "main"].map((name) => answersOf(project, name, ["only3s"])),
  );
  expect(JSON.stringify(ofShared)).toContain("only3s()");
  expect(JSON.stringify(ofMain)).not.toContain("only3s()");
}, 120_000);

test("another repository, other filters and other settings of the project are no base", async () => {
  const trees = repositoryOf(modules(COUNT));
  const other = repositoryOf(modules(COUNT));
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main");
  const unrelated = await indexed(project, other.main.path, "other");
  expect(unrelated.status).not.toHaveProperty("started_from");
  const filtered = await indexed(project, trees.add("filtered"), "filtered", {
    include: ["src/**"],
  });
  expect(filtered.status).not.toHaveProperty("started_from");
  expect(filtered.status).toMatchObject({ files: COUNT });
  const configured = trees.add("configured");
  plant(configured, { ".svc.toml": 'exclude = ["src/m1*.ts"]\n' });
  const result = await indexed(project, configured, "configured");
  expect(result.status).not.toHaveProperty("started_from");
  expect(result.status.files).toBeLessThan(COUNT);
  const rebuilt = await indexed(project, trees.add("rebuilt"), "rebuilt", { rebuild: true });
  expect(rebuilt.status).not.toHaveProperty("started_from");
}, 120_000);

test("a base that is damaged, or being written, is not used", async () => {
  // This many words produce a segment that is a file.
  const trees = repositoryOf({ ...modules(COUNT), ...manyWords() });
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main", { rebuild: true });
  const layout = indexLayout(project.data, "main");
  const release = takeExclusiveLock(layout.writerLock, 0);
  const busy = await indexed(project, trees.add("busy"), "busy");
  release?.();
  expect(busy.status).not.toHaveProperty("started_from");
  await project.engine.removeNamespace({ ...request(), namespace: "busy" });
  // One bit, in the middle of the content.
  const [name = ""] = readdirSync(layout.segments);
  const bytes = readFileSync(join(layout.segments, name));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  rmSync(join(layout.segments, name));
  writeFileSync(join(layout.segments, name), bytes);
  const folder = trees.add("next");
  const { status } = await indexed(project, folder, "next");
  expect(status).not.toHaveProperty("started_from");
  expect(status).toMatchObject({ state: "ready" });
  expect((await project.engine.verify({ ...request(), source: folder })).damage).toEqual([]);
  const fresh = engineOnDisk();
  await indexed(fresh, folder, "next");
  expect(await answersOf(project, "next", WORDS)).toEqual(await answersOf(fresh, "next", WORDS));
}, 120_000);

test("each of two indexes can be removed first, and nothing is left", async () => {
  for (const first of ["main", "next"]) {
    const trees = repositoryOf({ ...modules(COUNT), ...manyWords() });
    const project = engineOnDisk();
    /* oxlint-disable no-await-in-loop -- one order after the other */
    await indexed(project, trees.main.path, "main");
    const folder = trees.add("next");
    change(folder);
    await indexed(project, folder, "next");
    const [last, source] = first === "main" ? ["next", folder] : ["main", trees.main.path];
    const wanted = await answersOf(project, last, WORDS);
    await project.engine.removeNamespace({ ...request(), namespace: first });
    expect(existsSync(indexLayout(project.data, first).directory)).toBe(false);
    expect((await project.engine.verify({ ...request(), source })).damage).toEqual([]);
    expect(await answersOf(project, last, WORDS)).toEqual(wanted);
    await project.engine.removeNamespace({ ...request(), namespace: last });
    /* oxlint-enable no-await-in-loop */
    expect(readdirSync(join(project.data, "namespaces"))).toEqual([]);
    expect(readdirSync(join(project.data, "removed"))).toEqual([]);
  }
}, 120_000);

test("what one index replaces and merges stays in the other", async () => {
  const trees = repositoryOf(modules(COUNT));
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main");
  const folder = trees.add("next");
  await indexed(project, folder, "next");
  const [main, next] = [
    await answersOf(project, "main", WORDS),
    await answersOf(project, "next", WORDS),
  ];
  for (let at = 0; at < COUNT; at += 1)
    plant(trees.main.path, { [`src/m${at}.ts`]: moduleOf(at, "z") });
  await indexed(project, trees.main.path, "main");
  expect(await answersOf(project, "next", WORDS)).toEqual(next);
  expect((await project.engine.verify({ ...request(), source: folder })).damage).toEqual([]);
  trees.main.git("checkout", "-q", ".");
  await indexed(project, trees.main.path, "main", { rebuild: true });
  await indexed(project, folder, "next", { rebuild: true });
  expect(await answersOf(project, "main", WORDS)).toEqual(main);
  expect(await answersOf(project, "next", WORDS)).toEqual(next);
}, 120_000);

test("changes are reported from the start on, as those of a fresh index", async () => {
  const trees = repositoryOf(modules(COUNT));
  const [project, fresh] = [engineOnDisk(), engineOnDisk()];
  await indexed(project, trees.main.path, "main");
  const folder = trees.add("next");
  plant(folder, { "src/m3.ts": moduleOf(3, "b") });
  const reported = [];
  for (const one of [project, fresh]) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    plant(folder, { "src/m4.ts": moduleOf(4) });
    await indexed(one, folder, "next");
    plant(folder, { "src/m4.ts": moduleOf(4, "b") });
    await indexed(one, folder, "next");
    const { changes } = await one.engine.changes({
      ...request(),
      namespace: "next",
      since: "0",
      waitMs: 0,
      limit: 50,
    });
    /* oxlint-enable no-await-in-loop */
    reported.push(
      changes.map(({ kind, path, symbols }) => ({
        kind,
        path,
        symbols: symbols.map(({ kind: how, name }) => ({ how, name })),
      })),
    );
  }
  expect(reported[0]).toEqual(reported[1]);
  expect(reported[0]).toContainEqual(expect.objectContaining({ path: "src/m4.ts" }));
}, 120_000);

test("the text of a document is there too, and stays when the base is removed", async () => {
  const manual = pdfOf([{ texts: [{ text: "Replacing the lamp of the lighthouse", y: 700 }] }]);
  const trees = repositoryOf({ ...modules(COUNT), "manual.pdf": manual });
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main");
  const { status } = await indexed(project, trees.add("next"), "next");
  expect(status.started_from).toMatchObject({ same: COUNT + 1 });
  await project.engine.removeNamespace({ ...request(), namespace: "main" });
  const { passages } = await project.engine.search({
    ...request(),
    ...SEARCH,
    namespace: "next",
    query: "lamp of the lighthouse",
  });
  expect(passages[0]).toMatchObject({ path: "manual.pdf", text: expect.stringContaining("lamp") });
}, 120_000);

test("a caller who may not use the base does not learn its name", async () => {
  const trees = repositoryOf(modules(COUNT));
  const project = engineOnDisk();
  await indexed(project, trees.main.path, "main");
  await indexed(project, trees.add("next"), "next");
  const of = async (namespaces: "all" | readonly string[]) => {
    const principal = new Principal({ id: "t", namespaces, readOnly: true });
    const [status] = await project.engine.status({
      ...request(principal),
      namespace: "next",
      detail: "summary",
    });
    return status?.started_from?.namespace;
  };
  expect(await of("all")).toBe("main");
  expect(await of(["main", "next"])).toBe("main");
  expect(await of(["next"])).toBeUndefined();
}, 120_000);
