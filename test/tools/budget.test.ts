import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILES, sizeOf, tokenProject } from "./token-project.ts";

const { call } = tokenProject();

describe("search_context", () => {
  test("max_tokens is a hard limit of the reply, which is never empty", async () => {
    const requests = fc.record({
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
      fc.asyncProperty(requests, async (input) => {
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
