import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { tools } from "../../src/tools/registry.ts";
import { project, request, type Project, type ToolAnswer } from "../helpers/project.ts";
import { repeatsStructuredContent } from "../helpers/rpc.ts";

const LONG = Array.from(
  { length: 120 },
  (_, at) => `  revokeToken(step${at}, "some text to make it longer");`,
);
const FILES: Record<string, string> = {
  "src/tokens.ts":
    "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n",
  "src/long.ts": ["export function sweep() {", ...LONG, "}", ""].join("\n"),
  "src/minified.txt": `revokeToken ${"x".repeat(40_000)}\n`,
  "docs/tokens.md": "# Tokens\n\nCall revokeToken to revoke a token.\n",
  "test/tokens.test.ts": "test('revokeToken', () => revokeToken('a'));\n",
  [`deep/${"folder/".repeat(30)}revoke.ts`]: "export const revokeToken = 1;\n",
};
for (let at = 0; at < 30; at += 1) {
  FILES[`src/many/file${at}.ts`] =
    `export function user${at}() {\n  return revokeToken("${at}");\n}\n`;
}

let made: Project;
beforeAll(async () => {
  made = project(FILES);
  await made.engine.index(request());
}, 30_000);
afterAll(() => made.dispose());

function call(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  return made.tool(name, input);
}

async function refusal(name: string, input: unknown): Promise<string> {
  try {
    await made.tool(name, input);
  } catch (thrown) {
    if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
    throw thrown;
  }
  return "no error";
}

/** Characters of the reply: the texts, with a line end after each. */
function sizeOf({ items }: ToolAnswer): number {
  return items.reduce((sum, { text }) => sum + text.length + 1, 0);
}

describe("descriptors", () => {
  test("the tools have the order of the product decisions", () => {
    expect(
      tools.map(
        ({ name, group, readOnly }) => `${name} ${group} ${readOnly ? "reads" : "changes"}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "outline analysis reads",
        "search_context search reads",
        "search_text search reads",
        "find_symbol search reads",
        "read_context analysis reads",
        "find_references analysis reads",
        "analyze_impact analysis reads",
        "find_related analysis reads",
        "index_status indexing reads",
        "index_source indexing changes",
        "list_changes monitoring reads",
        "set_monitor monitoring changes",
      ]
    `);
  });

  test("all descriptors together are small enough for every prompt", () => {
    const tokens = Math.ceil(JSON.stringify(tools.map(({ descriptor }) => descriptor)).length / 4);
    expect(tokens).toBeLessThan(1900);
    expect(tokens).toMatchInlineSnapshot(`1898`);
  });

  test.each(tools)(
    "$name has a closed schema, sentences and honest annotations",
    ({ name, descriptor, readOnly }) => {
      // The only tool that may fetch a repository.
      const openWorldHint = name === "index_source";
      expect(descriptor).toMatchObject({
        inputSchema: { type: "object", additionalProperties: false },
        annotations: readOnly
          ? { readOnlyHint: true, openWorldHint }
          : { readOnlyHint: false, destructiveHint: false, openWorldHint },
      });
      expect(descriptor.description).toMatch(/^[A-Z].*\.$/);
      expect(descriptor.inputSchema).not.toHaveProperty("$schema");
    },
  );

  test.each(tools)("the schema of $name", ({ descriptor }) => {
    expect(descriptor.inputSchema).toMatchSnapshot();
  });
});

describe("arguments", () => {
  test("`pattern` is accepted as `query` and vice versa", async () => {
    const byQuery = await call("search_context", { query: "revokeToken" });
    expect((await call("search_context", { pattern: "revokeToken" })).text).toBe(byQuery.text);
    const byPattern = await call("search_text", { pattern: "store.delete" });
    expect((await call("search_text", { query: "store.delete" })).text).toBe(byPattern.text);
  });

  test("with both names given, the alias is unknown", async () => {
    expect(await refusal("search_context", { query: "revoke", pattern: "other" })).toMatch(
      /^INVALID_PARAMS: search_context has no argument "pattern"/,
    );
  });

  test.each(["limt", "Query", "constructor", "__proto__", "toString", "hasOwnProperty", ""])(
    "the unknown argument %j is refused with those there are",
    async (name) => {
      const input: unknown = JSON.parse(`{"query": "revoke", ${JSON.stringify(name)}: 1}`);
      expect(await refusal("search_context", input)).toBe(
        `INVALID_PARAMS: search_context has no argument "${name}". It takes: query, path, language, kind, limit, max_tokens, cursor, rerank, namespace.`,
      );
    },
  );

  test.each<[string, unknown, string]>([
    [
      "search_context",
      { query: "ab" },
      "INVALID_QUERY: query: must be 3 to 10,000 characters long.",
    ],
    [
      "search_context",
      { query: "😀😀" },
      "INVALID_QUERY: query: must be 3 to 10,000 characters long.",
    ],
    [
      "search_context",
      { query: "x".repeat(10_001) },
      "INVALID_QUERY: query: must be 3 to 10,000 characters long.",
    ],
    ["search_context", {}, "INVALID_QUERY: query is required."],
    ["search_context", { query: 5 }, "INVALID_QUERY: query: must be a text, not 5."],
    ["search_context", { query: "abc", limit: 0 }, "INVALID_PARAMS: limit: must be 1 to 50."],
    ["search_context", { query: "abc", limit: 51 }, "INVALID_PARAMS: limit: must be 1 to 50."],
    [
      "search_context",
      { query: "abc", limit: 1.5 },
      "INVALID_PARAMS: limit: must be a whole number.",
    ],
    [
      "search_context",
      { query: "abc", max_tokens: 99 },
      "INVALID_PARAMS: max_tokens: must be 100 to 20000.",
    ],
    [
      "search_context",
      { query: "abc", kind: "code docs" },
      "INVALID_PARAMS: kind: must be code, docs, tests or config.",
    ],
    ["search_text", { pattern: "" }, "INVALID_PARAMS: pattern: must not be empty."],
    [
      "search_text",
      { pattern: "a", output: "lines" },
      "INVALID_PARAMS: output: must be matches, files or count.",
    ],
    ["read_context", { targets: [] }, "INVALID_PARAMS: targets: must name 1 to 20 targets."],
    [
      "read_context",
      { targets: [""] },
      "INVALID_PARAMS: targets: must be 1 to 4,096 characters long.",
    ],
    [
      "index_status",
      { detail: "all" },
      "INVALID_PARAMS: detail: must be summary, skipped or health.",
    ],
  ])("%s refuses %j", async (name, input, expected) => {
    expect(await refusal(name, input)).toBe(expected);
  });

  test.each(["x".repeat(10_000), "😀".repeat(10_000), "😀😀😀", "abc"])(
    "a query of 3 to 10,000 code points is taken",
    async (query) => {
      expect(await refusal("search_context", { query })).toBe("no error");
    },
  );

  test("arguments that are not an object are refused", async () => {
    for (const input of [null, [], "revoke", 5]) {
      expect(await refusal("search_context", input)).toMatch(/^INVALID_(?:PARAMS|QUERY): /);
    }
  });
});

describe("search_context", () => {
  test("max_tokens is a hard limit of the reply, which is never empty", async () => {
    const asked = fc.record({
      max_tokens: fc.integer({ min: 100, max: 20_000 }),
      limit: fc.integer({ min: 1, max: 50 }),
      query: fc.constantFrom(
        "revokeToken",
        "sweep steps",
        "how is a token revoked",
        "folder revoke",
      ),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (input) => {
        const answer = await call("search_context", input);
        expect(sizeOf(answer) / 4).toBeLessThanOrEqual(input.max_tokens);
        expect(answer.items.length).toBeGreaterThan(0);
        for (const { text } of answer.items) expect(text).not.toBe("");
      }),
      { numRuns: 100, examples: [[{ max_tokens: 100, limit: 50, query: "revokeToken" }]] },
    );
  });

  test("results that the budget leaves out are on the next pages", async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < 40; page += 1) {
      const { text } = await call("search_context", {
        query: "revokeToken",
        max_tokens: 200,
        limit: 50,
        ...(cursor && { cursor }),
      });
      for (const [, path = ""] of text.matchAll(/^(\S+):\d+-\d+/gm)) seen.add(path);
      cursor = /cursor "([^"]+)"/.exec(text)?.[1];
      if (cursor === undefined) break;
    }
    expect(cursor).toBeUndefined();
    expect(seen.size).toBe(Object.keys(FILES).length);
  });

  test("a passage is never shown twice and its text only once", async () => {
    const { text } = await call("search_context", {
      query: "revokeToken",
      max_tokens: 20_000,
      limit: 50,
    });
    const headings = [...text.matchAll(/^(\S+:\d+-\d+)/gm)].map(([, place]) => place);
    expect(new Set(headings).size).toBe(headings.length);
  });
});

describe("search_text", () => {
  test("one item per file with lines and symbols, then the totals", async () => {
    const { items } = await call("search_text", { pattern: "store.delete", context_lines: 1 });
    expect(items).toEqual([
      {
        text: "src/tokens.ts\n2- export function revokeToken(id: string): void {\n3:   store.delete(id);  [revokeToken]\n4- }",
        meta: { "dev.svc/matches": { path: "src/tokens.ts", lines: [3] } },
      },
      {
        text: "1 matching line in 1 file.",
        meta: { "dev.svc/totals": { lines: 1, files: 1, complete: true } },
      },
    ]);
  });

  test("files, counts, no match, and a cursor when there is more", async () => {
    expect((await call("search_text", { pattern: "store.delete", output: "files" })).text).toBe(
      "src/tokens.ts: 1\n1 matching line in 1 file.",
    );
    expect(
      (await call("search_text", { pattern: "user\\d+", regex: true, output: "count" })).text,
    ).toBe("30 matching lines in 30 files.");
    expect((await call("search_text", { pattern: "qqqq" })).text).toBe('No line matches "qqqq".');
    expect((await call("search_text", { pattern: "user", limit: 2 })).text).toMatch(
      /files\. More: cursor ".+"\.$/,
    );
  });
});

describe("read_context", () => {
  test("a part follows its location, with line numbers on request", async () => {
    const { text } = await call("read_context", {
      targets: ["src/tokens.ts:2-3"],
      line_numbers: true,
    });
    expect(text).toMatchInlineSnapshot(`
      "src/tokens.ts:2-3  in function revokeToken (1-4), of 4 lines
      2  export function revokeToken(id: string): void {
      3    store.delete(id);"
    `);
    expect((await call("read_context", { targets: ["user7"] })).text).toMatchInlineSnapshot(`
      "src/many/file7.ts:1-3  user7, of 3 lines
      export function user7() {
        return revokeToken("7");
      }"
    `);
  });

  test("max_tokens is a hard limit of the reply for any targets", async () => {
    const targets = fc.array(
      fc.constantFrom(
        "src/long.ts",
        "src/minified.txt",
        "revokeToken",
        "nothing.ts",
        `deep/${"folder/".repeat(30)}revoke.ts`,
        "docs/tokens.md",
      ),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(
        targets,
        fc.integer({ min: 100, max: 3000 }),
        fc.boolean(),
        async (names, max_tokens, line_numbers) => {
          fc.pre(names.some((name) => name !== "nothing.ts"));
          const answer = await call("read_context", { targets: names, max_tokens, line_numbers });
          expect(sizeOf(answer) / 4).toBeLessThanOrEqual(max_tokens);
          expect(answer.items.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("a cut part can be continued at the given line", async () => {
    const seen: string[] = [];
    let target: string | undefined = "src/long.ts";
    while (target !== undefined) {
      const { text } = await call("read_context", { targets: [target], max_tokens: 300 });
      const lines = text.split("\n").slice(1);
      target = /continue with (\S+)$/.exec(text)?.[1];
      seen.push(...(target === undefined ? lines : lines.slice(0, -1)));
    }
    expect(`${seen.join("\n")}\n`).toBe(FILES["src/long.ts"]);
  });

  test("the beginning of a line longer than the budget is shown", async () => {
    const { text } = await call("read_context", { targets: ["src/minified.txt"], max_tokens: 100 });
    expect(text).toMatch(/^src\/minified\.txt:1-1 .*\nrevokeToken x+…\n… cut by max_tokens$/);
  });

  test("one bad target is a line of the answer; only bad targets are an error", async () => {
    const { items } = await call("read_context", { targets: ["docs/tokens.md", "docs/tokns.md"] });
    expect(items.map(({ text }) => text.split("\n")[0])).toEqual([
      "docs/tokens.md:1-3  of 3 lines",
      expect.stringContaining('No file "docs/tokns.md"'),
    ]);
    expect(await refusal("read_context", { targets: ["no/a.ts", "no/b.ts"] })).toMatch(
      /^PATH_NOT_FOUND: No file "no\/a\.ts".*\nNo file "no\/b\.ts"/,
    );
  });
});

describe("structured answers", () => {
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    search_context: { query: "revokeToken" },
    search_text: { pattern: "revokeToken" },
    find_symbol: { name: "revokeToken" },
    read_context: { targets: ["revokeToken"] },
    find_references: { symbol: "revokeToken" },
    analyze_impact: { target: "revokeToken" },
    find_related: { target: "revokeToken" },
    index_status: {},
    list_changes: {},
    set_monitor: { action: "list" },
  };

  test.each(tools)(
    "$name is structured only where it declares it, and repeats it as text or sums it up",
    async ({ name, descriptor }) => {
      const input = name === "index_source" ? { source: made.root } : inputs[name];
      const { items, outcome } = await call(name, input ?? {});
      expect(outcome.structured !== undefined).toBe(descriptor.outputSchema !== undefined);
      if (outcome.structured === undefined) return;
      const { structured: structuredContent } = outcome;
      const isSummary = name === "index_status" || name === "list_changes";
      expect(repeatsStructuredContent({ content: items, structuredContent })).toBe(!isSummary);
      expect(items).toHaveLength(1);
    },
  );

  test("index_source returns counts, times and the state", async () => {
    const { outcome } = await call("index_source", { source: made.root });
    expect(outcome.structured).toEqual({
      namespace: expect.any(String),
      source: made.root,
      state: "ready",
      generation: 1,
      files: Object.keys(FILES).length,
      chunks: expect.any(Number),
      symbols: expect.any(Number),
      done: true,
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: Object.keys(FILES).length,
      skipped: 0,
      warnings: [],
      took_ms: expect.any(Number),
    });
  });

  test("index_status has the shape of the product decisions", async () => {
    const { outcome } = await call("index_status", { detail: "skipped" });
    const total = Object.keys(FILES).length;
    expect(outcome.structured).toEqual({
      namespaces: [
        {
          name: expect.any(String),
          state: "ready",
          generation: 1,
          sources: [{ root: made.root, prefix: "", available: true }],
          files: Object.keys(FILES).length,
          chunks: expect.any(Number),
          symbols: expect.any(Number),
          bytes: Object.values(FILES).reduce((sum, text) => sum + text.length, 0),
          stages: ["list", "words", "syntax"].map((name) => ({ name, done: total, total })),
          skipped: {},
          skipped_files: [],
          indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          looked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          last_run: { by: "index", process: process.pid, warnings: [] },
          freshness: { mode: "asked", pid: null, folders: 0 },
        },
      ],
    });
  });
});
