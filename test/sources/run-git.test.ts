import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { readGitChange, requireCommit } from "../../src/sources/git-change.ts";
import { GitHistoryCache } from "../../src/sources/git-history.ts";
import { repositoryAt } from "../../src/sources/git.ts";
import { resolveRevision, withGit } from "../../src/sources/run-git.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { plant, tree } from "../helpers/tree.ts";

const LIMITS = { timeoutMs: 20_000, maxBytes: 1 << 20 };

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

function signal(): AbortSignal {
  return new AbortController().signal;
}

/** A repository whose configuration, attributes and hooks start a program wherever git allows it. */
function trap(): { root: string; mark: string; git: GitRepository["git"] } {
  const { path: root, git, commit } = repository();
  const outside = tree();
  onTestFinished(outside.dispose);
  const mark = join(outside.path, "started");
  const program = join(outside.path, "program");
  plant(outside.path, { program: `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n` });
  chmodSync(program, 0o755);
  commit({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
  commit({
    "a.txt": "one\nTWO\n",
    "b.txt": "c\n",
    ".gitattributes": "*.txt filter=trap diff=trap\n",
  });
  const config: Readonly<Record<string, string>> = {
    "core.fsmonitor": program,
    "core.hooksPath": outside.path,
    "core.pager": program,
    "core.sshCommand": program,
    "core.alternateRefsCommand": program,
    "diff.external": program,
    "diff.trap.command": program,
    "diff.trap.textconv": program,
    "filter.trap.clean": program,
    "filter.trap.smudge": program,
    "filter.trap.process": program,
    "filter.trap.required": "true",
    "log.showSignature": "true",
    "gpg.program": program,
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": `ext::${program}`,
    "remote.origin.uploadpack": program,
    "protocol.ext.allow": "always",
    "core.repositoryformatversion": "1",
  };
  plant(outside.path, { "post-index-change": readFileSync(program) });
  chmodSync(join(outside.path, "post-index-change"), 0o755);
  // Last, because git itself would start the program.
  for (const [name, value] of Object.entries(config)) git("config", name, value);
  plant(root, { "a.txt": "one\nthree\n", "new.txt": "x\n" });
  return { root, mark, git };
}

test("the trap works: git itself starts the program", () => {
  const { root, mark } = trap();
  try {
    execFileSync("git", ["diff", "HEAD"], { cwd: root, stdio: "ignore" });
  } catch {
    // Some versions of git fail on the program's output.
  }
  expect(existsSync(mark)).toBe(true);
});

test.each(["working", "staged", "HEAD~1", "HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD^!"])(
  "%s starts no program that a repository names, and writes nothing into it",
  async (change) => {
    const { root, mark } = trap();
    // Git would check touched files again and write their state into the index.
    utimesSync(join(root, "b.txt"), 1_000_000, 1_000_000);
    const before = readFileSync(join(root, ".git/index"));
    const names = readdirSync(join(root, ".git"));
    const { files } = await readGitChange({ root }, change, { signal: signal() });
    expect(files.length).toBeGreaterThanOrEqual(change === "staged" ? 0 : 1);
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(root, ".git/index"))).toEqual(before);
    expect(readdirSync(join(root, ".git"))).toEqual(names);
  },
);

test("reading the history and resolving revisions start no program either", async () => {
  const { root, mark } = trap();
  const histories = new GitHistoryCache();
  onTestFinished(() => histories.close());
  const { history } = await histories.of({ root }, signal());
  expect(history?.commits).toBe(2);
  const found = repositoryAt(root);
  // A missing object would be fetched in a partial clone.
  const names = ["HEAD", "main@{upstream}", `${"1".repeat(40)}^{commit}`, ":a.txt"];
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one program at a time
    if (found !== undefined) await resolveRevision(found, name, signal());
  }
  expect(existsSync(mark)).toBe(false);
});

test("missing objects of a partial clone are reported, not fetched", async () => {
  const { root, mark, git } = trap();
  const blob = git("rev-parse", "HEAD~1:a.txt");
  execFileSync("rm", ["-f", join(root, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
  await expect(readGitChange({ root }, "HEAD~1", { signal: signal() })).rejects.toThrow(
    expect.objectContaining({ code: "INVALID_PARAMS", hint: expect.stringContaining("missing") }),
  );
  expect(existsSync(mark)).toBe(false);
});

test("git is killed when it takes too long", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "a\n" });
  execFileSync("mkfifo", [join(path, "pipe")]);
  const found = repositoryAt(path);
  if (found === undefined) throw new Error("no repository");
  const output = await withGit(found, (git) =>
    git(["hash-object", join(path, "pipe")], { ...LIMITS, timeoutMs: 50, signal: signal() }),
  );
  expect(output).toMatchObject({ outcome: "late" });
});

test("git's children end with it", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "a\n" });
  const found = repositoryAt(path);
  if (found === undefined) throw new Error("no repository");
  const script = `!sleep 1000 & echo $! > ${join(path, "pid")}; wait`;
  const call = new AbortController();
  const waiting = withGit(found, (git) =>
    git(["-c", `alias.dawdle=${script}`, "dawdle"], { ...LIMITS, signal: call.signal }),
  );
  const pid = await vi.waitFor(() => {
    const number = Number(readFileSync(join(path, "pid"), "utf8"));
    expect(number).toBeGreaterThan(0);
    return number;
  });
  call.abort();
  await expect(waiting).rejects.toThrow("cancelled");
  const isRunning = (): boolean => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  };
  await vi.waitFor(() => expect(isRunning()).toBe(false));
});

test("no files are left behind, and output beyond the limit is cut off", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "a\n".repeat(5000) });
  const found = repositoryAt(path);
  if (found === undefined) throw new Error("no repository");
  // Other tests run git at the same time.
  const place = tree();
  onTestFinished(place.dispose);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = place.path;
  onTestFinished(() => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  });
  const output = await withGit(found, (git) =>
    git(["show", "HEAD:a.txt"], { ...LIMITS, signal: signal() }),
  );
  // The temporary git directory has no HEAD; revisions are resolved elsewhere.
  expect(output).toMatchObject({ outcome: "failed" });
  const head = await resolveRevision(found, "HEAD", signal());
  const cut = await withGit(found, (git) =>
    git(["cat-file", "blob", `${head}:a.txt`], { ...LIMITS, maxBytes: 100, signal: signal() }),
  );
  expect(cut).toMatchObject({ outcome: "full", bytes: Buffer.from("a\n".repeat(50)) });
  expect(readdirSync(tmpdir())).toEqual([]);
  expect(tmpdir()).toBe(place.path);
});

test("aborting the call kills git", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "a\n" });
  const found = repositoryAt(path);
  if (found === undefined) throw new Error("no repository");
  const timeout = expect.objectContaining({ code: "TIMEOUT" });
  const over = AbortSignal.abort();
  await expect(withGit(found, (git) => git(["log"], { ...LIMITS, signal: over }))).rejects.toThrow(
    timeout,
  );
  const call = new AbortController();
  // A pipe without a writer.
  execFileSync("mkfifo", [join(path, "pipe")]);
  const waiting = withGit(found, (git) => {
    const running = git(["hash-object", join(path, "pipe")], { ...LIMITS, signal: call.signal });
    setTimeout(() => call.abort(), 50);
    return running;
  });
  await expect(waiting).rejects.toThrow(timeout);
});

test("without git, a commit that exists is not called unknown", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "one\n" });
  const found = repositoryAt(path);
  if (found === undefined) throw new Error("no repository");
  vi.stubEnv("PATH", path);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(requireCommit(found, "HEAD", { signal: signal() })).rejects.toThrow(
    "git is not installed, so svc cannot read a history.",
  );
});
