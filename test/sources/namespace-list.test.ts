import { expect, test } from "vitest";

import {
  namespaceListOf,
  namespaceListText,
  namespaceWords,
} from "../../src/sources/namespace-list.ts";

test("a comma makes a list, * names all, and one name is none", () => {
  expect(namespaceListOf("gin,flask")).toEqual(["gin", "flask"]);
  expect(namespaceListOf(" gin , flask,,gin,")).toEqual(["gin", "flask"]);
  expect(namespaceListOf("gin,")).toEqual(["gin"]);
  expect(namespaceListOf("*")).toBe("all");
  expect(namespaceListOf("gin,*")).toBe("all");
  expect(namespaceListOf("gin")).toBeUndefined();
  expect(namespaceListOf("")).toBeUndefined();
  expect(namespaceListOf(undefined)).toBeUndefined();
});

test("a list becomes the text that names it, and words for a message", () => {
  for (const text of ["gin,flask", "*"])
    expect(namespaceListText(namespaceListOf(text) ?? [])).toBe(text);
  expect(namespaceWords("gin")).toBe('"gin"');
  expect(namespaceWords("gin,flask")).toBe('"gin" or "flask"');
  expect(namespaceWords("*")).toBe("any namespace");
});
