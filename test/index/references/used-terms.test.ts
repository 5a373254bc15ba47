import { expect, test } from "vitest";

import {
  importTerm,
  lastPartsOf,
  usedTerm,
  usedTerms,
} from "../../../src/index/references/used-terms.ts";
import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import { bindingUse } from "../../../src/index/references/use-order.ts";

test.each([
  ["./net/client.ts", ["net", "client"]],
  ["../base/index.js", ["base", "index"]],
  ["a.b.Name", ["b", "Name"]],
  ["std::collections::HashMap", ["collections", "HashMap"]],
  ["github.com/gin-gonic/gin", ["gin-gonic", "gin"]],
  ["java.util.*", ["java", "util"]],
  ["Newtonsoft.Json", ["Newtonsoft", "Json"]],
  ["react", ["react"]],
  [".", ["."]],
  ["../..", ["."]],
  ["", []],
])("the last parts of %j are %j", (module, parts) => {
  expect(lastPartsOf(module)).toEqual(parts);
});

test("the terms of a file are the names that it uses and the modules that it imports, each once", () => {
  const imported = {
    line: 1,
    module: "./net/client.ts",
    bindings: [],
    isWildcard: true,
    isReexport: false,
  };
  const terms = usedTerms({
    ...NO_REFERENCES,
    uses: [bindingUse("openClient", 1, 0), bindingUse("openClient", 2, 0)],
    imports: [imported, { ...imported, line: 2 }],
  });
  expect([...terms]).toEqual([usedTerm("OPENCLIENT"), importTerm("net"), importTerm("Client")]);
  expect(usedTerm("net")).not.toBe(importTerm("net"));
});
