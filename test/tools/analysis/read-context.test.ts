import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILES, sizeOf, tokenProject } from "../token-project.ts";

const { call, refusal } = tokenProject();

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
