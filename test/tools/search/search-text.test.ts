import { describe, expect, test } from "vitest";
import { tokenProject } from "../token-project.ts";

const { call } = tokenProject();

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
