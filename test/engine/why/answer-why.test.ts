import { expect, onTestFinished, test } from "vitest";

import type { WhyResult } from "../../../src/engine/api/why.ts";
import type { Cacheable } from "../../../src/engine/api/request.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { createProject, request } from "../../helpers/project.ts";

const TABLE = "export function parseTable() {\n  return read();\n}\n";

interface Opened extends GitRepository {
  readonly why: (question: string) => Promise<Cacheable<WhyResult>>;
}

async function opened(): Promise<Opened> {
  const repository = gitRepository();
  repository.commit({ "src/a.js": TABLE }, "Read tables");
  const { engine, dispose } = createProject({}, { workspace: () => repository.path });
  onTestFinished(async () => {
    await dispose();
    repository.dispose();
  });
  await engine.index(request());
  const why: Opened["why"] = (question) =>
    engine.why({ ...request(), question, limit: 5, waitMs: 60_000 });
  return { ...repository, why };
}

test("a place is no question in words, and answers come with the namespace", async () => {
  const { why } = await opened();
  const place = await why("src/a.js:2");
  expect(place).toMatchObject({ kind: "place", target: { symbol: "parseTable" }, partial: [] });
  const words = await why("why do we read tables");
  expect(words).toMatchObject({ kind: "words", target: undefined, moreCommits: 0 });
  expect([place, words].map(({ commits }) => commits[0]?.subject)).toEqual([
    "Read tables",
    "Read tables",
  ]);
});

test("a new commit is in the next answer, although no file has changed", async () => {
  const { why, commit } = await opened();
  expect((await why("tables")).commits).toHaveLength(1);
  expect((await why("tables")).isCacheable).toBe(true);
  commit({}, "Explain tables");
  expect((await why("tables")).commits).toHaveLength(2);
});

test("secrets in messages and hunks are masked", async () => {
  const { why, commit } = await opened();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
  commit({ "src/a.js": TABLE.replace("read()", `read("${secret}")`) }, `Use ${secret}`);
  expect(JSON.stringify(await why("parseTable"))).not.toContain(secret);
  expect(JSON.stringify(await why("read tables"))).not.toContain(secret);
  expect((await why(secret)).commits).toEqual([]);
});
