import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { Reranker, SearchResult } from "../../../src/engine/api/search.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";

const NAMES = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
const QUERY = "which animal is it";

let project: Project;
beforeAll(async () => {
  const files = NAMES.map((name) => [
    `${name}.ts`,
    `/** The animal is a ${name}. */\nexport function ${name}Animal(): void {\n  // ${"x".repeat(200)}\n}\n`,
  ]);
  project = createProject(Object.fromEntries(files));
  await project.engine.index(request());
}, 60_000);
afterAll(() => project.dispose());

function search(reranker?: Reranker, more: object = {}): Promise<SearchResult> {
  return project.engine.search({ ...request(), ...SEARCH, query: QUERY, reranker, ...more });
}

const backwards: Reranker = async ({ candidates }) => candidates.map((_, at) => at).toReversed();

function pathsOf({ passages }: SearchResult): readonly string[] {
  return passages.map(({ path }) => path);
}

test("the reranker gets every candidate with its text, and decides the order", async () => {
  const shown: Parameters<Reranker>[0][] = [];
  const local = pathsOf(await search());
  const answer = await search((asked) => {
    shown.push(asked);
    return backwards(asked);
  });
  expect(local).toHaveLength(NAMES.length);
  expect(pathsOf(answer)).toEqual(local.toReversed());
  expect(answer.rerankFailure).toBeUndefined();
  expect(shown.map(({ query }) => query)).toEqual([QUERY]);
  const candidates = shown[0]?.candidates ?? [];
  expect(candidates.map(({ path }) => path)).toEqual(local);
  for (const { path, symbol, text } of candidates) {
    expect(symbol).toBe(path.replace(".ts", "Animal"));
    expect(text).toContain(`function ${symbol}(): void {\n  // xxx`);
  }
});

test("the best passage in the new order is the longest", async () => {
  const local = await search(undefined, { maxTokens: 600 });
  const answer = await search(async ({ candidates }) => [candidates.length - 1], {
    maxTokens: 600,
  });
  const last = local.passages.at(-1);
  expect(answer.passages[0]?.path).toBe(last?.path);
  expect(answer.passages[0]?.text.length).toBeGreaterThan(last?.text.length ?? 0);
});

test("with any order, the answer has the same passages; unnamed ones keep their order", async () => {
  const local = pathsOf(await search());
  const orders = fc.array(fc.oneof(fc.nat(NAMES.length), fc.integer(), fc.double()));
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const answer = pathsOf(await search(async () => order));
      const named = [...new Set(order)].flatMap((at) => local[at] ?? []);
      expect(answer).toEqual([...named, ...local.filter((path) => !named.includes(path))]);
    }),
    { numRuns: 50 },
  );
});

test("each page is reordered separately, and every result is on exactly one page", async () => {
  const local = pathsOf(await search());
  const first = await search(backwards, { limit: 3 });
  const second = await search(backwards, { limit: 10, cursor: first.nextCursor });
  expect(pathsOf(first)).toEqual(local.slice(0, 3).toReversed());
  expect(pathsOf(second)).toEqual(local.slice(3).toReversed());
});

test("a failed reranker is reported, and the order stays", async () => {
  const failure = new SvcError("PROVIDER_ERROR", "It is down.");
  const answer = await search(() => Promise.reject(failure));
  expect(pathsOf(answer)).toEqual(pathsOf(await search()));
  expect(answer.rerankFailure).toBe(failure);
});

test("an internal error in a reranker is not reported as an error of the provider", async () => {
  await expect(search(() => Promise.reject(new TypeError("oops")))).rejects.toThrow("oops");
});

test("a call cancelled during reranking ends with its own reason", async () => {
  const giving = new AbortController();
  const asked = search(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new SvcError("PROVIDER_ERROR", "Gone.")));
        giving.abort(new Error("given up"));
      }),
    { signal: giving.signal },
  );
  await expect(asked).rejects.toThrow("given up");
});

test("without results the reranker is not called", async () => {
  const answer = await search(() => Promise.reject(new Error("asked")), { path: "nowhere/**" });
  expect(answer.passages).toEqual([]);
});
