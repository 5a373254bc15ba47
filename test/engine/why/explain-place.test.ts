import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { explainPlace } from "../../../src/engine/why/explain-place.ts";
import { whyPlace } from "../../../src/engine/why/why-target.ts";
import { indexedTree, sourceAt } from "../../helpers/indexed-tree.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { linesOf, signal, summaryOf, whyRepository } from "./why-repository.ts";

const OPEN = [
  "export function openSession(name) {",
  "  const session = createSession(name);",
  "  registerSession(session, name);",
  "  return session;",
  "}",
];
const RETRIED = OPEN.with(1, "  const session = retry(() => createSession(name));");

test("the commit that wrote the line comes first, then the others of its definition", async () => {
  const { commit, explain } = whyRepository();
  const first = commit({ "a.js": linesOf(...OPEN) }, "Add sessions\n\nThey are needed (#1).");
  const second = commit({ "a.js": linesOf(...RETRIED) }, "Retry to create a session");
  const third = commit({ "a.js": linesOf(...RETRIED.with(3, "  return { session };")) }, "Wrap it");
  commit({ "b.js": "other();\n" }, "Something else");
  const answer = await explain("a.js:3");
  expect(summaryOf(answer)).toEqual([
    "Add sessions: wrote line 3; introduced it",
    "Wrap it: changed it",
    "Retry to create a session: changed it",
  ]);
  expect(answer.commits.map(({ id }) => id)).toEqual([first, third, second]);
  expect(answer.commits[0]).toMatchObject({
    author: "t",
    authoredAt: "2026-01-01T00:00:00.000Z",
    body: "They are needed (#1).",
    issues: ["#1"],
    path: "a.js",
  });
  expect(answer.commits[2]?.hunk).toContain(`-${OPEN[1] ?? ""}\n+${RETRIED[1] ?? ""}`);
  expect(answer.target).toMatchObject({ symbol: "openSession", startLine: 3, uncommitted: [] });
});

test("of a definition, the commit that wrote most of it as it is now comes first", async () => {
  const { commit, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  commit({ "a.js": linesOf(...RETRIED) }, "Retry");
  const answer = await explain("openSession");
  expect(summaryOf(answer)).toEqual([
    "Add sessions: wrote 4 of 5 lines; introduced it",
    "Retry: wrote line 2",
  ]);
  expect((await explain("openSession", 1)).moreCommits).toBe(1);
});

test("a renamed file and a definition that moved to another file are followed", async () => {
  const { commit, explain } = whyRepository();
  commit({ "a.js": linesOf("first();", ...OPEN), "b.js": "second();\n" }, "Add sessions");
  commit({ "a.js": linesOf("first();", ...RETRIED) }, "Retry");
  commit({ "a.js": undefined, "old/a.js": linesOf("first();", ...RETRIED) }, "Rename");
  commit({ "old/a.js": "first();\n", "b.js": linesOf("second();", "", ...RETRIED) }, "Move it");
  commit(
    { "b.js": linesOf("second();", "", ...RETRIED.with(3, "  return wrap(session);")) },
    "Wrap",
  );
  const answer = await explain("b.js:5");
  expect(answer.partial).toEqual([]);
  expect(summaryOf(answer)).toEqual([
    "Add sessions: wrote line 5; introduced it",
    "Wrap: changed it",
    "Move it: moved it from old/a.js",
    "Retry: changed it",
  ]);
  expect(answer.commits.map(({ path }) => path)).toEqual(["a.js", "b.js", "b.js", "a.js"]);
});

test("commits that only reformatted, and those that the project ignores, come last", async () => {
  const { path, commit, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  commit({ "a.js": linesOf(...OPEN.with(2, "    registerSession( session, name )")) }, "Format");
  const renamed = OPEN.map((line) => line.replaceAll("session", "aSession"));
  const ignored = commit({ "a.js": linesOf(...renamed) }, "Rename everything");
  const answer = await explain("a.js:3");
  expect(summaryOf(answer)[0]).toBe("Rename everything: wrote line 3");
  expect(summaryOf(answer).at(-1)).toBe("Format: formatting only");
  plant(path, { ".git-blame-ignore-revs": `${ignored}\n` });
  expect(summaryOf(await explain("a.js:3"))).toEqual([
    "Add sessions: wrote line 3; introduced it",
    "Rename everything: formatting only",
    "Format: formatting only",
  ]);
});

test("a formatting commit is not named as the writer of a line", async () => {
  const { commit, explain } = whyRepository();
  commit({ "a.js": linesOf("const longNameOfValue = compute('first', 'second');") }, "Compute");
  commit({ "a.js": linesOf('const longNameOfValue = compute("first", "second");') }, "Quotes");
  expect(summaryOf(await explain("a.js:1"))).toEqual([
    "Compute: wrote line 1; introduced it",
    "Quotes: formatting only",
  ]);
});

test("a revert and what it reverted name each other", async () => {
  const { commit, git, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  const retry = commit({ "a.js": linesOf(...RETRIED) }, "Retry");
  git("revert", "--no-edit", "HEAD");
  const revert = git("rev-parse", "HEAD");
  const { commits } = await explain("openSession");
  const facts = commits.map(({ subject, reverts, revertedBy }) => ({
    subject,
    reverts,
    revertedBy,
  }));
  expect(facts).toContainEqual({ subject: "Retry", reverts: undefined, revertedBy: revert });
  expect(facts).toContainEqual({
    subject: 'Revert "Retry"',
    reverts: retry,
    revertedBy: undefined,
  });
});

test("changes of both sides of a merge are found", async () => {
  const { commit, git, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  git("checkout", "-q", "-b", "side");
  commit({ "a.js": linesOf(...OPEN.with(3, "  return wrap(session);")) }, "Wrap");
  git("checkout", "-q", "main");
  commit({ "a.js": linesOf("'use strict';", ...RETRIED) }, "Retry");
  git("merge", "-q", "--no-ff", "-m", "merge", "side");
  expect(summaryOf(await explain("openSession")).toSorted()).toEqual([
    "Add sessions: wrote 3 of 5 lines; introduced it",
    "Retry: wrote line 3",
    "Wrap: wrote line 5",
  ]);
});

test("lines that are not committed say so", async () => {
  const { path, commit, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  plant(path, { "a.js": linesOf("// new", ...OPEN.with(1, "  const session = other(name);")) });
  const changed = await explain("a.js:3");
  expect(changed.target?.uncommitted).toEqual([3]);
  expect(summaryOf(changed)).toEqual(["Add sessions: introduced it"]);
  expect(summaryOf(await explain("a.js:4"))[0]).toBe("Add sessions: wrote line 4; introduced it");
  plant(path, { "new.js": "fresh();\n" });
  const fresh = await explain("new.js:1");
  expect([fresh.target?.uncommitted, fresh.commits]).toEqual([[1], []]);
});

test("hostile names and messages stay text, and secrets of old names are not shown", async () => {
  const { commit, git, explain } = whyRepository();
  const name = 'dir\u001b[31m/odd "x": 1,2.js';
  git("config", "user.name", "Mallory\u001b[2J");
  commit({ [name]: linesOf(...OPEN) }, "Hi\u001b]0;title\u0007\n\n\u202ebody");
  expect(summaryOf(await explain(`${name}:2`))[0]).toContain("wrote line 2");
  commit({ ".env": linesOf("KEY=correct-horse", ...OPEN), [name]: undefined }, "Hide");
  commit({ ".env": undefined, "plain.js": linesOf("", ...OPEN) }, "Show");
  const answer = await explain("plain.js:3");
  expect(JSON.stringify(answer)).not.toContain("correct-horse");
  expect(answer.commits.every(({ path }) => path !== ".env")).toBe(true);
});

test("what the file was outside of the source is not shown", async () => {
  const { path, commit } = whyRepository();
  commit({ "private/a.js": linesOf("classified();", ...OPEN) }, "Private");
  commit({ "private/a.js": undefined, "lib/a.js": linesOf(...OPEN) }, "Publish");
  const data = indexedTree({}, { memory: true });
  onTestFinished(data.dispose);
  const source = sourceAt(join(path, "lib"));
  await data.run({ sources: [source] });
  const context = { ...(await data.queryContext()), sources: [source] };
  const texts = (await import("../../helpers/texts.ts")).textsOf([source]);
  const place = await whyPlace({ ...context, texts }, "a.js", "place");
  if (place === undefined) throw new Error("no place");
  const answer = await explainPlace([source], place, { limit: 10, signal });
  expect(JSON.stringify(answer)).not.toContain("classified");
  expect(answer.commits.map((one) => one.path).join(" ")).not.toContain("private");
});

test("in a shallow clone the answer says what is missing, and how to get it", async () => {
  const { path, commit } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  commit({ "b.js": "x\n" }, "Other");
  const clone = tree();
  onTestFinished(clone.dispose);
  const root = join(clone.path, "c");
  execFileSync("git", ["clone", "-q", "--depth=1", `file://${path}`, root], { stdio: "ignore" });
  const data = indexedTree({}, { memory: true });
  onTestFinished(data.dispose);
  const source = sourceAt(root);
  await data.run({ sources: [source] });
  const texts = (await import("../../helpers/texts.ts")).textsOf([source]);
  const context = { ...(await data.queryContext()), sources: [source], texts };
  const place = await whyPlace(context, "a.js:2", "place");
  if (place === undefined) throw new Error("no place");
  const answer = await explainPlace([source], place, { limit: 10, signal });
  expect(answer.partial.join(" ")).toContain("git fetch --unshallow");
});

test("without a repository the error names the folder and a remedy", async () => {
  const { root, run, queryContext, sources, dispose } = indexedTree({ "a.js": "x();\n" });
  onTestFinished(dispose);
  await run();
  const place = await whyPlace(await queryContext(), "a.js:1", "place");
  if (place === undefined) throw new Error("no place");
  await expect(explainPlace(sources, place, { limit: 5, signal })).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: `${root} is not in a git repository, so it has no history.`,
  });
});

test("without any time the answer is partial and says so, or the call ends with TIMEOUT", async () => {
  const { commit, index } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  await index.run();
  const place = await whyPlace(await index.queryContext(), "a.js:2", "place");
  if (place === undefined) throw new Error("no place");
  const request = { limit: 5, signal, deadline: 0 };
  // A process may end just before the millisecond has passed.
  const outcome = await explainPlace(index.sources, place, request).then(
    ({ partial }) => partial.join(" "),
    (error: unknown) => (error instanceof SvcError ? error.code : "other"),
  );
  expect(outcome).toMatch(/^TIMEOUT$|in time, so older/);
});

test("a git that is killed leaves a partial answer that says so", async () => {
  const { commit, explain } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  commit({ "a.js": linesOf(...RETRIED) }, "Retry");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\ncase " $* " in *" blame "*) kill -9 $$;; esac\nexec "${real}" "$@"\n`;
  const programs = tree({ git: script });
  onTestFinished(programs.dispose);
  chmodSync(join(programs.path, "git"), 0o755);
  vi.stubEnv("PATH", `${programs.path}:${process.env["PATH"] ?? ""}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const answer = await explain("a.js:2");
  expect(answer.partial.join(" ")).toContain("git could not read all of the history");
  expect(summaryOf(answer)).toEqual(["Retry: changed it", "Add sessions: introduced it"]);
});

test("a cancelled call ends with TIMEOUT", async () => {
  const { commit, index } = whyRepository();
  commit({ "a.js": linesOf(...OPEN) }, "Add sessions");
  await index.run();
  const place = await whyPlace(await index.queryContext(), "a.js:2", "place");
  if (place === undefined) throw new Error("no place");
  const request = { limit: 5, signal: AbortSignal.abort() };
  await expect(explainPlace(index.sources, place, request)).rejects.toMatchObject({
    code: "TIMEOUT",
  });
});
