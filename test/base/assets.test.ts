import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import {
  assetFiles,
  grammarAsset,
  productVersion,
  programEntry,
  readAsset,
  readGrammar,
  workerEntry,
} from "../../src/base/assets.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";

const WASM_MAGIC = "0061736d";

function firstBytes(asset: Uint8Array | undefined): string | undefined {
  return asset && Buffer.from(asset.subarray(0, 4)).toString("hex");
}

test.for(Object.keys(GRAMMAR_FILES))("the grammar of %s is a WebAssembly module", (language) => {
  expect(firstBytes(readGrammar(language))).toBe(WASM_MAGIC);
});

test("a language without a grammar has none", () => {
  expect(grammarAsset("klingon")).toBeUndefined();
  expect(readGrammar("klingon")).toBeUndefined();
});

test("languages with the same grammar share an asset, so that the program holds each grammar once", () => {
  expect(grammarAsset("vue")).toBe(grammarAsset("typescript"));
  const files = Object.values(assetFiles());
  expect(files).toEqual([...new Set(files)]);
});

test("the parser core is a WebAssembly module", () => {
  expect(firstBytes(readAsset("tree-sitter.wasm"))).toBe(WASM_MAGIC);
});

test("an unknown asset is named in the error", () => {
  expect(() => readAsset("grammar/klingon.wasm")).toThrow(
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
