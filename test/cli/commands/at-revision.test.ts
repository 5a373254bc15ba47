import { execFileSync } from "node:child_process";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";
import { plant } from "../../helpers/tree.ts";

const SETTINGS = ["user.name=t", "user.email=t@example.org", "maintenance.auto=false"];
const here = createMachine({
  "src/log.js": "export function writeLine(text) {\n  send(text);\n}\n",
  "src/main.js": 'import { writeLine } from "./log.js";\n\nwriteLine("hello");\n',
});
afterAll(() => here.dispose());

function git(...args: readonly string[]): void {
  execFileSync("git", [...SETTINGS.flatMap((one) => ["-c", one]), ...args], {
    cwd: here.root,
    stdio: "ignore",
  });
}

beforeAll(() => {
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Write lines");
  git("tag", "v1");
  plant(here.root, {
    "src/log.js": "export function log() {}\n",
    "src/main.js": 'import { log } from "./log.js";\n\nlog();\n',
  });
  git("commit", "-q", "-a", "-m", "Rename");
});

test.each([
  [["search", "writeLine", "-l"], /^src\/log\.js\n/],
  [["symbols", "writeLine"], /^function writeLine\(text\) {2}src\/log\.js:1-3/],
  [["refs", "writeLine"], /^src\/main\.js\n {2}1: import \{ writeLine \} from/],
  [["outline", "src/log.js"], /function writeLine\(text\) {2}1-3/],
  [["impact", "src/log.js#writeLine"], /writeLine[^]*src\/main\.js/],
  [["related", "writeLine"], /src\/main\.js[^]*1 of 1 commits/],
])(
  "svc %s answers about the commit of --at, and without it about the files",
  async (words, old) => {
    const then = await here.svc(...words, "--at", "v1");
    expect([then.code, then.out]).toEqual([0, expect.stringMatching(old)]);
    const now = await here.svc(...words);
    expect(now.out).not.toMatch(old);
  },
);

test("a map for a prompt and an answer without results name the commit", async () => {
  const map = await here.svc("outline", "--markdown", "--at", "v1");
  expect(map.out.split("\n")[0]).toMatch(/^# [\w-]+ at `v1`$/);
  expect((await here.svc("outline", "--markdown")).out.split("\n")[0]).toMatch(/^# [\w-]+$/);
  const none = await here.svc("search", "xyzzyplugh", "--at", "v1");
  expect([none.code, none.err]).toEqual([
    1,
    expect.stringMatching(/^No results in "[\w-]+" at v1\./),
  ]);
});

test("a commit that there is not, and -i, are refused", async () => {
  const { code, err } = await here.svc("search", "writeLine", "--at", "v9");
  expect([code, err]).toEqual([2, expect.stringContaining('has no commit "v9"')]);
  expect((await here.svc("search", "-i", "--at", "v1")).err).toContain("cannot be used with --at.");
  const change = await here.svc("impact", "--at", "v1");
  expect([change.code, change.err]).toEqual([2, expect.stringContaining("Name a definition")]);
});
