import { expect, test } from "vitest";

import {
  NO_REFERENCES,
  sheetImport,
  type FileReferences,
  type Use,
} from "../../../src/parse/references/references.ts";
import {
  bindingUse,
  inUseOrder,
  modulesIn,
  namesUsedIn,
} from "../../../src/index/references/use-order.ts";

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

test("the style sheets of components are left out: they say nothing of what code imports", () => {
  const one = { line: 1, module: "./a.ts", bindings: [], isWildcard: false, isReexport: false };
  expect(modulesIn([one, sheetImport("./app.css", 2)])).toEqual(["./a.ts"]);
  expect(namesUsedIn({ ...NO_REFERENCES, imports: [sheetImport("./app.css", 2)] }).modules).toEqual(
    [],
  );
});
