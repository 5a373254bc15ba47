import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { Engine } from "../../../src/engine/api/engine.ts";
import type { GitRepository } from "../../helpers/git-repository.ts";
import {
  found,
  history,
  indexedRepository,
  indexesIn,
  largeHistory,
} from "../../helpers/indexed-repository.ts";
import { createProject, request, SEARCH } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

async function answers(one: Engine, at?: string) {
  const symbols = await one.findSymbols({ ...request(), name: "retry", limit: 10, at });
  const uses = await one.references({
    ...request(),
    symbol: "retry",
    relation: "references",
    depth: 1,
    limit: 20,
    at,
  });
  const { outline } = await one.outline({ ...request(), maxTokens: 1000, at });
  const file = await one.outline({ ...request(), path: "src/retry.js", maxTokens: 1000, at });
  return {
    found: await found(one, "retry a failed upload", at),
    symbols: symbols.symbols.map(({ path: place, startLine, name }) => [place, startLine, name]),
    uses: uses.references.map(({ path: place, line, certainty }) => [place, line, certainty]),
    outline,
    file: file.outline,
  };
}

test("search, symbols, references and outline of a commit are those of its checkout", async () => {
  const { engine, path, git } = await indexedRepository(history);
  const folder = tree();
  execFileSync("git", ["worktree", "add", "-q", join(folder.path, "v1"), "v1"], { cwd: path });
  const { engine: other, dispose } = createProject(
    {},
    { workspace: () => join(folder.path, "v1"), onDisk: true },
  );
  onTestFinished(async () => {
    await dispose();
    folder.dispose();
  });
  await other.index(request());
  const asked = await answers(engine, "v1");
  expect(asked).toEqual(await answers(other));
  expect(asked.found[0]).toBe("src/upload.js:1-3");
  expect(asked.uses).toContainEqual(["src/ping.js", 3, "exact"]);
  expect(git("status", "--porcelain")).toBe("");
});

function handler(edition: number): string {
  return `import { retry } from "./retry.js";\nexport function handle() {\n  return retry(${edition});\n}\n`;
}

function retry(edition: number): string {
  return `export function retry(times) {\n  return times + ${edition};\n}\n`;
}

/** A history in which two files change together up to v1, and others with them afterwards. */
function partners(repository: GitRepository): void {
  for (const at of [1, 2, 3])
    repository.commit({ "src/handle.js": handler(at), "src/retry.js": retry(at) });
  repository.git("tag", "v1");
  for (const at of [4, 5, 6, 7]) {
    const later = `export const queue${at} = ${at};\n`;
    repository.commit({ "src/retry.js": retry(at), "src/queue.js": later, "src/ping.js": later });
  }
}

async function relations(one: Engine, at?: string) {
  const { groups } = await one.related({ ...request(), target: "src/retry.js", limit: 20, at });
  const { files, likelyChanges } = await one.impact({
    ...request(),
    target: "retry",
    depth: 2,
    at,
  });
  return { groups, files, likelyChanges };
}

test("what is related to a definition of a commit, and its impact, are those of its checkout", async () => {
  const { engine, path, git } = await indexedRepository(partners);
  const before = await relations(engine);
  git("worktree", "add", "-q", ".v1", "v1");
  const checkout = createProject({}, { workspace: () => join(path, ".v1"), onDisk: true });
  onTestFinished(checkout.dispose);
  await checkout.engine.index({ ...request(), confirmsRoot: true });
  const then = await relations(engine, "v1");
  expect(then).toEqual(await relations(checkout.engine));
  // Git knows of three commits then: no later one counts.
  expect(JSON.stringify(then)).toContain("3 of 3 commits");
  expect(JSON.stringify(then)).not.toContain("queue");
  expect(JSON.stringify(before)).toContain("4 of 7 commits");
  expect(await relations(engine)).toEqual(before);
  for (const target of ["working", "HEAD", "main"]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    await expect(engine.impact({ ...request(), target, depth: 1, at: "v1" })).rejects.toMatchObject(
      { code: expect.stringMatching(/INVALID_PARAMS|SYMBOL_NOT_FOUND/) },
    );
  }
});

test("an answer about a commit has nothing of the work tree, and the other way round", async () => {
  const { engine } = await indexedRepository((repository) => {
    history(repository);
    repository.commit({}, "empty");
  });
  const later = await found(engine, "resumeUpload");
  expect(later).toContain("src/later.js:1-1");
  expect((await found(engine, "resumeUpload", "v1")).join()).not.toContain("src/later.js");
  expect((await found(engine, "retry", "v1")).join()).toContain("src/retry.js");
  expect((await found(engine, "retry")).join()).not.toContain("src/retry.js");
});

test("uncommitted files are not in the answer of a commit", async () => {
  const { engine, path, git } = await indexedRepository((repository) => {
    history(repository);
    repository.commit({ "src/mine.js": "export function secretPlan() {}\n" });
    repository.git("reset", "-q", "--soft", "HEAD~1");
  });
  expect(git("status", "--porcelain")).toContain("src/mine.js");
  expect(existsSync(join(path, "src/mine.js"))).toBe(true);
  expect((await found(engine, "secretPlan")).join()).toContain("src/mine.js");
  expect((await found(engine, "secretPlan", "HEAD")).join()).not.toContain("src/mine.js");
});

test("a damaged index of a commit is made again, and that of the files stays", async () => {
  const { engine, revisions } = await indexedRepository(largeHistory);
  const before = await found(engine, "retry upload", "v1");
  await engine.close();
  const [folder = ""] = indexesIn(revisions);
  const catalog = join(revisions, folder, "namespaces");
  const [namespace = ""] = readdirSync(catalog);
  const segments = join(catalog, namespace, "segments");
  // A link, so the file of the namespace stays.
  for (const name of readdirSync(segments)) rmSync(join(segments, name));
  const again = createProject(
    {},
    {
      onDisk: true,
      dataDirectory: join(revisions, "../../.."),
      workspace: () => again.root,
    },
  );
  onTestFinished(again.dispose);
  const where = { ...request(), ...SEARCH, namespace: namespace };
  const ask = () => again.engine.search({ ...where, query: "retry upload", at: "v1" });
  await expect(ask()).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  const { passages } = await ask();
  expect(passages.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`)).toEqual(
    before,
  );
});

test("a commit that nobody has, several namespaces, and an index in memory are refused", async () => {
  const { engine, namespace } = await indexedRepository(history);
  await expect(found(engine, "retry", "v9")).rejects.toMatchObject({ code: "INVALID_PARAMS" });
  const several = { ...request(), ...SEARCH, query: "retry", at: "v1" };
  await expect(
    engine.search({ ...several, namespace: `${namespace},other` }),
  ).rejects.toMatchObject({ code: "INVALID_PARAMS" });
  const inMemory = await indexedRepository(history, { onDisk: false });
  await expect(found(inMemory.engine, "retry", "v1")).rejects.toThrow(
    "keeps no indexes of commits",
  );
});
