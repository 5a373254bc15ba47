import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test, vi } from "vitest";

import { prepareFirstIndex } from "../../src/cli/first-index.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import { createMachine } from "../helpers/cli.ts";
import { plant } from "../helpers/tree.ts";

// It writes 50,001 files.
vi.setConfig({ testTimeout: 60_000 });

const here = createMachine({ "a.md": "The wombat digs.\n" });
afterAll(() => here.dispose());

test("a folder of projects is not indexed as one, unless it is named", async () => {
  const work = join(here.home, "work");
  plant(work, {
    "click/a.md": "The echidna digs.\n",
    "flask/b.md": "The echidna sleeps.\n",
    "notes.md": "The echidna waits.\n",
  });
  const at = here.in(work);
  expect((await at.svc("search", "echidna", "click")).code).toBe(0);
  expect(await at.svc("search", "echidna")).toEqual({
    code: 2,
    out: "",
    err: `svc: ${work} contains an indexed project: click.\nSearch one of them, such as \`svc search QUERY click\`. To index the whole folder as well, run \`svc index .\`.\n`,
  });
  expect((await at.svc("search", "echidna", "flask")).code).toBe(0);
  const above = await here.svc("grep", "echidna", work);
  expect(above.err).toContain(`${work} contains 2 indexed projects: click, flask.`);
  expect(above.err).toContain(`\`svc search QUERY ${join(work, "click")}\``);
  const { out } = await here.svc("namespaces", "list");
  expect(out).not.toContain(`${work}\n`);

  expect((await at.svc("index", work)).code).toBe(0);
  expect((await at.svc("grep", "-l", "echidna")).out).toContain("notes.md\n");
});

test("a repository with an indexed part is a project", async () => {
  const repository = join(here.home, "monorepo");
  plant(repository, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/": "",
    ".git/refs/": "",
    "packages/a/a.md": "The numbat digs.\n",
    "b.md": "The numbat sleeps.\n",
  });
  await here.svc("index", join(repository, "packages/a"));
  const { out } = await here.in(repository).svc("grep", "-l", "numbat");
  expect(out.split("\n").toSorted()).toEqual(["", "b.md", "packages/a/a.md"]);
});

test("a folder with more than 50,000 files is indexed only if it is named", async () => {
  const folder = join(here.home, "large");
  for (let part = 0; part < 51; part += 1) {
    mkdirSync(join(folder, `${part}`), { recursive: true });
    const count = part < 50 ? 1000 : 1;
    for (let at = 0; at < count; at += 1) writeFileSync(join(folder, `${part}`, `${at}.md`), "");
  }
  expect(await here.in(folder).svc("search", "wombat")).toEqual({
    code: 2,
    out: "",
    err: `svc: ${folder} has 50,001 files, which would take minutes to index.\nTo index it, run \`svc index .\`. To search a part of it, run \`svc search QUERY PATH\`.\n`,
  });
  expect((await here.svc("namespaces", "list")).out).not.toContain("large");
});

test("a terminal shows what is indexed, and how large it is", async () => {
  const app = here.openApp("search");
  const place = { root: here.root, path: here.root, isProject: false };
  for (const [errIsTerminal, shown] of [
    [true, `Indexing ${here.root}: 1 file, 17 bytes.\n`],
    [false, ""],
  ] as const) {
    const io = createMemoryIo({ errIsTerminal });
    await prepareFirstIndex({ app, io }, place, undefined);
    expect(io.stderr()).toBe(shown);
  }
  await app.close();
});
