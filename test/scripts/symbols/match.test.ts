import { describe, expect, it } from "vitest";

import { matchFile, plainName, type SvcSymbol } from "../../../scripts/symbols/match.ts";
import type { Tag } from "../../../scripts/symbols/tag.ts";

const tag = (name: string, line: number): Tag => ({ path: "a", name, kind: "k", line });
const ours = (
  name: string,
  startLine: number,
  nameLine = startLine,
  endLine = nameLine,
): SvcSymbol => ({
  name,
  qualifiedName: name,
  kind: "class",
  startLine,
  endLine,
  nameLine,
});

describe("matching", () => {
  it("takes a tag from the first line of a definition to the line after its name", () => {
    const symbol = ours("A", 3, 5, 9);
    const found = [2, 3, 6, 7].map((line) => matchFile([tag("A", line)], [symbol]).both.length);
    expect(found).toEqual([0, 1, 1, 0]);
  });

  it("takes each definition once, and the nearest of several", () => {
    const first = ours("A", 1, 1, 20);
    const second = ours("A", 2);
    const { both, onlyTags, onlyOurs } = matchFile([tag("A", 2), tag("A", 2)], [first, second]);
    expect([both.length, onlyTags.length]).toEqual([1, 0]);
    expect(onlyOurs).toEqual([first]);
  });

  it("accepts clauses and overloads anywhere in their one definition", () => {
    const joined: SvcSymbol = { ...ours("f", 1, 1, 9), kind: "function" };
    const { both, onlyTags } = matchFile([tag("f", 1), tag("f", 8), tag("f", 12)], [joined]);
    expect(both.map(({ line }) => line)).toEqual([1, 8]);
    expect(onlyTags.map(({ line }) => line)).toEqual([12]);
  });

  it.each([
    ["formatter<int>", "formatter"],
    ["A::B", "B"],
    ['"frames"', "frames"],
    ["$name", "name"],
    [" Plugin", "Plugin"],
    ["operator ==", "operator=="],
    ["operator bool() const", "operatorbool"],
    ["operator()", "operator()"],
  ])("takes %s for %s", (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });
});
