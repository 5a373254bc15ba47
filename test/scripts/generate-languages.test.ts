import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { languageFiles } from "../../scripts/generate/languages.ts";

const PROJECT = join(import.meta.dirname, "../..");
const FOLDER = "src/parse/languages";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A project with these files below the folder of languages. */
function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "languages-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    const place = join(root, FOLDER, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return root;
}

test("the tables of this project are those of its folders", () => {
  const files = languageFiles(PROJECT);
  expect([...files.keys()]).toEqual([
    "src/base/grammar-files.ts",
    `${FOLDER}/definition-rules-by-language.ts`,
  ]);
  for (const [path, text] of files) expect(readFileSync(join(PROJECT, path), "utf8")).toBe(text);
});

test("a language may share the rules of another, or have none", () => {
  const root = project({
    "go/definitions.ts": "",
    "go/grammar.json": '{ "wasm": "tree-sitter-go/go.wasm" }',
    "gox/grammar.json": '{ "wasm": "tree-sitter-go/gox.wasm", "rules": "go" }',
    "sql/line-patterns.ts": "",
  });
  const files = languageFiles(root);
  expect(files.get("src/base/grammar-files.ts")).toContain(
    '  go: "tree-sitter-go/go.wasm",\n  gox: "tree-sitter-go/gox.wasm",\n};',
  );
  expect(files.get(`${FOLDER}/definition-rules-by-language.ts`)).toContain(
    '([\n  ["go", go],\n  ["gox", go],\n]);',
  );
});

test.each([
  [{ "go/definitions.ts": "" }, "go has definitions.ts, but no grammar.json"],
  [{ "go/grammar.json": '{ "wasm": "a.wasm" }' }, 'or "rules" in its grammar.json'],
  [{ "go/grammar.json": '{ "wasm": "a.wasm", "rules": "c" }' }, "which has no definitions.ts"],
  [{ "go/definitions.ts": "", "go/grammar.json": '{ "wasm": "../a.wasm" }' }, "below node_modules"],
  [{ "go/definitions.ts": "", "go/grammar.json": "{}" }, '"wasm" is to be'],
])("%j is refused", (files, message) => {
  expect(() => languageFiles(project(files))).toThrow(message);
});
