import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

const PROJECT = join(import.meta.dirname, "../..");
const WASM = "tree-sitter-go/tree-sitter-go.wasm";

/** A copy of the files that the script reads and writes. */
let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "new-language-"));
  for (const folder of [
    "scripts",
    "src/base",
    "src/cli",
    "src/clients",
    "src/chunk",
    "src/scan",
    "src/config",
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
    cpSync(join(PROJECT, folder), join(root, folder), { recursive: true });
  }
  cpSync(join(PROJECT, "package.json"), join(root, "package.json"));
  symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Ran {
  readonly status: number;
  readonly out: string;
}

function run(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const script = join(root, "scripts/new-language.ts");
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve({ status: Number(error?.code ?? 0), out: stdout + stderr });
    });
  });
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

test("a language with a grammar gets rules, an empty fixture and its rows in the tables", async () => {
  const { status, out } = await run("klingon", "--wasm", WASM);
  expect(status).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "made   src/parse/languages/klingon/
    wrote  src/base/grammar-files.ts
    wrote  src/parse/languages/definition-rules-by-language.ts
    Next:
      1. add the file names of klingon to src/scan/languages.ts
      2. give src/parse/languages/klingon/fixture/sample.klingon a better name and 50 to 100 lines of typical code
      3. write the rules in src/parse/languages/klingon/definitions.ts
      4. vitest run test/chunk/fixtures.test.ts, then read src/parse/languages/klingon/fixture/*.golden
      5. check the definitions found in other people's code: node src/main.ts outline <file>
    "
  `);
  expect(read("src/parse/languages/klingon/definitions.ts")).toContain("export const klingon:");
  expect(read("src/parse/languages/klingon/fixture/sample.klingon")).toBe("");
  expect(read("src/base/grammar-files.ts")).toContain(`  klingon: "${WASM}",\n`);
  expect(read("src/parse/languages/definition-rules-by-language.ts")).toContain(
    '  ["klingon", klingon],\n',
  );

  expect(await run("klingon")).toEqual({
    status: 2,
    out: "src/parse/languages/klingon exists already\n",
  });
});

test("the rules that it begins with are found to be rules", async () => {
  await run("quenya", "--wasm", WASM);
  const module = join(root, "src/parse/languages/definition-rules-by-language.ts");
  const { DEFINITION_RULES: rules }: { DEFINITION_RULES: ReadonlyMap<string, object> } =
    await import(module);
  expect(Object.keys(rules.get("quenya") ?? {})).toContain("definitions");
});

test("a language without a grammar is not in the tables", async () => {
  const { status, out } = await run("sindarin");
  expect(status).toBe(0);
  expect(out).toContain("line-patterns-by-language.ts");
  expect(read("src/parse/languages/definition-rules-by-language.ts")).not.toContain("sindarin");
});

test.each([
  [[], "usage: npm run new:language -- <id> [--wasm <package/file.wasm>]"],
  [["C++"], '"C++" is not the id of a language: use lower-case letters and digits, such as csharp'],
  [
    ["../x"],
    '"../x" is not the id of a language: use lower-case letters and digits, such as csharp',
  ],
  [
    ["vala", "--wasm", "../vala.wasm"],
    '"../vala.wasm" is not the .wasm file of a package, such as tree-sitter-go/tree-sitter-go.wasm',
  ],
  [
    ["vala", "--wasm", "@none/tree-sitter-vala/vala.wasm"],
    "node_modules/@none/tree-sitter-vala/vala.wasm does not exist; npm install --save-dev --save-exact --ignore-scripts @none/tree-sitter-vala",
  ],
])("%j is refused", async (args, message) => {
  expect(await run(...args)).toEqual({ status: 2, out: `${message}\n` });
});
