import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import type { Example } from "../../../scripts/ranking/example.ts";
import { CHUNK_FEATURES, FILE_FEATURES, PRODUCT_FEATURES } from "../../../src/search/features.ts";
import { RANKED_FEATURES } from "../../../src/search/rank-features.ts";
import { RERANK_DEPTH, RERANKED_CHUNKS } from "../../../src/search/weights.ts";
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");

function corpus(id: string): object {
  return {
    id,
    kind: "git",
    github: `own/${id}`,
    commit: "0".repeat(40),
    language: "typescript",
  };
}

function question(id: string, of: string, gold: readonly object[], query: string): object {
  return { id, suite: "tiny", corpus: of, lang: "typescript", type: "semantic", query, gold };
}

const place = tree({
  "corpora/tokens/src/tokens.ts": [
    "import { store } from './store.ts';",
    "",
    ...Array.from({ length: 40 }, (_, number) => `const setting${number} = ${number};`),
    "/** Revokes an access token. */",
    "export function revokeToken(id: string): void {",
    "  store.delete(id);",
    "}",
    "",
  ].join("\n"),
  "corpora/tokens/src/store.ts": "export const store = new Map<string, string>();\n",
  "corpora/tokens/docs/tokens.md": "# Tokens\n\nHow to revoke a token.\n",
  "corpora/weather/rain.ts": "export function forecast(): string {\n  return 'rain';\n}\n",
  "questions/corpora.json": JSON.stringify([corpus("tokens"), corpus("weather"), corpus("gone")]),
  "questions/tiny.json": JSON.stringify([
    question(
      "lines",
      "tokens",
      [{ path: "src/tokens.ts", grade: 2, start: 43, end: 46 }, { path: "src/nowhere.ts" }],
      "where is an access token revoked",
    ),
    question("docs", "tokens", [{ path: "docs/tokens.md" }], "guide to tokens"),
    question("rain", "weather", [{ path: "rain.ts" }], "what will the weather be"),
    question("gone", "gone", [{ path: "a.ts" }], "where did it go"),
  ]),
});
afterAll(place.dispose);

function at(name: string): string {
  return join(place.path, name);
}

function collect(name: string, ...more: readonly string[]): { examples: Example[]; notes: string } {
  const script = join(ROOT, "scripts/ranking/collect.ts");
  const folders = ["corpora", "indexes", "questions"].flatMap((one) => [`--${one}`, at(one)]);
  const words = [script, ...folders, "--out", at(name), ...more];
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`collect.ts ended with ${status}: ${stderr}`);
  const lines = readFileSync(at(name), "utf8").split("\n");
  expect(lines.pop()).toBe("");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what collect.ts wrote
  return { examples: lines.map((line) => JSON.parse(line) as Example), notes: stderr };
}

// Processes take long.
const LONG_TIMEOUT = { timeout: 30_000 };
const whole = collect("all.jsonl");

test("each query about an existing corpus gets a line, with the features of its candidates", () => {
  const { examples, notes } = whole;
  expect(examples.map(({ id }) => id)).toEqual(["lines", "docs", "rain"]);
  expect(notes).toContain("gone is missing");

  const [lines, docs] = examples;
  expect(lines).toMatchObject({
    suite: "tiny",
    language: "typescript",
    repository: "own/tokens",
    query: "where is an access token revoked",
    grades: [2, 1],
    hasLines: true,
  });
  expect(docs).toMatchObject({ grades: [1], hasLines: false });

  const gains = new Map(lines?.candidates.map(({ path, gain }) => [path, gain]));
  expect(gains.get("src/tokens.ts")).toBe(2);
  expect(gains.get("docs/tokens.md")).toBe(0);
  const answer = lines?.candidates.find(({ path }) => path === "src/tokens.ts");
  expect(answer?.chunks.filter(({ answers }) => answers)).toHaveLength(1);
  expect(answer?.chunks.some(({ answers }) => !answers)).toBe(true);
  expect(docs?.candidates.some(({ chunks }) => chunks.some(({ answers }) => answers))).toBe(false);

  for (const { candidates } of examples) {
    expect(candidates.length).toBeLessThanOrEqual(RERANK_DEPTH);
    for (const { before, after, chunks } of candidates) {
      expect(before).toHaveLength(FILE_FEATURES.length);
      expect(after).toHaveLength(PRODUCT_FEATURES.length + RANKED_FEATURES.length);
      expect(chunks.length).toBeGreaterThan(0);
      expect(chunks.length).toBeLessThanOrEqual(RERANKED_CHUNKS);
      for (const { features } of chunks) expect(features).toHaveLength(CHUNK_FEATURES.length);
    }
  }
});

test("an existing index is reused; the parts together are the whole", LONG_TIMEOUT, () => {
  const { examples } = whole;
  // The query is answered from the index, which would be rebuilt without this file.
  rmSync(at("corpora/tokens/src/tokens.ts"));
  expect(existsSync(at("indexes/tokens/complete"))).toBe(true);
  const first = collect("first.jsonl", "--part", "1/2").examples;
  const second = collect("second.jsonl", "--part", "2/2").examples;
  expect(first).not.toEqual([]);
  expect(second).not.toEqual([]);
  expect([...first, ...second].toSorted(byId)).toEqual(examples.toSorted(byId));
});

function byId({ id: one }: Example, { id: other }: Example): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

test("without its folders nothing is written", () => {
  const script = join(ROOT, "scripts/ranking/collect.ts");
  const { stderr, status } = spawnSync(process.execPath, [script, "--out", "x"], {
    encoding: "utf8",
    cwd: place.path,
  });
  expect({ stderr, status }).toEqual({
    stderr: "collect: --corpora, --indexes and --out are needed.\n",
    status: 2,
  });
  expect(existsSync(at("x"))).toBe(false);
});
