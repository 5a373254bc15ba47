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
  it("are asked for once, when they are first needed", async () => {
    const asked: string[] = [];
    const grammar = (language: string): Uint8Array | undefined => {
      asked.push(language);
      return grammarBytes(language);
    };
    const grammars = await createGrammars({ core: CORE, grammar });
    expect(asked).toEqual([]);
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
    expect(asked).toEqual(["python"]);
  });

  it("give undefined for a language that has none", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes });
    expect(parseTypes(grammars, "cobol")).toBeUndefined();
  });

  it("that are damaged are a problem of the file, which is cut all the same", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: damaged });
    const chunked = chunkFile({ path: "a.py", language: "python", text: SOURCE }, grammars);
    expect(chunked.chunks).toMatchObject([{ startLine: 1, endLine: 2, symbol: "load" }]);
    expect(chunked.problem).toBe("no-grammar");
  });

  it("give up a text that takes more work than its budget", async () => {
    const grammars = await createGrammars({ core: CORE, grammar: grammarBytes, maxParseUnits: 0 });
    expect(chunkFile({ path: "a.py", language: "python", text: SOURCE }, grammars)).toMatchObject({
      symbols: [{ name: "load" }],
      problem: "budget",
    });
  });

  it("come to an end where a scanner is quadratic, and go on with the next text", async () => {
    const grammars = await createGrammars({
      core: CORE,
      grammar: grammarBytes,
      maxParseUnits: 100_000,
    });
    const continued = "\\\n".repeat(100_000);
    expect(grammars.parse("python", continued, Boolean)).toEqual({ problem: "budget" });
    expect(parseTypes(grammars)).toEqual({ value: ["function_definition"] });
  });

  it("leave alone what is nested so deeply that the parser would overwrite its memory", async () => {
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
