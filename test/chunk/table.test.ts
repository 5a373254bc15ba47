import { describe, expect, it } from "vitest";

import { chunkFile } from "../../src/chunk/chunk.ts";
import { indexedRows } from "../../src/chunk/table.ts";
import { splitLines } from "../../src/parse/text-lines.ts";

const rows = (count: number, row = "1,a"): string => `id,name\n${`${row}\n`.repeat(count)}`;

const endLine = (text: string): number => indexedRows(splitLines(text)).endLine;

describe("tables", () => {
  it("are indexed with all rows if they are short", () => {
    const text = rows(60);
    const { chunks } = chunkFile({ path: "a.csv", language: "csv", text });
    expect(chunks.map(({ startLine, endLine: end }) => [startLine, end])).toEqual([
      [1, 30],
      [31, 61],
    ]);
  });

  it("are indexed with their first rows if they are long", () => {
    const { chunks } = chunkFile({ path: "a.csv", language: "csv", text: rows(100_000) });
    expect(chunks.length).toBeLessThanOrEqual(10);
    expect(chunks[0]?.startLine).toBe(1);
    expect(chunks.at(-1)?.endLine).toBe(400);
  });

  it("are indexed with fewer rows if these are long, and always with the head", () => {
    expect(endLine(rows(1000, "x".repeat(1200)))).toBe(40);
    expect(endLine(`${"column,".repeat(20_000)}\n1\n2\n`)).toBe(1);
  });

  it("are not cut inside of a row of several lines", () => {
    const { cuts } = indexedRows(splitLines('a,b\n1,"x\n\ny ""z"" "\n2,c\n'));
    expect([...cuts.subarray(0, 5)]).toEqual([1, 1, 0, 0, 1]);
  });

  it("end although a quote is never closed", () => {
    expect(endLine(`a,b\n1,"x\n${"2,y\n".repeat(100_000)}`)).toBe(801);
  });
});
