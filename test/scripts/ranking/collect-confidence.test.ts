import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import type { Asked } from "../../../scripts/ranking/asked.ts";
import { CONFIDENCE_SIGNALS } from "../../../src/search/confidence-signals.ts";
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SCRIPT = join(ROOT, "scripts/ranking/collect-confidence.ts");

const CORPORA = ["tokens", "weather"].map((id) => ({
  id,
  kind: "git",
  github: `own/${id}`,
  commit: "0".repeat(40),
  language: id === "tokens" ? "typescript" : "python",
}));

function questionsOf(corpus: string, path: string, query: string): readonly object[] {
  const of = { suite: "tiny", corpus, lang: "typescript", type: "semantic", gold: [{ path }] };
  return Array.from({ length: 8 }, (_, at) => ({ id: `${corpus} ${at}`, query, ...of }));
}

const place = tree({
  "corpora/tokens/src/tokens.ts":
    "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n",
  "corpora/tokens/src/store.ts": "export const store = new Map<string, string>();\n",
  "corpora/weather/rain.py": "def forecast():\n    return 'rain'\n",
  "questions/corpora.json": JSON.stringify(CORPORA),
  "questions/tiny.json": JSON.stringify([
    ...questionsOf("tokens", "src/tokens.ts", "where is an access token revoked"),
    ...questionsOf("weather", "rain.py", "forecast of rain"),
  ]),
});
afterAll(place.dispose);

test("each question is asked of its corpus, of another, and where its answer is missing", () => {
  const out = join(place.path, "asked.jsonl");
  const folders = ["corpora", "indexes", "questions"].flatMap((one) => [
    `--${one}`,
    join(place.path, one),
  ]);
  const command = [SCRIPT, ...folders, "--out", out];
  const { stderr, status } = spawnSync(process.execPath, command, { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const asked = readFileSync(out, "utf8")
    .trimEnd()
    .split("\n")
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the script wrote
    .map((line) => JSON.parse(line) as Asked);
  const kinds = Map.groupBy(asked, ({ kind }) => kind);
  expect([...kinds.keys()].toSorted()).toEqual(["removed", "right", "wrong language"]);
  expect(new Set(asked.map(({ withoutVectors }) => withoutVectors))).toEqual(
    new Set([true, false]),
  );
  for (const { kind, signals, scores, right, repository, askedOf } of asked) {
    expect(signals).toHaveLength(CONFIDENCE_SIGNALS.length);
    expect(right).toHaveLength(scores.length);
    expect(right.includes(1)).toBe(kind === "right");
    expect(repository === askedOf).toBe(!kind.startsWith("wrong"));
  }
});

test("without its folders nothing is written", () => {
  const { stderr, status } = spawnSync(process.execPath, [SCRIPT, "--out", "x"], {
    encoding: "utf8",
    cwd: place.path,
  });
  expect({ stderr, status }).toEqual({
    stderr: "collect-confidence: --corpora, --indexes and --out are needed.\n",
    status: 2,
  });
  expect(existsSync(join(place.path, "x"))).toBe(false);
});
