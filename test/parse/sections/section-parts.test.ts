import { describe, expect, it } from "vitest";

import {
  labelEntry,
  nestParts,
  tidyTitle,
  type Entry,
  type Heading,
} from "../../../src/parse/sections/section-parts.ts";
import type { Definition } from "../../../src/parse/languages/definition-rules.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";

function nested(headings: readonly Heading[], entries: readonly Entry[], count: number): string[] {
  const lines = splitLines("x\n".repeat(count));
  const list = (definitions: readonly Definition[], indent: string): string[] =>
    definitions.flatMap(({ startLine, endLine, name, members }) => [
      `${indent}${startLine}-${endLine} ${name}`,
      ...list(members, `${indent}  `),
    ]);
  return list(nestParts({ headings, verbatim: new Uint8Array(0), entries }, lines), "");
}

const heading = (line: number, level: number, title: string): Heading => ({
  startLine: line,
  line,
  level,
  title,
});
const entry = (line: number, endLine: number, name: string): Entry => ({
  line,
  endLine,
  name,
  owner: undefined,
  kind: "section",
  isInline: false,
});

describe("parts of a text", () => {
  it("nest by level, and entries by range", () => {
    const headings = [heading(1, 1, "A"), heading(6, 2, "B"), heading(9, 1, "C")];
    const entries = [entry(2, 5, "f"), entry(3, 4, "g"), entry(7, 7, "h"), entry(8, 20, "i")];
    expect(nested(headings, entries, 10)).toEqual([
      "1-8 A",
      "  2-5 f",
      "    3-4 g",
      "  6-8 B",
      "    7-7 h",
      "    8-8 i",
      "9-10 C",
    ]);
  });

  it("end on the line where they begin if the next heading is on it", () => {
    const headings = [
      heading(1, 1, "A"),
      heading(1, 2, "B"),
      heading(3, 2, "C"),
      heading(3, 1, "D"),
    ];
    expect(nested(headings, [], 4)).toEqual(["1-2 A", "  1-2 B", "  3-3 C", "3-4 D"]);
  });

  it("have up to 500 labels, and none that repeats the name around it", () => {
    const labels = Array.from({ length: 600 }, (_, at) => labelEntry(at + 2, `l${at}`));
    expect(nested([heading(1, 1, "A")], labels, 700)).toHaveLength(501);
    expect(nested([heading(1, 1, "First steps")], [labelEntry(1, "first-steps")], 2)).toEqual([
      "1-2 First steps",
    ]);
  });
});

describe("titles", () => {
  it("are one line of up to 120 characters", () => {
    expect(tidyTitle(" a \n\t b ")).toBe("a b");
    expect(tidyTitle("a".repeat(500))).toHaveLength(120);
  });
});
