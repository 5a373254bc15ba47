import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openProject, type Project } from "../../../bench/references/project.ts";
import {
  judgeUses,
  readSample,
  SAMPLED,
  sampleScores,
} from "../../../bench/references/score-samples.ts";
import { tree } from "../../helpers/tree.ts";

const place = tree({
  "shop/src/cart.ts": "export function addArticle(cart: string[]) {\n  return cart;\n}\n",
  "shop/src/main.ts":
    'import { addArticle } from "./cart.ts";\n\naddArticle([]);\nunknown.addArticle();\nelsewhere();\n',
});
afterAll(place.dispose);

let project: Project;
beforeAll(async () => {
  project = await openProject(join(place.path, "shop"), join(place.path, "data"));
});
afterAll(() => project.close());

const TARGET = "src/cart.ts:1";

test("a use is exact where svc leads from it to what is meant", async () => {
  const path = "src/main.ts";
  const judged = await judgeUses(project, [
    { path, line: 3, name: "addArticle", target: TARGET },
    { path, line: 3, name: "addArticle", target: "src/main.ts:5" },
    { path, line: 5, name: "elsewhere", target: "src/none.ts:1" },
  ]);

  expect(judged.map(({ outcome }) => outcome)).toEqual(["exact", "wrong", "unknown"]);
  expect(sampleScores(judged)).toMatchObject({
    uses: 3,
    exactPrecision: 1 / 2,
    exactRecall: 1 / 3,
  });
});

test.each(SAMPLED)("the sample of $name has a hundred uses, each once", ({ name }) => {
  const uses = readSample(name);

  expect(uses).toHaveLength(100);
  expect(new Set(uses.map(({ path, line, name: of }) => `${path}:${line}:${of}`)).size).toBe(100);
  for (const { target, line } of uses) {
    expect(target).toMatch(/^[^:]+:\d+$/);
    expect(line).toBeGreaterThan(0);
  }
});
