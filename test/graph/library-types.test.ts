import { describe, expect, test } from "vitest";

import { libraryTypes } from "../../src/graph/library-types.ts";

const java = libraryTypes("java");

describe("a value of Java's library fits", () => {
  test("its supertypes", () => {
    expect(java.fit("String", "CharSequence")).toBe("yes");
    expect(java.fit("ArrayList", "Iterable")).toBe("yes");
    expect(java.fit("String", "Number")).toBe("no");
    expect(java.fit("Unheard", "CharSequence")).toBe("maybe");
    expect(java.fit("Unheard", "String")).toBe("no");
    expect(java.fit("Unheard", "Object")).toBe("yes");
  });

  test("wider primitive types, and objects after a conversion", () => {
    expect(java.fit("int", "long")).toBe("yes");
    expect(java.fit("long", "int")).toBe("no");
    expect(java.fit("int", "Integer")).toBe("wide");
    expect(java.fit("int", "Number")).toBe("wide");
    expect(java.fit("Integer", "long")).toBe("wide");
    expect(java.fit("String", "int")).toBe("no");
  });
});

test("a function fits interfaces by its parameters and its result", () => {
  expect(java.fitOfFunction("Runnable", { parameters: 0, returns: "v" })).toBe("yes");
  expect(java.fitOfFunction("Supplier", { parameters: 0, returns: "v" })).toBe("no");
  expect(java.fitOfFunction("Function", { parameters: 2, returns: "r" })).toBe("no");
  expect(java.fitOfFunction("String", { parameters: 1, returns: "r" })).toBe("no");
  expect(java.fitOfFunction("Unheard", { parameters: 1, returns: "r" })).toBe("maybe");
  expect(java.fitOfFunction("Runnable", { parameters: -1, returns: "" })).toBe("maybe");
});

test("members of the library have results", () => {
  expect(java.resultOf("Long", "valueOf")).toBe("Long");
  expect(java.resultOf("Unheard", "toString")).toBe("String");
  expect(java.resultOf("[]", "length")).toBe("int");
  expect(java.resultOf("Unheard", "unheard")).toBe("");
});

test("nothing is known about other languages", () => {
  expect(libraryTypes("cobol").fit("A", "B")).toBe("maybe");
});
