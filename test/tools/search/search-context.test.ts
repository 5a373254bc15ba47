import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { fenceLines } from "../../helpers/fence-lines.ts";
import { createProject, request, type Project, type ToolAnswer } from "../../helpers/project.ts";
import { arbitraryProse } from "../../search/arbitrary-prose.ts";

const PLAIN =
  "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n";
const LARGE = [
  "export class Store {",
  ...["revoke", "renew", "expire", "rotate"].flatMap((name) => [
    `  /** Does ${name} tokens. */`,
    `  ${name}Token(token: Token): void {`,
    ...Array.from({ length: 30 }, (_, at) => `    this.${name}(token, ${at});`),
    "  }",
    "",
  ]),
  "}",
  "",
];
const FILES: Record<string, string> = {
  "src/tokens.ts": PLAIN,
  "src/store.ts": LARGE.join("\n"),
  "docs/json.md": '# Revoke a token\n\n```json\n{ "path": "src/tokens.ts" }\n```\n',
  "docs/crlf.md": "# Revoke a token\r\n\r\n```js\r\nrevokeToken(id);\r\n```\r\n",
  "docs/fence.md": [
    "```js",
    ...Array.from({ length: 90 }, (_, at) => `revokeToken(${at});`),
    "```",
  ].join("\n"),
  "docs/long.md": `# Token\n\n${"Some words about tokens. ".repeat(2000)}\n`,
};
// Seeded, so that every run has the same files.
for (const [at, lines] of fc.sample(arbitraryProse(150), { seed: 7, numRuns: 30 }).entries()) {
  FILES[`pages/page${at}.md`] = lines.join("\n");
  FILES[`pages/script${at}.py`] = `def revoke${at}(token):\n    """\n${lines.join("\n")}\n"""\n`;
}

let project: Project;
beforeAll(async () => {
  project = createProject(FILES);
  await project.engine.index(request());
}, 60_000);
afterAll(() => project.dispose());

function call(query: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
  return project.tool("search_context", { query, ...input });
}

test("a passage follows its location, with its facts in _meta", async () => {
  const { items } = await call("revokeToken", { path: "src/tokens.ts" });
  expect(items[0]).toEqual({
    text: `src/tokens.ts:1-4  revokeToken\n${PLAIN.trimEnd()}`,
    meta: {
      "dev.svc/confidence": expect.any(Number),
      "dev.svc/passages": [
        ["src/tokens.ts", 1, 4, "revokeToken", expect.any(Number), expect.any(Number)],
      ],
    },
  });
  const explained = await call("revokeToken", { path: "src/tokens.ts", explain: true });
  expect(explained.items[0]?.meta).toMatchObject({
    "dev.svc/passage": {
      path: "src/tokens.ts",
      startLine: 1,
      endLine: 4,
      language: "typescript",
      kind: "code",
      symbol: "revokeToken",
      score: expect.any(Number),
      signals: expect.any(Object),
    },
  });
});

test("with explain each signal's share is shown, to three digits", async () => {
  const { items } = await call("revoke a token", { path: "src/", explain: true });
  for (const { meta } of items) {
    const { score, signals } = Object(meta?.["dev.svc/passage"]);
    const shares = Object.values(signals).map(Number);
    expect(shares.length).toBeGreaterThan(3);
    for (const share of shares) expect(share).toBe(Math.round(share * 1000) / 1000);
    const sum = shares.reduce((total, share) => total + share, 0);
    expect(Math.abs(sum - score)).toBeLessThan(0.05);
  }
});

test("with any query, no item leaves a fence open, and no block is marked as json", async () => {
  const requests = fc.record({
    max_tokens: fc.constantFrom(100, 200, 500, 2000, 5000),
    limit: fc.integer({ min: 1, max: 30 }),
    query: fc.constantFrom(
      "revoke a token",
      "revokeToken",
      "text about something else",
      "an item",
      "npm run revoke",
      "renew and rotate",
      "how are kubernetes pods scheduled onto nodes",
    ),
    path: fc.constantFrom(undefined, "docs/", "pages/", "src/"),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ query, path, ...input }) => {
      const { items, text } = await call(query, { ...input, ...(path && { path }) });
      for (const item of items) expect(fenceLines(item.text) % 2).toBe(0);
      expect(text).not.toMatch(/```json\s*\n/);
      expect((text.length + 1) / 4).toBeLessThanOrEqual(input.max_tokens);
    }),
    { numRuns: 150 },
  );
});

test.each([200, 500, 2000])(
  "of %i tokens there is room for text, and none is exceeded",
  async (max_tokens) => {
    const { items, text } = await call("revoke a token", { max_tokens, limit: 50 });
    expect((text.length + 1) / 4).toBeLessThanOrEqual(max_tokens);
    expect(items[0]?.text.split("\n").length).toBeGreaterThan(1);
  },
);

test("results after the best ones are a line or two", async () => {
  const { items } = await call("revoke a token", { limit: 10, explain: true });
  const passages = items.filter(({ meta }) => meta !== undefined);
  expect(passages.length).toBeGreaterThan(6);
  for (const { text } of passages.slice(6)) expect(text.split("\n").length).toBeLessThan(10);
});

test("adjacent chunks in a file are one passage without repeated lines", async () => {
  const { items } = await call("revoke renew expire rotate tokens in the store", {
    path: "src/store.ts",
  });
  const shown = items
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^ {4}this/.test(line));
  expect(new Set(shown).size).toBe(shown.length);
  const [place = ""] = items[0]?.text.split("\n") ?? [];
  const [, from, to] = /^src\/store\.ts:(\d+)-(\d+)/.exec(place) ?? [];
  expect(Number(to) - Number(from)).toBeGreaterThan(60);
});

test("a weak answer says so, how sure it is, and lists the nearest locations up to the limit", async () => {
  const { items, text } = await call("long kubernetes pods on volcanic nodes", { limit: 20 });
  const confidence = items.at(-1)?.meta?.["dev.svc/confidence"];
  expect(confidence).toBeLessThan(0.1);
  expect(items[0]?.text).toBe(
    `No good match (confidence ${String(confidence)}); try search_text or other words. The nearest:`,
  );
  const places = text.split("\n").filter((line) => /^\S+:\d+-\d+/.test(line));
  expect(places.length).toBeGreaterThan(5);
  const few = await call("long kubernetes pods on volcanic nodes", { limit: 3 });
  expect(few.text.split("\n").filter((line) => /^\S+:\d+-\d+/.test(line))).toHaveLength(3);
  for (const item of items) expect(item.text.split("\n").length).toBeLessThan(12);
});

test("a corrected word is reported before the passages", async () => {
  const { items } = await call("how is a tokne revoked");
  expect(items[0]?.text).toBe('No match for "tokne"; searched for "token".');
  expect(items[1]?.text).toMatch(/^src\/tokens\.ts:1-4 {2}revokeToken\n/);
  const nothing = await call("how is a tokne revoked", { path: "*.none" });
  expect(nothing.text).toMatch(/^No match for "tokne"; searched for "token"\.\nNothing in /);
});

test("a good answer is not called weak", async () => {
  expect((await call("revoke a token")).text).not.toContain("No good match");
});

test("an empty result says so and suggests alternatives", async () => {
  const nowhere = await call("revoke a token", { path: "nowhere/" });
  expect(nowhere.items[0]?.text).toMatch(
    /^Nothing in ".+" matches\. No indexed file matches path "nowhere\/"\.$/,
  );
  const { items } = await call("revoke a token", { language: "zig" });
  expect(items).toHaveLength(1);
  expect(items[0]?.text).toMatch(/^Nothing in ".+" matches\. .*search_text/);
});
