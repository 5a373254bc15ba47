import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { modules, repositoryOf } from "../../engine/fixtures/worktrees.ts";
import { createMachine, type Machine } from "../../helpers/cli.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { plant } from "../../helpers/tree.ts";

function machineWith(files: Parameters<typeof createMachine>[0]): Machine {
  const machine = createMachine(files);
  onTestFinished(machine.dispose);
  return machine;
}

const FILES = { "a.md": "one\n", "src/b.ts": "export const b = 1;\n", ".env": "SECRET=1\n" };

test("the summary shows what was indexed and what was done", async () => {
  const here = machineWith(FILES);
  const { code, out, err } = await here.svc("index", here.root);
  expect([code, err]).toEqual([0, ""]);
  expect(out.replace(here.root, "ROOT").replace(/[\d.]+ s\./, "N s.")).toMatchInlineSnapshot(`
    "Indexed ROOT as "project" in N s.
    2 files (24 bytes), 2 chunks, 1 symbol; 1 file skipped.
    2 added, 0 changed, 0 removed, 0 unchanged.
    "
  `);
  plant(here.root, { "a.md": "two\n" });
  expect((await here.svc("index", here.root)).out).toContain(
    "0 added, 1 changed, 0 removed, 1 unchanged.",
  );
});

test("--rebuild reads everything again", async () => {
  const here = machineWith(FILES);
  await here.svc("index", here.root);
  const { code, out } = await here.svc("index", here.root, "--rebuild", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    namespace: "project",
    source: here.root,
    generation: 2,
    done: true,
    files: 2,
    state: "ready",
  });
});

/** The globs in the status of the only source. */
async function filtersOf(here: Machine): Promise<unknown> {
  const { namespaces } = JSON.parse((await here.svc("status", "--json")).out);
  const { include, exclude } = namespaces[0].sources[0];
  return { include, exclude, files: namespaces[0].files };
}

test("--include and --exclude are kept by later runs, replaced by new ones, and cleared", async () => {
  const here = machineWith({ ...FILES, "src/b.snap": "x\n", "src/c.js": "x\n" });
  const index = async (...words: readonly string[]): Promise<unknown> => {
    expect((await here.svc("index", here.root, ...words)).code).toBe(0);
    return filtersOf(here);
  };
  const snap = { include: ["src/", "*.md"], exclude: ["*.snap"] };
  expect(await index("--include", "src/", "--include", "*.md", "--exclude", "*.snap")).toEqual({
    ...snap,
    files: 3,
  });
  expect(await index()).toEqual({ ...snap, files: 3 });
  expect(await index("--rebuild")).toEqual({ ...snap, files: 3 });
  expect(await index("--include", "src/*.{ts,snap}")).toEqual({
    include: ["src/*.ts", "src/*.snap"],
    exclude: ["*.snap"],
    files: 1,
  });
  expect(await index("--clear-filters", "--exclude", "*.md")).toEqual({
    exclude: ["*.md"],
    files: 3,
  });
  expect(await index("--clear-filters")).toEqual({ files: 4 });
  const { out } = await here.svc("status");
  expect(out).not.toContain("only ");
});

test("--include includes neither secrets nor what git ignores", async () => {
  const here = machineWith({ ...FILES, ".gitignore": "out/\n", "out/d.ts": "const d = 1;\n" });
  await here.svc("index", here.root, "--include", ".env", "--include", "out/", "--include", "*.ts");
  expect(await filtersOf(here)).toMatchObject({ files: 1 });
});

test.each<[readonly string[], RegExp]>([
  [["--include", ""], /--include needs a value/],
  [["--include", "../x"], /leads out of the source/],
  [["--exclude", "[a"], /has a "\[" that is not closed/],
  [["--exclude", "#a"], /is a comment or blank in an ignore file/],
  [["--remove", "--include", "a"], /--remove takes no --include/],
  [["--verify", "--clear-filters"], /--verify takes no --include/],
])("%j is wrong use", async (words, said) => {
  const here = machineWith(FILES);
  const { code, err } = await here.svc("index", here.root, ...words);
  expect(code).toBe(2);
  expect(err).toMatch(said);
});

test("warnings are on standard error, by file and line", async () => {
  const here = machineWith({ ...FILES, ".svc.toml": "documents = 1\n" });
  const { code, out, err } = await here.svc("index", here.root);
  expect(code).toBe(0);
  expect(err).toBe(
    `Warning: "${here.root}/.svc.toml", line 1: "documents" must be true or false.\n`,
  );
  expect(out).not.toContain("Warning");
});

test("--namespace puts it there", async () => {
  const here = machineWith(FILES);
  expect((await here.svc("index", here.root, "--namespace", "team")).out).toContain('as "team"');
  expect((await here.svc("search", "export const", "--namespace", "team")).code).toBe(0);
  expect((await here.svc("search", "export const", "--namespace", "project")).code).toBe(2);
});

test.each<[string, RegExp]>([
  ["nowhere", /"nowhere" does not exist or cannot be read/],
  ["project/a.md", /is not a directory/],
  ["/", /does not index as a whole/],
])("%j exits with 2 and a hint", async (path, said) => {
  const here = machineWith(FILES);
  const target = path.startsWith("project") ? join(here.root, "a.md") : path;
  const { code, out, err } = await here.svc("index", target);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(said);
});

test("a namespace that cannot be one is wrong use", async () => {
  const here = machineWith(FILES);
  const { code, err } = await here.svc("index", here.root, "--namespace", "No Name");
  expect(code).toBe(2);
  expect(err).toMatch(/not a namespace name/);
});

const INDEX_TWO_FOLDERS = fileURLToPath(new URL("fixtures/index-two-folders.ts", import.meta.url));
const NOBODY = 65_534;

test("an unreadable folder is refused; inside another one it is reported", () => {
  const here = machineWith({ ...FILES, "closed/c.md": "three\n" });
  const closed = join(here.root, "closed");
  chmodSync(dirname(here.root), 0o755);
  chmodSync(closed, 0o000);
  onTestFinished(() => chmodSync(closed, 0o755));
  // Root can read everything, so the test runs as another user.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout, stderr } = spawnSync(process.execPath, [INDEX_TWO_FOLDERS, here.root, closed], {
    encoding: "utf8",
    ...user,
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({
    whole: { code: 0, err: "", out: expect.stringContaining("2 files skipped") },
    status: {
      namespaces: [
        {
          files: 2,
          skipped: { unreadable: 1, secret: 1 },
          skipped_files: [
            { path: ".env", reason: "secret" },
            { path: "closed", reason: "unreadable" },
          ],
        },
      ],
    },
    closed: {
      code: 2,
      out: "",
      err: expect.stringContaining("does not exist or cannot be read"),
    },
  });
}, 30_000);

test("an index that cannot be written is reported, with exit code 2", async () => {
  const here = machineWith(FILES);
  plant(here.data, { "namespaces/project/catalog.db/": "" });
  const { code, out, err } = await here.svc("index", here.root);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/svc: /);
});

test("--verify names the damage and exits with 2; --rebuild repairs it", async () => {
  const here = machineWith({ ...FILES, ...manyWords() });
  await here.svc("index", here.root);
  const sound = await here.svc("index", "--verify", here.root);
  expect(sound).toEqual({
    code: 0,
    out: `The index of "project" is intact.\n`,
    err: "",
  });
  const { segments } = indexLayout(here.data, "project");
  const [name = "none"] = readdirSync(segments);
  const bytes = readFileSync(join(segments, name));
  writeFileSync(join(segments, name), bytes.fill(0xa5, 5000, 5001));
  const { code, out } = await here.svc("index", here.root, "--verify");
  expect(code).toBe(2);
  expect(out).toBe(
    `The index of "project" is damaged:\n  segments/${name}: postings\n` +
      "Run `svc index --rebuild` to set the damaged files aside and read every file again.\n",
  );
  const asJson = await here.svc("index", here.root, "--verify", "--json");
  expect([asJson.code, JSON.parse(asJson.out)]).toEqual([
    2,
    { namespace: "project", damage: [`segments/${name}: postings`] },
  ]);
  expect((await here.svc("index", here.root, "--rebuild")).code).toBe(0);
  expect(await here.svc("index", "--verify", here.root)).toEqual(sound);
}, 60_000);

test("--verify without an index reports what to do", async () => {
  const here = machineWith(FILES);
  const { code, err } = await here.svc("index", here.root, "--verify");
  expect([code, err]).toEqual([2, expect.stringContaining("is not a source")]);
  // The dot is the default for the working directory, not an argument.
  expect((await here.svc("index", "--remove")).err).toContain(`${process.cwd()} is not a source`);
});

test("the first index of a worktree says which one it started from, and so does the status", async () => {
  const machine = createMachine();
  onTestFinished(machine.dispose);
  const trees = repositoryOf(modules(20));
  const folder = trees.add("fix");
  await machine.svc("index", trees.main.path, "--namespace", "main");
  const sentence = "Started from the index of main: 20 of 20 files were the same.";
  expect((await machine.svc("index", folder)).out).toContain(`\n${sentence}\n`);
  expect((await machine.svc("index", folder)).out).not.toContain("Started from");
  expect((await machine.svc("status")).out).toContain(`\n  ${sentence}\n`);
  const { out } = await machine.svc("status", "--namespace", "fix", "--json");
  expect(JSON.parse(out)).toMatchObject({
    namespaces: [{ started_from: { namespace: "main", same: 20, files: 20 } }],
  });
});
