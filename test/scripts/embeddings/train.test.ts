import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { main } from "../../../scripts/embeddings/train.ts";
import { readEmbeddingTable } from "../../../src/embed/read-embedding-table.ts";
import { tree, type Tree } from "../../helpers/tree.ts";
import { documentedSources, repeatingSources } from "./documented-sources.ts";

const trees: Tree[] = [];
afterAll(() => {
  for (const { dispose } of trees) dispose();
});

function planted(files: Readonly<Record<string, string>>): string {
  const folder = tree(files);
  trees.push(folder);
  return folder.path;
}

const documented = planted(documentedSources());
const out = planted({ "folder/": "" });

async function run(
  ...words: readonly string[]
): Promise<{ code: number; results: string; notes: string }> {
  const results: string[] = [];
  const notes: string[] = [];
  const code = await main(words, {
    result: (line) => results.push(line),
    note: (line) => notes.push(line),
  });
  return { code, results: results.join("\n"), notes: notes.join("\n") };
}

/** Learns from the corpus with few dimensions, and gives the bytes of the table. */
async function learn(name: string, ...more: readonly string[]): Promise<Buffer> {
  const path = join(out, name);
  const { code } = await run("--sources", documented, "--out", path, "--dimensions=32", ...more);
  expect(code).toBe(0);
  return readFileSync(path);
}

test("a learned table finds code described in other words, which a random one does not", async () => {
  const path = join(out, "learned.svce");
  const { code, results } = await run("--sources", documented, "--out", path, "--held-out=0.2");
  const [, reached, random] = /MRR@10 .*: ([\d.]+), random table ([\d.]+)$/.exec(results) ?? [];
  expect(code).toBe(0);
  expect(Number(reached)).toBeGreaterThan(0.5);
  expect(Number(random)).toBeLessThan(0.3);
  const { dimensions, rowsOf } = readEmbeddingTable(readFileSync(path));
  expect(dimensions).toBe(256);
  expect(rowsOf("dropBitmap")).toHaveLength(2);
});

test("the same seed gives the same bytes, and another seed gives others", async () => {
  const first = await learn("first.svce", "--seed=7");
  const second = await learn("second.svce", "--seed=7");
  const other = await learn("other.svce", "--seed=8");
  expect(first.equals(second)).toBe(true);
  expect(first.equals(other)).toBe(false);
});

test("8 bits take twice the room of 4 for the rows", async () => {
  const four = readEmbeddingTable(await learn("four.svce")).matrix;
  const eight = readEmbeddingTable(await learn("eight.svce", "--bits=8")).matrix;
  expect(eight.rows).toBe(four.rows);
  expect(eight.bytes.length).toBe(2 * four.bytes.length);
});

test("no more words than the limit get a row", async () => {
  expect(readEmbeddingTable(await learn("few.svce", "--rows=40")).matrix.rows).toBe(40);
});

test("files are held out by a glob", async () => {
  const path = join(out, "glob.svce");
  const { notes } = await run("--sources", documented, "--out", path, "--held-out=part1?.*");
  expect(notes).toMatch(/^300 pairs to learn, 100 held-out comments with code/);
});

test("with nothing held out all files are used for training, and nothing is evaluated", async () => {
  const path = join(out, "all.svce");
  const words = ["--sources", documented, "--out", path, "--held-out=0"];
  const { code, results, notes } = await run(...words);
  expect(code).toBe(0);
  expect(notes).toMatch(/^400 pairs to learn, 0 held-out/);
  expect(notes).toMatch(/the table was not evaluated\.$/);
  expect(results).not.toContain("MRR");
});

test("a table that finds no more than a random one exits with 1", async () => {
  const repeating = planted(repeatingSources());
  const { code, notes } = await run("--sources", repeating, "--out", join(out, "idle.svce"));
  expect(code).toBe(1);
  expect(notes).toMatch(/finds no more than a random one/);
});

const empty = planted({ "notes.json": "{}" });
const scarce = planted({
  "one.ts": "/** Adds one number to another. */\nexport const add = sum;\n",
});
const target = join(out, "never.svce");

test.each([
  ["no sources", ["--out", target], "--sources is required."],
  ["no target", ["--sources", documented], "--out is required."],
  ["an unknown flag", ["--source", documented], "Did you mean --sources?"],
  ["a folder that is not there", ["--sources", "/nowhere", "--out", target], "cannot be listed"],
  ["a folder without code", ["--sources", empty, "--out", target], "0 pairs"],
  ["a folder with little code", ["--sources", scarce, "--out", target], "documented code"],
  [
    "a target in no folder",
    ["--sources", documented, "--out", join(out, "none/x.svce")],
    "no writable folder",
  ],
  ["a folder as target", ["--sources", documented, "--out", join(out, "folder")], "is a folder"],
  [
    "dimensions that the program cannot read",
    ["--sources", documented, "--out", target, "--dimensions=40"],
    "a multiple of 16, not 40",
  ],
  [
    "a share of everything",
    ["--sources", documented, "--out", target, "--held-out=1"],
    "a share below 1",
  ],
  [
    "a glob that holds out nothing",
    ["--sources", documented, "--out", target, "--held-out=*.zig"],
    "have 0 comments",
  ],
])("%s exits with 2 and reports the fix", async (_what, words, message) => {
  const { code, results, notes } = await run(...words);
  expect(code).toBe(2);
  expect(notes).toContain(message);
  expect(results).toBe("");
  expect(existsSync(target)).toBe(false);
});

test("a folder that becomes unwritable has no file left", async () => {
  const gone = tree();
  const path = join(gone.path, "late.svce");
  const results: string[] = [];
  const words = ["--sources", documented, "--out", path, "--dimensions=16"];
  const ending = main(words, {
    result: (line) => results.push(line),
    // The first message appears before the training.
    note: gone.dispose,
  });
  await expect(ending).resolves.toBe(2);
  expect(results).toEqual([]);
});

test("the program reports usage errors on standard error, and prints its flags on standard output", () => {
  const script = join(import.meta.dirname, "../../../scripts/embeddings/train.ts");
  const wrong = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(wrong.status).toBe(2);
  expect(wrong.stdout).toBe("");
  expect(wrong.stderr).toContain("Usage: node scripts/embeddings/train.ts");
  const help = spawnSync(process.execPath, [script, "--help"], { encoding: "utf8" });
  expect(help.status).toBe(0);
  expect(help.stdout).toContain("--held-out GLOB|SHARE");
});

test("the folder of the table contains only tables", () => {
  expect(readdirSync(out).filter((name) => !name.endsWith(".svce"))).toEqual(["folder"]);
});
