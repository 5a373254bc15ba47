import { describe, expect, test } from "vitest";

import {
  addedLines,
  comparable,
  hunkAround,
  hunkText,
  isFormatting,
  removedLines,
  shareOfLines,
} from "../../../src/engine/why/hunk-text.ts";
import type { PatchHunk } from "../../../src/sources/patch-text.ts";

function hunk(lines: readonly string[], section = ""): PatchHunk {
  const oldCount = lines.filter((line) => !line.startsWith("+")).length;
  const newCount = lines.filter((line) => !line.startsWith("-")).length;
  return { oldStart: 10, oldCount, newStart: 20, newCount, section, lines };
}

function numbered(mark: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${mark}line ${at + 1};`);
}

test("only changed lines and two lines around them are shown", () => {
  const lines = [...numbered(" ", 6), "-old;", "+new;", ...numbered(" ", 6), "+last;"];
  expect(hunkText([hunk(lines, "open()")])).toBe(
    [
      "@@ -14,5 +24,5 @@ open()",
      " line 5;",
      " line 6;",
      "-old;",
      "+new;",
      " line 1;",
      " line 2;",
      "@@ -21,2 +31,3 @@ open()",
      " line 5;",
      " line 6;",
      "+last;",
    ].join("\n"),
  );
});

test("a long hunk and a long line are cut", () => {
  const text = hunkText([hunk([`+${"x".repeat(1000)}`, ...numbered("+", 100)])]);
  expect(text.split("\n")).toHaveLength(41);
  expect(text.split("\n")[1]?.length).toBeLessThan(250);
  expect(text.endsWith("\n…")).toBe(true);
  expect(hunkText([hunk(numbered(" ", 3))])).toBe("");
});

test("a long hunk is shown around the wanted lines, with their numbers", () => {
  const near = hunkAround(hunk(numbered("+", 100)), new Set([69]));
  expect(near).toMatchObject({ oldStart: 10, newStart: 61, oldCount: 0, newCount: 17 });
  expect(near.lines.at(0)).toBe("+line 42;");
  expect(near.lines.at(-1)).toBe("+line 58;");
  const short = hunk(numbered("+", 3));
  expect(hunkAround(short, new Set([20]))).toBe(short);
  const long = hunk(numbered("+", 100));
  expect(hunkAround(long, new Set([500]))).toBe(long);
});

describe("formatting", () => {
  test.each([
    [["-  open( a );"], ["+open(a);"]],
    [["-open(a, b)"], ["+open(", "+  a,", "+  b,", "+)"]],
    [["-const a = 'x'"], ['+const a = "x";']],
    [[], []],
  ])("%j to %j only changes the form", (removed, added) => {
    expect(isFormatting([hunk([...removed, ...added])])).toBe(true);
  });

  test.each([
    [["-open(a)"], ["+open(b)"]],
    [['-say("x")'], ['+say("x;")']],
    [["-f(1,2)"], ["+f(12)"]],
    [[], ["+more();"]],
    [["-less();"], []],
  ])("%j to %j changes what it does", (removed, added) => {
    expect(isFormatting([hunk([...removed, ...added])])).toBe(false);
  });

  test("one hunk that moves lines to another is no formatting", () => {
    expect(isFormatting([hunk(["-moved();"]), hunk(["+moved();"])])).toBe(false);
  });
});

test("lines are compared without white space, and brackets do not count", () => {
  const hunks = [hunk(["-a();", " b();", "+c();"])];
  expect([addedLines(hunks), removedLines(hunks)]).toEqual([["c();"], ["a();"]]);
  expect(comparable("  return  value;")).toBe("returnvalue;");
  expect([comparable("  }"), comparable("});"), comparable("----")]).toEqual(["", "", ""]);
  expect(shareOfLines(["first();", "second();", "}"], ["  first();", "other();"])).toBe(0.5);
  expect(shareOfLines(["}"], ["}"])).toBe(0);
});
