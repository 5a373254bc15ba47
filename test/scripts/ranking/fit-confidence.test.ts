import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { seededRandom } from "../../../bench/quality/random.ts";
import type { Asked, AskedKind } from "../../../scripts/ranking/asked.ts";
import { CONFIDENCE_FEATURES, CONFIDENCE_SIGNALS } from "../../../src/search/confidence-signals.ts";
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KINDS: readonly AskedKind[] = [
  "right",
  "removed",
  "wrong language",
  "wrong project",
  "wrong in the bench",
];

const random = seededRandom("askings");

/** Only similarity distinguishes right answers from wrong ones. */
function asked(kind: AskedKind, number: number, withoutVectors: boolean): Asked {
  const isRight = kind === "right";
  const known = kind === "removed" ? 0.35 : isRight ? 0.6 : 0.1;
  const scores = [12, 9, 7].map((score) => score + random());
  return {
    suite: "semble",
    kind,
    withoutVectors,
    repository: `own/${number % 10}`,
    askedOf: `own/${(kind.startsWith("wrong") ? number + 1 : number) % 10}`,
    signals: CONFIDENCE_SIGNALS.map((name) =>
      name === (withoutVectors ? "chunkCoverage" : "similarity")
        ? known + random() * 0.4
        : random(),
    ),
    scores,
    right: isRight ? [1, 0, 0] : [0, 0, 0],
  };
}

const all = [false, true].flatMap((withoutVectors) =>
  KINDS.flatMap((kind) => Array.from({ length: 60 }, (_, at) => asked(kind, at, withoutVectors))),
);
const place = tree({
  "asked.jsonl": all.map((one) => `${JSON.stringify(one)}\n`).join(""),
});
afterAll(place.dispose);

function fit(...words: readonly string[]): string {
  const script = join(ROOT, "scripts/ranking/fit-confidence.ts");
  const command = [script, join(place.path, "asked.jsonl"), ...words];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

test("the signal that tells right from wrong gets the weight, and the thresholds follow", () => {
  const printed = fit("--out", join(place.path, "weights.json"));
  const weights = JSON.parse(readFileSync(join(place.path, "weights.json"), "utf8"));
  expect(Object.keys(weights.answer)).toEqual(["intercept", ...CONFIDENCE_FEATURES]);
  expect(Object.keys(weights.answerWithoutVectors)).toEqual(["intercept", ...CONFIDENCE_FEATURES]);
  expect(weights.answer.similarity).toBeGreaterThan(Math.abs(weights.answer.unknown) * 3);
  expect(weights.answerWithoutVectors.chunkCoverage).toBeGreaterThan(3);
  expect(weights.result.gap).toBeLessThan(0);
  expect(weights.noGoodMatch).toBeGreaterThan(0);
  expect(weights.noGoodMatch).toBeLessThanOrEqual(weights.unsure);
  // Most questions to other projects are reported, and hardly any to the right project.
  const [, right, , otherLanguage] =
    /^mean of suites +([\d.]+)% +([\d.]+)% +([\d.]+)%/m.exec(printed)?.map(Number) ?? [];
  expect(right).toBeLessThan(5);
  expect(otherLanguage).toBeGreaterThan(80);
});

test("a dry run writes nothing and prints the same", () => {
  const again = fit("--dry-run", "--out", join(place.path, "none.json"));
  expect(existsSync(join(place.path, "none.json"))).toBe(false);
  expect(again).toBe(fit("--dry-run"));
});
