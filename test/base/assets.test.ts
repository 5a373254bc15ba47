import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { productVersion, programEntry, readAsset, workerEntry } from "../../src/base/assets.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";

const WASM_MAGIC = "0061736d";

function firstBytes(name: string): string {
  return Buffer.from(readAsset(name).subarray(0, 4)).toString("hex");
}

test.for(Object.keys(GRAMMAR_FILES))("the grammar of %s is a WebAssembly module", (language) => {
  expect(firstBytes(`grammar/${language}.wasm`)).toBe(WASM_MAGIC);
});

test("the parser core is a WebAssembly module", () => {
  expect(firstBytes("tree-sitter.wasm")).toBe(WASM_MAGIC);
});

test("an unknown asset is named in the error", () => {
  expect(() => firstBytes("grammar/klingon.wasm")).toThrow(
    'there is no asset "grammar/klingon.wasm"',
  );
});

test("a worker starts from its source file", () => {
  const { source } = workerEntry("index-worker");
  expect(source).toBeInstanceOf(URL);
  expect(existsSync(new URL(source))).toBe(true);
});

test.each(["keychain-agent", "index-agent"] as const)(
  "the %s starts under this Node from its source file",
  (name) => {
    const { command, args } = programEntry(name);
    expect(command).toBe(process.execPath);
    expect(args.map((file) => existsSync(file))).toEqual([true]);
  },
);

test("the version is that of package.json", () => {
  const manifest = readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  expect(productVersion()).toBe(version);
});
