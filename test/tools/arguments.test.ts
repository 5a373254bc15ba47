import { describe, expect, test } from "vitest";
import { tokenProject } from "./token-project.ts";

const { call, refusal } = tokenProject();

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
