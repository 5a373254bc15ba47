import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { corpusPathsOf } from "../../../bench/quality/corpus-paths.ts";
import type { Spot } from "../../../bench/rivals/compare/contender.ts";
import {
  codegraph,
  codesearch,
  ctags,
  probe,
  ripgrep,
  svc,
} from "../../../bench/rivals/compare/contenders.ts";
import { keywords, rankByWords } from "../../../bench/rivals/compare/keywords.ts";
import { peakOf, print } from "../../../bench/rivals/compare/processes.ts";

const PROGRAM = { path: "program", version: "1" };
let spot: Spot;

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), "svc-compare-test-"));
  for (const name of ["a.ts", "b.ts"]) writeFileSync(join(root, name), "");
  spot = { root, state: root, env: { PATH: "/usr/bin:/bin" }, paths: corpusPathsOf(root, "") };
});
afterAll(() => rmSync(spot.root, { recursive: true }));

test("a question is searched by its telling words, without endings", () => {
  expect(keywords("how are spawned tasks scheduled onto threads")).toEqual([
    "spawn",
    "task",
    "schedul",
    "onto",
    "thread",
  ]);
  expect(keywords("res.redirect")).toEqual(["res", "redirect"]);
  expect(keywords("how is it")).toEqual(["how is it"]);
});

test("the file with more words is first, then the one with rarer words, then with more matches", () => {
  const matches = [
    { path: "common.ts", text: "Task" },
    { path: "both.ts", text: "task" },
    { path: "both.ts", text: "wheel" },
    { path: "rare.ts", text: "wheel" },
    { path: "often.ts", text: "task" },
    { path: "often.ts", text: "task" },
  ];
  expect(rankByWords(matches, ["task", "wheel"], 10)).toEqual([
    "both.ts",
    "rare.ts",
    "often.ts",
    "common.ts",
  ]);
});

test("each tool's reply is read for the files it names, the best first", () => {
  const { root } = spot;
  const lines = `${root}/a.ts:3:no such\n${root}/b.ts:9:open store`;
  const read = [
    svc(PROGRAM).filesIn("b.ts:1-9  Store\n  a.ts in a passage\na.ts:3", "q", spot),
    ripgrep(PROGRAM).filesIn(`${root}/a.ts:open\n${root}/b.ts:open\n${root}/b.ts:store`, Q, spot),
    codesearch(PROGRAM, "csearch").filesIn(lines, Q, spot),
    ctags(PROGRAM, "readtags").filesIn(`open\t${root}/a.ts\t/x/\nopenStore\t${root}/b.ts`, Q, spot),
    probe(PROGRAM).filesIn(
      `BM25\n{"results":[{"file":"${root}/b.ts"},{"file":"${root}/a.ts"}]}`,
      Q,
      spot,
    ),
    codegraph(PROGRAM).filesIn("**`b.ts`** — Store\n\n```ts\na.ts\n```\n**`a.ts`**", Q, spot),
  ];
  expect(read.map(([first]) => first)).toEqual(Array.from(read, () => "b.ts"));
});

test("signs of a question are no operators of the tools", () => {
  const query = "content-type (MIME)";
  expect(codesearch(PROGRAM, "csearch").ask("$scope|x", spot).at(-1)).toBe(String.raw`\$scope`);
  expect(ctags(PROGRAM, "readtags").ask(query, spot)).toContain(
    '(or (substr? (downcase $name) "content") (substr? (downcase $name) "type") (substr? (downcase $name) "mime"))',
  );
  expect(probe(PROGRAM).ask(query, spot)).toContain("content type MIME");
});

test("memory is that of a program and its children together", async () => {
  const hold = "const held = Buffer.alloc(96e6, 1); setTimeout(() => held.length, 400)";
  const both = `"${process.execPath}" -e '${hold}' & "${process.execPath}" -e '${hold}'; wait`;
  expect(await peakOf(["bash", "-c", both], spot)).toBeGreaterThan(192e6);
});

test("a tool that fails is no tool that finds nothing", () => {
  expect(print(["sh", "-c", "exit 1"], spot).output).toBe("");
  expect(() => print(["sh", "-c", "echo broken >&2; exit 2"], spot)).toThrow("broken");
});

const Q = "open the store";
