import { execFileSync } from "node:child_process";

import { afterAll, expect, test } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";

const SETTINGS = ["user.name=Eve\u001b[2J", "user.email=e@example.org", "maintenance.auto=false"];
const here = createMachine({
  "src/log.js": "export function writeLine(text) {\n  send(text);\n}\n",
});
afterAll(() => here.dispose());

function git(...args: readonly string[]): void {
  execFileSync("git", [...SETTINGS.flatMap((one) => ["-c", one]), ...args], {
    cwd: here.root,
    stdio: "ignore",
  });
}

git("init", "-q", "-b", "main");
git("add", "-A");
git("commit", "-q", "-m", "Write lines\u001b]0;title\u0007\n\nFor the log (#3).");

function why(...words: readonly string[]): Promise<CliRun> {
  return here.svc("why", ...words);
}

test("a line has its commit, with a safe message and hunk", async () => {
  const { code, out, err } = await why("src/log.js:2");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^src\/log\.js:2 {2}writeLine\n\n[0-9a-f]{10} {2}\d{4}-\d\d-\d\d {2}Eve {2}Write lines\n/,
  );
  expect(out).toContain("  wrote line 2; introduced it; #3\n  For the log (#3).\n  src/log.js\n");
  expect(out).toContain("  +  send(text);");
  // oxlint-disable-next-line no-control-regex -- none may come through
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test("paths are relative to the working directory", async () => {
  const { out } = await here.in(`${here.root}/src`).svc("why", "log.js:2");
  expect(out).toMatch(/^log\.js:2 {2}writeLine\n/);
  expect(out).toContain("\n  log.js\n");
});

test("a definition, and a question in words", async () => {
  expect((await why("writeLine")).out).toContain("wrote all 3 lines; introduced it");
  const { code, out } = await why("why do we write lines");
  expect([code, out.includes("touched writeLine (src/log.js)")]).toEqual([0, true]);
  expect((await why("writeLine", "--as", "words")).out).toContain("touched writeLine");
});

test("--json has the commits, and no commit is exit code 1", async () => {
  const { code, out } = await why("src/log.js:2", "--json", "-n", "1");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    namespace: "project",
    kind: "place",
    target: { path: "src/log.js", start_line: 2, symbol: "writeLine" },
    commits: [{ author: expect.stringContaining("Eve"), issues: ["#3"], path: "src/log.js" }],
    more_commits: 0,
  });
  const nothing = await why("xylophones everywhere");
  expect([nothing.code, nothing.out]).toEqual([1, "No commit explains it.\n"]);
});

test("a place that does not exist is an error", async () => {
  const { code, err } = await why("src/none.js:2");
  expect(code).toBeGreaterThan(1);
  expect(err).toContain("src/none.js");
  expect((await why("no such name", "--as", "place")).err).toContain("no such name");
});

test("svc read and svc grep --at show the files of a commit", async () => {
  const read = await here.svc("read", "src/log.js:2", "--at", "HEAD");
  expect([read.code, read.out.includes("  send(text);")]).toEqual([0, true]);
  const grep = await here.svc("grep", "send", "--at", "main");
  expect([grep.code, grep.out]).toEqual([0, "src/log.js:2:  send(text);\n"]);
  const none = await here.svc("grep", "send", "--at", "v9");
  expect(none.code).toBeGreaterThan(1);
  expect(none.err).toContain('no commit "v9"');
});

test("svc read --why adds the commits behind the lines, and not with --at", async () => {
  const { code, out, err } = await here.svc("read", "src/log.js:2", "--why");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^src\/log\.js:2-2 .*\n {2}send\(text\);\nCommits behind src\/log\.js:2-2:\n {2}[0-9a-f]{10} {2}\d{4}-\d\d-\d\d {2}Eve {2}Write lines.*\(wrote line 2; introduced it; #3\)\n$/,
  );
  const json = await here.svc("read", "src/log.js:2", "--why", "--json");
  expect(JSON.parse(json.out)).toMatchObject({
    parts: [{ path: "src/log.js", why: { commits: [{ issues: ["#3"] }], more_commits: 0 } }],
  });
  const both = await here.svc("read", "src/log.js:2", "--why", "--at", "HEAD");
  expect([both.code, both.out]).toEqual([2, ""]);
  expect(both.err).toContain("--why and --at cannot be used together.");
});
