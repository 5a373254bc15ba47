import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { promiseTests } from "../../scripts/generate/promises.ts";
import { SUBJECTS } from "./promises.ts";

const ROOT = join(import.meta.dirname, "../..");

test("each number is proven by a test, measured by a bench, or says why not", () => {
  const promised = new Set(promiseTests(ROOT).flatMap(({ ids }) => ids));
  const open = Object.entries(SUBJECTS)
    .filter(([id]) => !promised.has(Number(id)))
    .filter(([, { otherEvidence = [] }]) => otherEvidence.every((one) => "partly" in one))
    .map(([id]) => Number(id));
  expect(open).toEqual([]);
});

test("each promise has a number of the list, and each file named is there", () => {
  const unknown = promiseTests(ROOT).filter(({ ids }) => ids.some((id) => !(id in SUBJECTS)));
  expect(unknown).toEqual([]);
  const files = Object.values(SUBJECTS).flatMap(({ otherEvidence = [] }) =>
    otherEvidence.flatMap((one) => ("tests" in one ? one.tests : "bench" in one ? one.bench : [])),
  );
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
