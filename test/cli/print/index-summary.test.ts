import { afterAll, expect, test } from "vitest";

import { refusedText } from "../../../src/cli/print/index-summary.ts";
import { createMachine } from "../../helpers/cli.ts";

const here = createMachine({ "a.ts": "export const one = 1;\n" });
afterAll(() => here.dispose());

test("counts of one are singular, and sizes have a fitting unit", async () => {
  const { out } = await here.svc("index", here.root);
  expect(out).toContain("\n1 file (22 bytes), 1 chunk, 1 symbol; 0 files skipped.\n1 added, ");
});

test("up to three refused documents are named", () => {
  const refused = { reason: "not indexed by svc", documents: ["a.ts", "b.ts", "c.ts", "d.ts"] };
  expect(refusedText(refused)).toBe(
    '4 documents of the SCIP index not used (not indexed by svc): "a.ts", "b.ts", "c.ts" and 1 more.',
  );
});
