import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { kernelModuleFile } from "../../scripts/assemble-kernel.ts";
import { assemble } from "../../scripts/kernel/assemble.ts";
import { loadKernel, type Kernel } from "../../src/embed/kernel.ts";
import { simdScanner } from "../../src/embed/vector-scanner.ts";

function kernel(): Kernel {
  const loaded = loadKernel();
  if (loaded === undefined) throw new Error("this Node has no WebAssembly with SIMD");
  return loaded;
}

test("the committed module is the assembled kernel.wat", () => {
  const file = path.join(import.meta.dirname, "../../src/embed/kernel-module.ts");
  expect(readFileSync(file, "utf8")).toBe(kernelModuleFile());
});

test.each([
  ["an instruction", "(i32.shr_q (local.get $a))", "unknown instruction i32.shr_q"],
  ["a local", "(local.set $b (i32.const 0))", "unknown name $b"],
  ["a label", "(br $out)", "unknown name $out"],
  ["a missing lane", "(i32x4.extract_lane (local.get $a))", "i32x4.extract_lane takes 1 lanes"],
  ["a parenthesis", "(loop $a", "a parenthesis is not closed"],
])("the assembler names the mistake: %s", (_what, body, message) => {
  const text = `(module (memory (export "memory") 1) (func (export "f") (param $a i32) ${body}))`;
  expect(() => assemble(text)).toThrow(message);
});

test("growing beyond 32-bit addresses is refused", () => {
  expect(() => simdScanner(16, kernel()).grow(2 ** 32)).toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
  );
});
