import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { removeIndexFiles } from "../../../src/index/embedded/remove-index.ts";
import {
  found,
  history,
  indexedRepository,
  indexesIn,
  largeHistory,
} from "../../helpers/indexed-repository.ts";
import { createProject, request, SEARCH } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

test("the index of a commit is made once, and shares most of its bytes", async () => {
  const { engine, revisions } = await indexedRepository(largeHistory);
  await found(engine, "retry", "v1");
  const [folder = ""] = indexesIn(revisions);
  const catalog = join(revisions, folder, "namespaces");
  const { mtimeMs } = statSync(catalog);
  await found(engine, "retry", "v1");
  expect(indexesIn(revisions)).toEqual([folder]);
  expect(statSync(catalog).mtimeMs).toBe(mtimeMs);
  const [namespace = ""] = readdirSync(catalog);
  const segments = join(catalog, namespace, "segments");
  const links = readdirSync(segments).map((name) => statSync(join(segments, name)).nlink);
  expect(Math.max(...links)).toBeGreaterThan(1);
  expect(existsSync(join(revisions, folder, "files"))).toBe(false);
});

test("the eight commits that were asked for last are kept", async () => {
  const { engine, revisions } = await indexedRepository((repository) => {
    history(repository);
    for (let at = 0; at < 10; at += 1) repository.commit({ "n.txt": `${at}\n` });
  });
  for (let at = 0; at < 10; at += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await found(engine, "retry", `HEAD~${at}`);
  expect(indexesIn(revisions)).toHaveLength(8);
  expect((await found(engine, "handleUpload", "HEAD~9"))[0]).toBe("src/upload.js:1-3");
});

test("what a killed process has begun is removed", async () => {
  const { engine, revisions } = await indexedRepository(history);
  await found(engine, "retry", "v1");
  const left = tree({ "namespaces/x": "" });
  onTestFinished(left.dispose);
  execFileSync("cp", ["-r", left.path, join(revisions, "making-x")]);
  await found(engine, "retry", "v2");
  expect(indexesIn(revisions).filter((name) => name.startsWith("making"))).toEqual([]);
});

test("a cancelled question leaves no index behind", async () => {
  const { engine, revisions } = await indexedRepository(history);
  const aborted = AbortSignal.timeout(0);
  await new Promise<void>((resolve) => aborted.addEventListener("abort", () => resolve()));
  const asked = { ...request(), ...SEARCH, query: "retry", at: "v1", signal: aborted };
  await expect(engine.search(asked)).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(existsSync(revisions) ? indexesIn(revisions) : []).toEqual([]);
});

test("the indexes of commits disappear with their namespace", async () => {
  const { engine, namespace, revisions } = await indexedRepository(history);
  await found(engine, "retry", "v1");
  await engine.removeNamespace({ ...request(), namespace });
  expect(existsSync(revisions)).toBe(false);
});

test("a question whose namespace is removed meanwhile says so, and leaves nothing behind", async () => {
  const { engine, namespace, revisions } = await indexedRepository(history);
  const asked = { ...request(), ...SEARCH, query: "retry", at: "v1" };
  const onIndexing = (): void => removeIndexFiles(join(revisions, "../../.."), namespace);
  await expect(engine.search({ ...asked, onIndexing })).rejects.toMatchObject({
    code: "INDEX_UNAVAILABLE",
    message: "The index was removed or replaced meanwhile.",
  });
  expect(existsSync(revisions)).toBe(false);
});

test("two engines that need the same commit make it once", async () => {
  const { engine, revisions, path } = await indexedRepository(history);
  const other = createProject(
    {},
    {
      onDisk: true,
      dataDirectory: join(revisions, "../../.."),
      workspace: () => path,
    },
  );
  onTestFinished(other.dispose);
  const [one, two] = await Promise.all([
    found(engine, "retry", "v1"),
    found(other.engine, "retry", "v1"),
  ]);
  expect(one).toEqual(two);
  expect(indexesIn(revisions)).toHaveLength(1);
});
