// Commands in a folder of a project, above projects and outside of them.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, onTestFinished, test } from "vitest";

import { indexLayout } from "../../src/index/embedded/layout.ts";
import { createMachine, type CliRun } from "../helpers/cli.ts";
import { manyWords } from "../helpers/many-words.ts";
import { plant } from "../helpers/tree.ts";

const here = createMachine({
  "src/tokens.ts":
    "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n",
  "src/users.ts":
    'import { revokeToken } from "./tokens.ts";\n\nexport function leave(): void {\n  revokeToken("all");\n}\n',
  "docs/tokens.md": "# Tokens\n\nHow to revoke a token: call `revokeToken`.\n",
});
afterAll(() => here.dispose());

const { root } = here;
const parent = join(root, "..");

function run(folder: string, ...words: readonly string[]): Promise<CliRun> {
  return here.in(folder).svc(...words);
}

async function locations(folder: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(folder, "grep", ...words);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/:.*/, ""));
}

test("paths are relative to the working directory", async () => {
  expect(new Set(await locations(root, "revokeToken"))).toEqual(
    new Set(["docs/tokens.md", "src/tokens.ts", "src/users.ts"]),
  );
  expect(new Set(await locations(join(root, "src"), "revokeToken"))).toEqual(
    new Set(["../docs/tokens.md", "tokens.ts", "users.ts"]),
  );
  expect(new Set(await locations(parent, "revokeToken", "project"))).toEqual(
    new Set(["project/docs/tokens.md", "project/src/tokens.ts", "project/src/users.ts"]),
  );
});

test("PATH is a folder or a file of the project, and limits the answer", async () => {
  expect(new Set(await locations(root, "revokeToken", "src"))).toEqual(
    new Set(["src/tokens.ts", "src/users.ts"]),
  );
  expect(new Set(await locations(root, "revokeToken", "docs/tokens.md"))).toEqual(
    new Set(["docs/tokens.md"]),
  );
  expect(new Set(await locations(join(root, "src"), "revokeToken", "."))).toEqual(
    new Set(["tokens.ts", "users.ts"]),
  );
  const search = await run(root, "search", "revoke a token", "docs");
  expect(search.out).toMatch(/^docs\/tokens\.md:/);
  expect(search.out).not.toContain("src/");
  const symbols = await run(root, "symbols", "revokeToken", "docs");
  expect(symbols.code).toBe(1);
  const refs = await run(root, "refs", "revokeToken", "src/tokens.ts");
  expect(refs.out).toBe("");
  // None of these is a project of its own.
  expect((await run(root, "namespaces", "list")).out.trim().split("\n")).toHaveLength(1);
});

test("a part of a name is no folder", async () => {
  mkdirSync(join(root, "sr"), { recursive: true });
  expect(await locations(root, "revokeToken", "sr")).toEqual([]);
});

test("files are named as they are from here, or as in the index", async () => {
  const folder = join(root, "src");
  const outline = await run(folder, "outline", "tokens.ts");
  expect(outline.out).toMatch(/^tokens\.ts {2}typescript/);
  expect((await run(folder, "outline", "src/tokens.ts")).out).toBe(outline.out);
  expect((await run(folder, "outline")).out).toMatch(/^\.\.\/ {2}3 files/);
  expect((await run(folder, "outline", ".")).out).toMatch(/^\. {2}2 files/);
  const importers = await run(folder, "refs", "tokens.ts", "-r", "importers");
  expect(importers.out).toMatch(/^users\.ts\n/);
  const callers = await run(folder, "refs", "tokens.ts#revokeToken", "-r", "callers");
  expect(callers.out).toMatch(/^users\.ts\n/);
  expect(callers.err).toContain("revokeToken (tokens.ts:1-4)");
  expect((await run(folder, "symbols", "revokeToken")).out).toContain("  tokens.ts:1-4");
});

test("the nearest paths of a mistyped one are relative too", async () => {
  expect(await run(join(root, "src"), "outline", "token.ts")).toEqual({
    code: 2,
    out: "",
    err: 'svc: No file "token.ts".\nNearest: tokens.ts, ../docs/tokens.md.\n',
  });
});

test("globs are relative to the working directory", async () => {
  const folder = join(root, "src");
  expect(new Set(await locations(folder, "revokeToken", "--path", "../docs/*"))).toEqual(
    new Set(["../docs/tokens.md"]),
  );
  expect(new Set(await locations(folder, "revokeToken", "--path", "*.ts"))).toEqual(
    new Set(["tokens.ts", "users.ts"]),
  );
});

test("records have the same paths", async () => {
  const { out } = await run(join(root, "src"), "search", "revokeToken", "--json");
  const { results } = JSON.parse(out);
  expect(results.map(({ path }: { readonly path: string }) => path)).toContain("tokens.ts");
  const changed = await run(join(root, "src"), "changes", "--json", ".");
  const { changes } = JSON.parse(changed.out);
  expect(changes.every(({ path }: { readonly path: string }) => !path.includes("/"))).toBe(true);
});

test("a query that meets damage answers after the rebuild", async () => {
  const large = createMachine({ ...manyWords(), "tide.md": "# Tides\n\nThe moon moves them.\n" });
  onTestFinished(large.dispose);
  await large.svc("index", large.root);
  const ask = () => large.svc("search", "what moves tides", "--namespace", "project");
  const right = await ask();
  expect(right).toMatchObject({ code: 0, err: "" });
  const { segments } = indexLayout(large.data, "project");
  for (const eighth of Array.from({ length: 8 }).keys()) {
    const [name = "none"] = readdirSync(segments);
    const bytes = readFileSync(join(segments, name));
    const [from, to] = [eighth, eighth + 1].map((end) => Math.floor((end * bytes.length) / 8));
    writeFileSync(join(segments, name), bytes.fill(0x55, from, to));
    expect((await ask()).out).toBe(right.out);
  }
});

test("an indexed folder is the project of everything below it", async () => {
  const folder = join(here.home, "work");
  plant(folder, { "a/deep/b.md": "The echidna digs.\n", "c.md": "The echidna sleeps.\n" });
  await run(folder, "index", folder);
  expect(new Set(await locations(join(folder, "a/deep"), "echidna"))).toEqual(
    new Set(["b.md", "../../c.md"]),
  );
  expect(await locations(folder, "echidna", "a/deep/b.md")).toEqual(["a/deep/b.md"]);
});

test("a file names its project only if that is one", async () => {
  const folder = join(here.home, "loose");
  plant(folder, { "a/deep/b.md": "The wallaby digs.\n", "c.md": "The wallaby sleeps.\n" });
  expect((await run(folder, "read", "a/deep/b.md")).out).toMatch(/^a\/deep\/b\.md:1-1/);
  expect((await run(folder, "namespaces", "list")).out).toMatch(/^loose {2}2 files/m);
  expect((await run(parent, "read", "project/src/tokens.ts:2")).out).toMatch(
    /^project\/src\/tokens\.ts:2-2/,
  );
  expect((await run(here.home, "refs", "../project/src/tokens.ts", "-r", "importers")).out).toMatch(
    /users\.ts\n/,
  );
});

test("a PATH that does not exist is an error, and may be a second word of a query", async () => {
  expect(await run(root, "symbols", "revoke", "token")).toEqual({
    code: 2,
    out: "",
    err: 'svc: "token" does not exist or cannot be read.\nName an existing file or folder that you may read, or quote the query: svc symbols "revoke token"\n',
  });
  const { code, err } = await run(root, "grep", "x", "./nowhere");
  expect([code, err]).toEqual([
    2,
    'svc: "./nowhere" does not exist or cannot be read.\nName an existing file or folder that you may read.\n',
  ]);
});
