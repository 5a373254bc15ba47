import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { age } from "../../helpers/indexed-tree.ts";
import { createProject, request, type Project, type ToolAnswer } from "../../helpers/project.ts";
import { anyText } from "../../helpers/any-text.ts";

const FILES: Record<string, string> = {
  "src/session.ts": [
    "/** A session of one caller. */",
    "export class Session {",
    "  /** Opens it. */",
    "  open(path: string): void {}",
    "}",
    "",
  ].join("\n"),
  "src/use.ts": 'import { Session } from "./session.ts";\nnew Session().open("a");\n',
  "docs/guide.md": "# Guide\n\n## Getting started\n\nRun it.\n",
};
for (let at = 0; at < 40; at += 1) {
  FILES[`src/many/file${at}.ts`] = `export function handler${at}(): void {}\n`;
}

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  age(project.root);
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

function call(input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  return project.tool("find_symbol", input);
}

async function refusal(input: unknown): Promise<string> {
  try {
    await project.tool("find_symbol", input);
  } catch (thrown) {
    if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
    throw thrown;
  }
  return "no error";
}

test("a definition is one line and one item, with its facts in _meta", async () => {
  const { items, outcome } = await call({ name: "Session.open" });
  expect(items).toEqual([
    {
      text: "method open(path: string): void — Opens it.  src/session.ts:3-4 in Session  (used in 1 file)",
      meta: {
        "dev.svc/symbol": {
          path: "src/session.ts",
          startLine: 3,
          endLine: 4,
          nameLine: 4,
          symbol: "Session.open",
          kind: "method",
          access: "exported",
          match: "qualified",
          users: 1,
        },
      },
    },
  ]);
  expect(outcome).toEqual({ isRepeatable: true });
});

test.each<[string, string]>([
  ["session", "class Session — A session of one caller.  src/session.ts:1-5  (used in 1 file)"],
  ["getting start", "section Guide > Getting started  docs/guide.md:3-5"],
  ["handler7", "function handler7(): void  src/many/file7.ts:1-1"],
])("%s is %s", async (name, line) => {
  expect((await call({ name })).items[0]?.text).toBe(line);
});

test("an answer with similar names begins with a note", async () => {
  const { items } = await call({ name: "Sesion" });
  expect(items.map(({ text }) => text)).toEqual([
    'No symbol "Sesion"; nearest:',
    "class Session — A session of one caller.  src/session.ts:1-5  (used in 1 file)",
  ]);
});

test("an empty result is an error that suggests other tools", async () => {
  expect(await refusal({ name: "qqqqqq" })).toBe(
    'SYMBOL_NOT_FOUND: No symbol "qqqqqq". Try search_context with its words, or search_text with its exact text.',
  );
  expect(await refusal({ name: "Session", kind: "function" })).toBe(
    'SYMBOL_NOT_FOUND: No symbol "Session" with this kind. Try without kind, or use search_context.',
  );
  expect(await refusal({ name: "()" })).toMatch(/^SYMBOL_NOT_FOUND: /);
});

test.each<[unknown, string]>([
  [{}, "INVALID_PARAMS: name is required."],
  [{ name: "" }, "INVALID_PARAMS: name: must be 1 to 300 characters long."],
  [{ name: "x".repeat(301) }, "INVALID_PARAMS: name: must be 1 to 300 characters long."],
  [{ name: "a", limit: 0 }, "INVALID_PARAMS: limit: must be 1 to 100."],
  [{ name: "a", limit: 101 }, "INVALID_PARAMS: limit: must be 1 to 100."],
  [
    { name: "a", kind: "widget" },
    "INVALID_PARAMS: kind: must be one of type, class, struct, interface, trait, enum, record, protocol,",
  ],
  [
    { name: "a", language: "typscript" },
    'INVALID_PARAMS: language: "typscript" is unknown. Nearest: typescript.',
  ],
  [
    { name: "a", cursor: "abc" },
    "INVALID_CURSOR: The cursor does not belong to this query. Repeat the call without a cursor, and keep the other arguments the same for each page.",
  ],
  [{ name: "a", namespace: "nothing" }, 'NAMESPACE_NOT_FOUND: There is no namespace "nothing".'],
])("%j is refused", async (input, expected) => {
  expect(await refusal(input)).toContain(expected);
});

test("`query` and `symbol` are accepted as `name`", async () => {
  const { text } = await call({ name: "Session" });
  expect((await call({ query: "Session" })).text).toBe(text);
  expect((await call({ symbol: "Session" })).text).toBe(text);
});

test("the pages contain every result once", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { text } = await call({ name: "handler", limit: 7, ...(cursor && { cursor }) });
    for (const [, path = ""] of text.matchAll(/ {2}(\S+):\d+-\d+/g)) seen.push(path);
    cursor = /^40 in all\. More: cursor "([^"]+)"\.$/m.exec(text)?.[1];
  } while (cursor !== undefined);
  expect([seen.length, new Set(seen).size]).toEqual([40, 40]);
});

test("similar names are listed, and their definitions are on the next page", async () => {
  const { text } = await call({ name: "handler1" });
  expect(text).toMatch(
    /^function handler1\(\): void {2}\S+\nSimilar names: handler10, handler11, handler12, handler13, handler14\. See them: cursor "\S+"\.$/,
  );
  const cursor = /cursor "([^"]+)"/.exec(text)?.[1];
  expect((await call({ name: "handler1", cursor })).items).toHaveLength(10);
});

test("concurrent calls have the same answers as sequential ones", async () => {
  const fresh = createProject(FILES);
  try {
    await fresh.engine.index(request());
    const names = ["Session", "handler", "open", "Sesion", "hndl", "Session"];
    const together = await Promise.all(names.map((name) => fresh.tool("find_symbol", { name })));
    const texts = together.map(({ text }) => text);
    for (const [at, name] of names.entries()) {
      expect(texts[at]?.replace(/cursor "[^"]+"/g, "")).toBe(
        (await call({ name })).text.replace(/cursor "[^"]+"/g, ""),
      );
    }
  } finally {
    await fresh.dispose();
  }
});

test("any input gets a valid answer or error", async () => {
  await fc.assert(
    fc.asyncProperty(anyText({ minLength: 1, maxLength: 300 }), async (name) => {
      expect(await refusal({ name })).toMatch(
        /^(?:no error$|SYMBOL_NOT_FOUND: |INVALID_PARAMS: name: must be)/,
      );
    }),
    { numRuns: 60 },
  );
}, 30_000);
