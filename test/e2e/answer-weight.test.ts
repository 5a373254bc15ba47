// The size of a result compared with the text for the model: some clients put the whole result into the prompt.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { createPlace } from "../spec/program.ts";
import { startServer, type Result, type Server } from "../spec/stdio-client.ts";

const ROOT = join(import.meta.dirname, "../..");
process.env["SVC_BIN"] = join(ROOT, "dist/svc");

const MAX_RATIO = 1.6;
/** The JSON of a short answer is longer compared with its text, because each row repeats a path. */
const MAX_RATIO_OF_SHORT = 2.2;

const place = createPlace();
let server: Server;
beforeAll(async () => {
  for (const part of ["src/mcp", "src/tools", "src/credentials", "docs/decisions"]) {
    cpSync(join(ROOT, part), join(place.root, part), { recursive: true });
  }
  await outputHere(place, "index", place.root);
  const { token } = await createTokenFor(place);
  server = startServer(place, { SERVICE_TOKEN: token });
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

async function call(name: string, input: Readonly<Record<string, unknown>>): Promise<Result> {
  const { result } = await server.request("tools/call", { name, arguments: input });
  if (result === undefined) throw new Error(`${name} was refused`);
  return result;
}

function textOf({ content = [] }: Result): string {
  return content.map(({ text }) => text).join("\n");
}

/** `[path, startLine, endLine, symbol, score]` of each passage. */
function rowsOf({ content = [] }: Result): readonly (readonly unknown[])[] {
  const { _meta: meta } = content.at(-1) ?? {};
  const rows = meta?.["dev.svc/passages"];
  return Array.isArray(rows) ? rows : [];
}

function ratioOf(result: Result): number {
  return JSON.stringify(result).length / textOf(result).length;
}

test.each([
  ["a question", { query: "how is an expired access token refused" }],
  ["a name", { query: "Session" }],
  ["keywords", { query: "token expiry renewal" }],
  ["an error message", { query: "The credential is mistyped or cut short." }],
  ["code", { query: "const parsed = v.safeParse(schema, raw);" }],
  ["one kind of file", { query: "why an own dispatcher", kind: ["docs"] }],
  ["a large answer", { query: "how is a request authorized", max_tokens: 8000, limit: 30 }],
  ["a name in one folder", { query: "Principal", path: "src/credentials/**" }],
])("the JSON of an answer to %s is at most 1.6 times its text", async (_kind, input) => {
  const result = await call("search_context", input);
  expect(rowsOf(result).length).toBeGreaterThan(2);
  expect(ratioOf(result)).toBeLessThanOrEqual(MAX_RATIO);
});

test("the JSON of a poor match, which is short, is at most 2.2 times its text", async () => {
  const result = await call("search_context", { query: "kubernetes pods on volcanic nodes" });
  expect(textOf(result)).toContain("No good match");
  expect(textOf(result).length).toBeLessThan(2000);
  expect(ratioOf(result)).toBeLessThanOrEqual(MAX_RATIO_OF_SHORT);
});

test("each passage has a row of its facts, and what ranked it is there only with explain", async () => {
  const query = "session of a connection";
  const plain = await call("search_context", { query });
  const rows = rowsOf(plain);
  expect(rows.length).toBeGreaterThan(2);
  const places = (plain.content ?? []).flatMap(({ text }) => {
    const { path, from, to } =
      /^(?<path>\S+):(?<from>\d+)-(?<to>\d+)(?: {2}|\n)/.exec(text)?.groups ?? {};
    return path === undefined ? [] : [[path, Number(from), Number(to)]];
  });
  expect(rows.map(([path, from, to]) => [path, from, to])).toEqual(places);
  for (const [, , , symbol, score] of rows) {
    expect([typeof symbol, typeof score]).toEqual(["string", "number"]);
  }
  expect(JSON.stringify(plain)).not.toContain("signals");
  const explained = await call("search_context", { query, explain: true });
  expect(textOf(explained)).toBe(textOf(plain));
  const passages = (explained.content ?? []).flatMap(({ _meta: meta }) =>
    meta !== undefined && "dev.svc/passage" in meta ? [meta["dev.svc/passage"]] : [],
  );
  expect(passages).toHaveLength(rows.length);
  for (const passage of passages) {
    expect(passage).toHaveProperty("signals.fileText", expect.any(Number));
  }
});

test("list_changes is a text of lines, and its data is the structured answer", async () => {
  const result = await call("list_changes", {});
  const data = JSON.stringify(result.structuredContent);
  const { next_cursor: cursor, changes } = result.structuredContent ?? {};
  expect(changes).toHaveLength(1);
  expect(textOf(result)).toMatch(/^\S+Z indexed \.: \d+ files\n/);
  expect(textOf(result)).toContain(`since "${String(cursor)}"`);
  expect(textOf(result)).not.toContain(data);
  expect(textOf(result).length).toBeLessThan(data.length);
});

test("index_status is a few lines, and its data is the structured answer", async () => {
  const ready = /^project: ready, generation \d+, indexed \S+Z\n {2}\d+ files, /;
  // svc answers a question before the watcher's first scan has ended.
  await expect
    .poll(async () => textOf(await call("index_status", {})), { timeout: 60_000 })
    .toMatch(ready);
  const result = await call("index_status", {});
  const data = JSON.stringify(result.structuredContent);
  expect(result.structuredContent).toMatchObject({ namespaces: [{ name: "project" }] });
  expect(textOf(result).length).toBeLessThan(data.length / 2);
});

test("index_status says that nothing is wrong when the health is asked for", async () => {
  const result = await call("index_status", { detail: "health" });
  expect(textOf(result)).toContain("The whole index was read: every checksum matches.");
  expect(result.structuredContent).toMatchObject({ namespaces: [{ integrity: "ok" }] });
  expect(textOf(await call("index_status", {}))).not.toContain("checksum");
});
