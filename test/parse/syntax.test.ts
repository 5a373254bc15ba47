import { describe, expect, it } from "vitest";

import { chunkFile } from "../../src/chunk/chunk.ts";
import { createGrammars } from "../../src/parse/syntax.ts";
import { CORE, grammarBytes } from "../chunk/helpers.ts";

const SOURCE = "def load():\n    return 1\n";

function parseTypes(
  grammars: Awaited<ReturnType<typeof createGrammars>>,
  language = "python",
): unknown {
  return grammars.parse(language, SOURCE, (root) => root.namedChildren.map(({ type }) => type));
}

function damaged(): Uint8Array {
  return new Uint8Array([0, 97, 115, 109, 1]);
}

function fail(): never {
  throw new Error("no");
}

describe("grammars", () => {
  it("are loaded once, on first use", async () => {
    const loaded: string[] = [];
    const grammar = (language: string): Uint8Array | undefined => {
      loaded.push(language);
      return grammarBytes(language);
    };
    const grammars = await createGrammars({ core: CORE, grammar });
    expect(loaded).toEqual([]);
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
    expect(loaded).toEqual(["python"]);
  });

  it("return undefined for a language without a grammar", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes });
    expect(parseTypes(grammars, "cobol")).toBeUndefined();
  });

  it("that are damaged cause a problem for the file, which is cut nevertheless", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: damaged });
    const chunked = chunkFile({ path: "a.py", language: "python", text: SOURCE }, grammars);
    expect(chunked.chunks).toMatchObject([{ startLine: 1, endLine: 2, symbol: "load" }]);
    expect(chunked.problem).toBe("no-grammar");
  });

  it("stop at a text that exceeds the work limit", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes, maxParseUnits: 0 });
    expect(chunkFile({ path: "a.py", language: "python", text: SOURCE }, grammars)).toMatchObject({
      symbols: [{ name: "load" }],
      problem: "budget",
    });
  });

  it("stop in a quadratic case of a scanner and continue with the next text", async () => {
    const grammars = await createGrammars({
      core: CORE,
      grammar: grammarBytes,
      maxParseUnits: 100_000,
    });
    const continued = "\\\n".repeat(100_000);
    expect(grammars.parse("python", continued, Boolean)).toEqual({ problem: "budget" });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
  });

  it("refuse a text nested so deeply that the parser would overwrite its memory", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes });
    expect(grammars.parse("go", "{-".repeat(5000), Boolean)).toEqual({ problem: "nesting" });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
  });

  it("survive a reader that throws", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes });
    expect(grammars.parse("python", SOURCE, fail)).toEqual({ problem: "parser-failed" });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
  });
});
