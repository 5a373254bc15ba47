import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import weights from "../../../src/search/ranking-weights.json" with { type: "json" };
import { tree } from "../../helpers/tree.ts";

const ROOT = join(import.meta.dirname, "../../..");
const place = tree({});
afterAll(place.dispose);

test("the weights of the product are those that the questions give", { timeout: 30_000 }, () => {
  const out = join(place.path, "weights.json");
  const words = [join(ROOT, "scripts/ranking/intent.ts"), "--out", out];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(JSON.parse(readFileSync(out, "utf8"))).toEqual(weights);

  const chances = new Map(
    [...stdout.matchAll(/^([\w-]+): \d+ questions, mean chance ([\d.]+)$/gm)].map(
      ([, suite, chance]) => [suite, Number(chance)],
    ),
  );
  expect(chances.get("howto")).toBeGreaterThan(0.6);
  for (const suite of ["semble", "commits", "swe"]) {
    expect(chances.get(suite)).toBeLessThan(0.4);
  }
});
