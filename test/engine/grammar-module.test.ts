import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { compileGrammar } from "../../src/engine/grammar-module.ts";
import { grammarBytes } from "../chunk/helpers.ts";

const run = promisify(execFile);

const SOURCE = `class Reader(val name: String) {
  fun read(limit: Int = 10): List<String> = (0 until limit).map { "$name $it" }.filter { it.isNotEmpty() }
}
`;

/** Parses Kotlin repeatedly and returns the lengths of the functions that V8 has optimized meanwhile. */
async function optimized(compile: string): Promise<readonly number[]> {
  const script = `
    import { createGrammars } from "${import.meta.resolve("../../src/parse/syntax.ts")}";
    import { compileGrammar } from "${import.meta.resolve("../../src/engine/grammar-module.ts")}";
    import { CORE, grammarBytes } from "${import.meta.resolve("../chunk/helpers.ts")}";
    const compile = ${compile};
    const grammars = await createGrammars({ core: CORE, grammar: (id) => compile(grammarBytes(id)) });
    const text = ${JSON.stringify(SOURCE)}.repeat(50);
    for (let round = 0; round < 200; round += 1) {
      const parsed = grammars.parse("kotlin", text, (root) => root.hasError);
      if (parsed?.value !== false) throw new Error(JSON.stringify(parsed));
    }
  `;
  const flags = ["--wasm-sync-tier-up", "--trace-wasm-compilation-times"];
  const args = [...flags, "--input-type=module", "--eval", script];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 24 });
  return Array.from(stdout.matchAll(/using TurboFan.*bodysize (\d+)/g), ([, length]) =>
    Number(length),
  );
}

describe("compiled grammars", () => {
  it("have no huge function that V8 optimizes, which would take hundreds of megabytes", async () => {
    const [plain, compiled] = [
      await optimized("(bytes) => bytes"),
      await optimized("compileGrammar"),
    ];
    expect(Math.max(...plain)).toBeGreaterThan(100_000);
    expect(Math.max(...compiled)).toBeLessThan(52 << 10);
    // The rest of the parser is optimized as before.
    expect(Math.max(...compiled)).toBeGreaterThan(10_000);
  });

  it("are refused if they are no module", () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array([0, 97, 115, 109, 1]), cut()]) {
      expect(() => compileGrammar(bytes)).toThrow(/^WebAssembly\.Module\(\)/);
    }
  });
});

function cut(): Uint8Array {
  return grammarBytes("kotlin")?.subarray(0, -1000) ?? new Uint8Array(0);
}
