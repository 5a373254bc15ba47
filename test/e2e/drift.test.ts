// The shipped program in a repository whose documentation names what a commit removed.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, svc } from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const CODE = [
  "import argparse",
  "",
  "",
  "def read_blobs(path):",
  "    return path",
  "",
  "",
  "parser = argparse.ArgumentParser()",
  'parser.add_argument("--dry-run")',
  "",
].join("\n");
const place = createPlace({
  "harbour.py": CODE,
  "README.md": "# Harbour\n\nCall `harbour.read_blobs(path)`.\n\n## Flags\n\nTry `--dry-run`.\n",
  "CHANGELOG.md": "- `read_blobs()` is new.\n",
});
afterAll(() => place.remove());

function git(...args: readonly string[]): string {
  const settings = ["user.name=Ann", "user.email=a@example.org", "maintenance.auto=false"];
  const options = settings.flatMap((one) => ["-c", one]);
  return execFileSync("git", [...options, ...args], {
    cwd: place.root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function commit(message: string): string {
  git("add", "-A");
  git("commit", "-q", "-m", message);
  return git("rev-parse", "HEAD");
}

test("svc changes --docs names what is gone, and the commit that removed it", async () => {
  git("init", "-q", "-b", "main");
  const first = commit("Begin");
  const none = await svc(place, "changes", "--docs");
  expect([none.exit, none.stdout]).toEqual([0, ""]);
  expect(none.stderr).toContain("No outdated names:");

  const renamed = CODE.replace("read_blobs", "read_all");
  writeFileSync(join(place.root, "harbour.py"), renamed);
  const rename = commit("Read all\u001b[2J of them");
  writeFileSync(join(place.root, "harbour.py"), renamed.replace(/parser\.add.*\n/, ""));
  const drop = commit("Drop the flag");

  const { exit, stdout } = await svc(place, "changes", "--docs");
  const date = new Date().toISOString().slice(0, 10).replace(/\d/g, "\\d");
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^README\\.md:3  Harbour  \`harbour\\.read_blobs\\(path\\)\`: \`read_blobs\` was renamed to \`read_all\` in ${rename.slice(0, 10)} \\(${date}\\): Read all.* of them\n` +
        `README\\.md:7  Harbour > Flags  \`--dry-run\` was removed in ${drop.slice(0, 10)} \\(${date}\\): Drop the flag\n$`,
    ),
  );
  expect(stdout).not.toContain("\u001b");

  const json = await svc(place, "changes", "--docs", "--since", rename, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    statements: [{ path: "README.md", line: 7, kind: "flag", removed: { commit: drop } }],
    checked: { pages: 1 },
    has_more: false,
  });
  // Results whose lines have such a name say so from now on.
  const note = `line 7: \`--dry-run\` was removed in ${drop.slice(0, 10)} (`;
  expect((await svc(place, "search", "try flags")).stdout).toContain(`  ${note}`);
  expect((await svc(place, "read", "README.md")).stdout).toContain(note);
  expect((await svc(place, "read", "README.md:1-2")).stdout).not.toContain("was re");
  const found = await svc(place, "search", "try flags", "--json");
  expect(found.stdout).toContain(drop);

  const fixed = "# Harbour\n\nCall `harbour.read_all(path)`.\n";
  writeFileSync(join(place.root, "README.md"), fixed);
  expect((await svc(place, "changes", "--docs", "--since", first)).stdout).toBe("");
}, 60_000);

test("a server notes by itself what later commits remove", async () => {
  writeFileSync(join(place.root, "README.md"), "# Harbour\n\nCall `harbour.read_all(path)`.\n");
  commit("Describe what is there");
  expect((await svc(place, "changes", "--docs")).stdout).toBe("");
  const { token } = await createTokenFor(place);
  const server = startServer(place, { SERVICE_TOKEN: token });
  const read = async (): Promise<string> => {
    const items = await server.items("read_context", { targets: ["README.md"] });
    return items.map(({ text }) => text).join("\n");
  };
  expect(await read()).not.toContain("renamed");
  writeFileSync(join(place.root, "harbour.py"), CODE.replace("read_blobs", "read_ships"));
  const rename = commit("Name what is read").slice(0, 10);
  const note = `\`read_all\` was renamed to \`read_ships\` in ${rename} (`;
  await expect.poll(read, { timeout: 30_000, interval: 500 }).toContain(note);
  // Other processes take it from there.
  expect((await svc(place, "read", "README.md")).stdout).toContain(note);
  expect(await server.close()).toBe(0);
}, 90_000);

test("an unknown commit and flags that cannot be used together are errors with a remedy", async () => {
  const since = await svc(place, "changes", "--docs", "--since", "v99");
  expect([since.exit, since.stdout]).toEqual([2, ""]);
  expect(since.stderr).toContain("v99");
  const both = await svc(place, "changes", "--docs", "--monitor", "todos");
  expect(both.exit).toBe(2);
  expect(both.stderr).toContain("--docs and --monitor cannot be used together.");
}, 60_000);
