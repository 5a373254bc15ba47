import { expect, test } from "vitest";

import { symbolFacts } from "../../src/index/symbol-facts.ts";

test("an index stores no signature and no documentation of a definition", () => {
  const facts = {
    name: "read",
    qualifiedName: "Reader.read",
    kind: "method" as const,
    access: "exported" as const,
    startLine: 1,
    endLine: 3,
    nameLine: 2,
  };
  const definition = { ...facts, signature: "read(): string", docLine: "Reads." };
  expect(symbolFacts(definition)).toEqual(facts);
});
