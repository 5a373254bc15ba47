// Definitions of names that a project imports.
import { expect, test } from "vitest";

import { request } from "../../helpers/project.ts";
import { bakery, update } from "./bakery.ts";
import { BAKERY } from "./installed-files.ts";

const OVEN = "npm-oven-1.2.0";

test("a name that the project imports and does not define is found in the package, with its version", async () => {
  const project = bakery();
  await update(project, "all");
  const { symbols } = await project.engine.findSymbols({
    ...request(),
    namespace: "bakery",
    name: "preheat",
    limit: 5,
  });
  expect(symbols[0]).toMatchObject({ namespace: OVEN, path: "dist/heat.d.ts", nameLine: 2 });
  const { target, references } = await project.engine.references({
    ...request(),
    namespace: `bakery,${OVEN}`,
    symbol: "src/bake.ts#preheat",
    relation: "references",
    depth: 1,
    limit: 20,
  });
  expect(target).toMatchObject({ namespace: OVEN, path: "dist/heat.d.ts" });
  expect(references).toContainEqual(
    expect.objectContaining({
      namespace: "bakery",
      path: "src/bake.ts",
      line: 4,
      certainty: "exact",
    }),
  );
});

test("without a lock file, the version that is installed is the one that is used", async () => {
  const { "package-lock.json": _, ...unlocked } = BAKERY;
  const project = bakery(unlocked);
  await update(project, "all");
  const { symbols } = await project.engine.findSymbols({
    ...request(),
    namespace: "bakery",
    name: "preheat",
    limit: 5,
  });
  expect(symbols[0]).toMatchObject({ namespace: OVEN, path: "dist/heat.d.ts" });
});

test("an imported name is not the project's own name in another case", async () => {
  const project = bakery({
    ...BAKERY,
    "src/other.ts": 'import { preheat } from "oven";\n\nexport const PREHEAT = preheat(230);\n',
  });
  await update(project, "all");
  const { target } = await project.engine.references({
    ...request(),
    namespace: `bakery,${OVEN}`,
    symbol: "src/other.ts#preheat",
    relation: "references",
    depth: 1,
    limit: 20,
  });
  expect(target).toMatchObject({ namespace: OVEN, path: "dist/heat.d.ts" });
});
