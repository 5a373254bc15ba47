import { expect, test } from "vitest";

import type { FileReferences, Use } from "../../../src/parse/references/references.ts";
import { bindingUse, inUseOrder, namesUsedIn } from "../../../src/index/references/use-order.ts";

const call = (name: string, line: number): Use => ({
  ...bindingUse(name, line, -1),
  role: "call",
});

const REFERENCES: FileReferences = {
  uses: [call("beta", 1), call("alpha", 1), bindingUse("open", 1, 0), call("open", 3)],
  imports: [
    {
      line: 1,
      module: "./net.ts",
      bindings: [{ name: "open", local: "start" }],
      isWildcard: false,
      isReexport: false,
    },
  ],
  types: ["", "@Session", ""],
  package: "net",
};

test("uses are in line order; on one line bindings come first, and then the others by name", () => {
  expect(inUseOrder(REFERENCES)).toEqual({
    ...REFERENCES,
    uses: [bindingUse("open", 1, 0), call("alpha", 1), call("beta", 1), call("open", 3)],
    types: ["", "@Session"],
  });
});

test("the names of bindings come first, each name once", () => {
  const { names, modules } = namesUsedIn(REFERENCES);
  expect([...names]).toEqual(["open", "alpha", "beta"]);
  expect(modules).toEqual(["./net.ts"]);
});
