import { expect, onTestFinished, test } from "vitest";

import { parseCommit, readCommits } from "../../src/sources/commit-objects.ts";
import { repositoryAbove } from "../../src/sources/git.ts";
import { withGit } from "../../src/sources/run-git.ts";
import { gitRepository } from "../helpers/git-repository.ts";

const LIMITS = { signal: new AbortController().signal, timeoutMs: 10_000, maxBytes: 1 << 20 };
const ID = "0123456789012345678901234567890123456789";

function object(message: string | Buffer, ...headers: readonly string[]): Buffer {
  const head = ["tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", ...headers].join("\n");
  return Buffer.concat([Buffer.from(`${head}\n\n`, "latin1"), Buffer.from(message)]);
}

test("a commit has its author, date, parents and message", async () => {
  const { path, commit, git, dispose } = gitRepository();
  onTestFinished(dispose);
  const first = commit({ a: "1" }, "Add a\n\nIt was missing.\n\nFixes #12");
  const second = commit({ a: "2" }, "Change a");
  const repository = repositoryAbove({ root: path });
  if (repository === undefined) throw new Error("no repository");
  const tree = git("rev-parse", "HEAD^{tree}");
  const missing = "f".repeat(40);
  const commits = await withGit(repository, (run) =>
    readCommits(run, [second, missing, tree, first], LIMITS),
  );
  expect([...commits.values()]).toEqual([
    {
      id: second,
      parents: [first],
      author: "t",
      authoredAt: "2026-01-02T00:00:00.000Z",
      subject: "Change a",
      body: "",
    },
    {
      id: first,
      parents: [],
      author: "t",
      authoredAt: "2026-01-01T00:00:00.000Z",
      subject: "Add a",
      body: "It was missing.\n\nFixes #12",
    },
  ]);
});

test("a message that looks like an object is the message of its own commit", async () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  const first = commit({ a: "1" }, "first");
  const second = commit({ a: "2" }, `second\n\n${first} commit 3\nx\n`);
  const repository = repositoryAbove({ root: path });
  if (repository === undefined) throw new Error("no repository");
  const commits = await withGit(repository, (run) => readCommits(run, [second, first], LIMITS));
  expect([...commits.values()].map(({ id, subject }) => [id, subject])).toEqual([
    [second, "second"],
    [first, "first"],
  ]);
});

test("text in another encoding is decoded, and one in an unknown encoding is read as UTF-8", () => {
  const author = "author Jos\u00e9 <j@example.org> 1767225600 +0100";
  const latin = object(Buffer.from("Caf\u00e9", "latin1"), author, "encoding ISO-8859-1");
  expect(parseCommit(ID, latin)).toMatchObject({ author: "Jos\u00e9", subject: "Caf\u00e9" });
  const unknown = object("Caf\u00e9", "author J <j@example.org> 0 +0000", "encoding klingon");
  expect(parseCommit(ID, unknown).subject).toBe("Caf\u00e9");
});

test("a subject of several lines is one line, and a signature is no part of the message", () => {
  const bytes = object(
    "\n\nFirst line\nsecond line\n  \n\nBody\n",
    "author J <j@example.org> 1767225600 +0000",
    "gpgsig -----BEGIN PGP SIGNATURE-----",
    " author Mallory <m@example.org> 1 +0000",
  );
  expect(parseCommit(ID, bytes)).toMatchObject({
    author: "J",
    subject: "First line second line",
    body: "Body",
  });
});

test("a commit without a message, a name or a valid date has empty ones", () => {
  expect(parseCommit(ID, object("", "author  <> 99999999999999999 +0000"))).toEqual({
    id: ID,
    parents: [],
    author: "",
    authoredAt: "",
    subject: "",
    body: "",
  });
});

test("a huge message is cut", () => {
  const { subject, body } = parseCommit(ID, object(`Big\n\n${"x".repeat(1 << 20)}`));
  expect(subject).toBe("Big");
  expect(body.length).toBeLessThan(70_000);
});
