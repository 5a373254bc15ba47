import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { findViolations } from "../../scripts/check-layers.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** The breaches of a tree with these files, each as `file:line problem`. */
function check(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findViolations(root).map(({ file, line, problem }) => `${file}:${line} ${problem}`);
}

test.each([
  ["a value import", 'import { a } from "../engine/engine.ts";'],
  ["a type import", 'import type { A } from "../engine/engine.ts";'],
  ["an import of a single type", 'import { type A } from "../engine/engine.ts";'],
  ["a dynamic import", 'const a = await import("../engine/engine.ts");'],
  ["an import type expression", 'let a: import("../engine/engine.ts").A;'],
  ["a re-export", 'export * from "../engine/engine.ts";'],
  ["an import for its effect", 'import "../engine/engine.ts";'],
  ["an import over several lines", 'import {\n  a,\n  b,\n} from "../engine/engine.ts";'],
  ["a second import on a line", 'import { x } from "./x.ts"; import { a } from "../engine/e.ts";'],
  ["a worker's file", 'new Worker(new URL("../engine/engine.ts", import.meta.url));'],
])("%s of a layer above is a breach", (_form, text) => {
  expect(check({ "src/search/score.ts": text })).toEqual([
    "src/search/score.ts:1 search may not import engine; it may import: base, index, parse/tokenizer.ts, embed",
  ]);
});

test("a nested folder belongs to its layer", () => {
  const found = check({
    "src/tools/search/deep/a.ts": [
      'import { a } from "../../registry.ts";',
      'import { b } from "../../../base/errors.ts";',
      'import { c } from "../../../mcp/session.ts";',
    ].join("\n"),
  });
  expect(found).toEqual([expect.stringMatching(/^src\/tools\/search\/deep\/a.ts:3 tools may not/)]);
});

test("only the authorisation code constructs principals", () => {
  const found = check({
    "src/credentials/a.ts": 'import { Principal } from "../sources/principal.ts";',
    "src/engine/a.ts": 'import type { Principal } from "../sources/principal.ts";',
    "src/engine/b.ts": 'import { Principal } from "../sources/principal.ts";',
    "src/tools/search/c.ts": 'import { type Principal } from "../../sources/principal.ts";',
  });
  expect(found).toEqual([
    "src/engine/b.ts:1 engine may import types from ../sources/principal.ts, and nothing else",
    "src/tools/search/c.ts:1 tools may import types from ../../sources/principal.ts, and nothing else",
  ]);
});

test("packages and built-ins need a place in the table", () => {
  const found = check({
    "src/parse/a.ts": [
      'import { Parser } from "web-tree-sitter";',
      'import * as v from "valibot";',
      'import { read } from "node:fs/promises";',
      'import { x } from "@valibot/to-json-schema/deep";',
    ].join("\n"),
  });
  expect(found.map((line) => line.split(";")[0])).toEqual([
    "src/parse/a.ts:2 parse may not import valibot",
    "src/parse/a.ts:3 parse may not import node:fs",
    "src/parse/a.ts:4 parse may not import @valibot/to-json-schema",
  ]);
});

test("a layer known by its types may be imported as types only", () => {
  const found = check({
    "src/mcp/a.ts": 'import type { Engine } from "../engine/engine.ts";',
    "src/mcp/b.ts": 'import { openEngine } from "../engine/engine.ts";',
  });
  expect(found).toEqual(["src/mcp/b.ts:1 mcp may import types from engine, and nothing else"]);
});

test("a permission for one file does not reach its neighbours", () => {
  const text = 'import { DatabaseSync } from "node:sqlite";';
  const found = check({
    "src/index/embedded/catalog/catalog.ts": text,
    "src/index/reader.ts": text,
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/index\/reader.ts:1 index may not import node:sqlite/),
  ]);
});

test("a permission for a folder reaches the files below it, and no others", () => {
  const text = 'import { DatabaseSync } from "node:sqlite";';
  const found = check({
    "src/credentials/sealed/a.ts": text,
    "src/credentials/sealed/deep/b.ts": text,
    "src/credentials/sealed.ts": text,
    "src/credentials/sealed-2/c.ts": text,
  });
  expect(found.map((line) => line.split(";")[0])).toEqual([
    "src/credentials/sealed-2/c.ts:1 credentials may not import node:sqlite",
    "src/credentials/sealed.ts:1 credentials may not import node:sqlite",
  ]);
});

test("only the composition chooses where credentials are stored", () => {
  const file = "credentials/sealed/sealed-backend.ts";
  const found = check({
    "src/app.ts": `import { sealedBackend } from "./${file}";`,
    "src/cli/a.ts": `import type { SealedBackend } from "../${file}";`,
    "src/cli/b.ts": `import { sealedBackend } from "../${file}";`,
    "src/transports/c.ts":
      'import { openFileKey } from "../credentials/keychain/data-key-file.ts";',
  });
  expect(found).toEqual([
    `src/cli/b.ts:1 cli may import types from ../${file}, and nothing else`,
    "src/transports/c.ts:1 transports may import types from ../credentials/keychain/data-key-file.ts, and nothing else",
  ]);
});

test("a permission for one file of another layer does not open that layer", () => {
  const found = check({
    "src/search/a.ts":
      'import { w } from "../parse/tokenizer.ts";\nimport { p } from "../parse/text-lines.ts";',
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/search\/a.ts:2 search may not import parse;/),
  ]);
});

test("files and layers that the table does not name are reported", () => {
  const found = check({
    "src/extra.ts": "export const a = 1;",
    "src/helpers/a.ts": "export const a = 1;",
    "src/base/a.ts": 'import { a } from "../helpers/a.ts";',
  });
  expect(found).toEqual([
    'src/base/a.ts:1 base imports ../helpers/a.ts: "helpers" is not in the table',
    'src/extra.ts:1 "extra.ts" is not in the table',
    'src/helpers/a.ts:1 "helpers" is not in the table',
  ]);
});

test("modules and connections that need no import are found too", () => {
  const found = check({
    "src/engine/a.ts": 'const fs = process.getBuiltinModule("http");\nawait fetch(url);',
    "src/engine/b.ts": "await import(name);\nnew WebSocket(url);",
    "src/providers/a.ts": "await fetch(url);",
    "src/search/a.ts": "fetchPostings(); reader.fetch(1);",
  });
  expect(found).toEqual([
    "src/engine/a.ts:1 engine may not load modules by getBuiltinModule()",
    "src/engine/a.ts:2 engine may not open connections: fetch(",
    "src/engine/b.ts:1 engine imports what is known only at run time, which cannot be checked",
    "src/engine/b.ts:2 engine may not open connections: new WebSocket",
  ]);
});

test("the HTTP client belongs to the only layer that connects", () => {
  const text = 'const { Pool } = await import("undici");';
  expect(check({ "src/providers/a.ts": text })).toEqual([]);
  for (const layer of ["engine", "tools", "mcp", "transports", "cli", "credentials"]) {
    expect(check({ [`src/${layer}/a.ts`]: text })).toEqual([
      expect.stringContaining(`${layer} may not import undici`),
    ]);
  }
});

test("connecting functions are refused from built-ins that listen, also under another name", () => {
  const found = check({
    "src/transports/a.ts": 'import { createServer, type Server } from "node:http";',
    "src/transports/b.ts": 'import { createServer, request as ask } from "node:http";',
    "src/transports/c.ts": 'import * as net from "node:net";',
    "src/transports/d.ts": 'const { connect } = await import("node:net");',
    "src/transports/e.ts": 'import type { Socket } from "node:net";\nconst ask = fetch;',
    "src/transports/f.ts": 'globalThis["fe" + "tch"](url);',
    "src/credentials/g.ts": 'import { spawn } from "node:child_process";',
  });
  expect(found.map((breach) => breach.replace(/; it may import.*/, ""))).toEqual([
    "src/credentials/g.ts:1 credentials may not import node:child_process",
    "src/transports/b.ts:1 transports may not open connections: of node:http it may take createServer, STATUS_CODES, not request as ask",
    "src/transports/c.ts:1 transports may not open connections: of node:net it may take isIP, not *",
    "src/transports/d.ts:1 transports may not open connections: of node:net it may take isIP, not *",
    "src/transports/e.ts:2 transports may not open connections: fetch",
    "src/transports/f.ts:1 transports may not open connections: globalThis[",
  ]);
});

test("an import in a comment does not count", () => {
  const text =
    '/**\n * import { a } from "../engine/a.ts";\n */\n// await import("../engine/a.ts")\n';
  expect(check({ "src/search/a.ts": text })).toEqual([]);
});

test("the project keeps to its own table", () => {
  const root = join(import.meta.dirname, "../..");
  expect(findViolations(root)).toEqual([]);
});

test("only the guards open the files of a tree", () => {
  const forbidden = [
    'import { readFileSync } from "node:fs";',
    'import { lstatSync, copyFileSync as copy } from "node:fs";',
    'import { createReadStream, type Stats } from "node:fs";',
    'import { openSync } from "node:fs";',
    'import { promises } from "node:fs";',
    'import { open } from "node:fs/promises";',
    'import * as fs from "node:fs";',
    'import fs from "node:fs";',
    'const fs = await import("node:fs");',
    'export { readFile } from "node:fs/promises";',
  ];
  for (const layer of ["sources", "scan", "engine"]) {
    const file = `src/${layer}/deep/a.ts`;
    const found = check({ [file]: forbidden.join("\n") });
    const wanted = forbidden.map((_, at) => `${file}:${at + 1} ${layer} may not open files by`);
    expect(found.map((one) => one.replace(/(open files by) .*/, "$1"))).toEqual(wanted);
  }
});

test("the guards open files, others read open files, and layers without trees read their own", () => {
  const found = check({
    "src/sources/guarded-read.ts": 'import { openSync } from "node:fs";',
    "src/sources/confined-path.ts": 'import { openSync } from "node:fs";',
    "src/scan/read-text-file.ts": 'import { openSync, readSync } from "node:fs";',
    "src/engine/files/a.ts": 'import { readSync, fstatSync, type PathLike } from "node:fs";',
    "src/engine/files/b.ts": 'import type { openSync } from "node:fs";',
    "src/credentials/sealed/c.ts": 'import * as fs from "node:fs";',
  });
  expect(found).toEqual([]);
});
