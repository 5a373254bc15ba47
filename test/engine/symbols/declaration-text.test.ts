import { expect, test } from "vitest";

import {
  endOfString,
  inlineMember,
  withClosedBrackets,
} from "../../../src/engine/symbols/declaration-text.ts";

test("a string ends at its quote, and a quote without another one begins none", () => {
  expect(endOfString('a = "b\\"c" + d', 4, "python")).toBe(9);
  expect(endOfString("it's", 2, "python")).toBe(2);
  expect(endOfString("&'a str, &'b str", 1, "rust")).toBe(1);
  expect(endOfString("abc", 1, "go")).toBe(1);
  expect(endOfString("abc", 9, "go")).toBe(9);
});

test("a bracket that stays open is closed after the name only", () => {
  expect(withClosedBrackets("a = [1, 2", "a", "python")).toBe("a = […]");
  expect(withClosedBrackets("a = { b: [1", "a", "typescript")).toBe("a = {…}");
  expect(withClosedBrackets('a = ["(", 1]', "a", "python")).toBe('a = ["(", 1]');
  expect(withClosedBrackets("constructor(private a: string,", "a", "typescript")).toBe(
    "constructor(private a: string,",
  );
});

test("a member begins after the bracket or the member before it", () => {
  const text = "type A = { b: Map<string, C>, c(d: E): void; f: () => G };";
  const memberAt = (name: string): string => {
    const { start = 0, end = 0 } = inlineMember(text, text.indexOf(name)) ?? {};
    return text.slice(start, end).trim();
  };
  expect(["b:", "c(", "f:"].map(memberAt)).toEqual([
    "b: Map<string, C>",
    "c(d: E): void",
    "f: () => G",
  ]);
  expect(inlineMember(text, text.indexOf("A"))).toBeUndefined();
});
