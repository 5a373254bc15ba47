// Definitions before and after a line that cannot be parsed are still found.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import type { SymbolDefinition } from "../../src/parse/symbols/symbol-definition.ts";
import { chunk, tilingFault } from "./helpers.ts";

const LANGUAGES = path.join(import.meta.dirname, "../../src/parse/languages");
/** Not a token of any language. */
const BROKEN = "§§§";

/** Definitions that are missing: the grammar includes them in the broken line or does not recover in time. */
const MISSING: Readonly<Record<string, string>> = {
  kotlin:
    "Repository Repository.dao Repository.cache Repository.find Repository.all Repository.create Registry Registry.register String.shorten finds a note by id",
  // Outside of a block, the grammar reads everything that follows as text.
  terraform:
    "data.aws_ami.linux module.network aws_instance.consumer aws_security_group.consumer output.consumer_ips",
};

test.each(Object.keys(GRAMMAR_FILES))(
  "a broken line in the middle of a file of %s leaves the definitions around it",
  async (language) => {
    const folder = path.join(LANGUAGES, language, "fixture");
    const name = readdirSync(folder).find((file) => !file.endsWith(".golden")) ?? "";
    const text = readFileSync(path.join(folder, name), "utf8");
    const { symbols } = await chunk(language, text, name);
    const lines = text.split("\n");
    const at = insertionLine(lines.length, symbols);
    const broken = [...lines.slice(0, at), BROKEN, ...lines.slice(at)].join("\n");

    const found = await chunk(language, broken, name);
    expect(tilingFault(broken, found)).toBeUndefined();
    expect(symbols.filter(({ endLine }) => endLine <= at)).not.toEqual([]);
    expect(symbols.filter(({ startLine }) => startLine > at)).not.toEqual([]);
    const names = new Set(found.symbols.map(({ qualifiedName }) => qualifiedName));
    const missing = symbols
      .map(({ qualifiedName }) => qualifiedName)
      .filter((each) => !names.has(each));
    expect(missing.join(" ")).toBe(MISSING[language] ?? "");
  },
);

/**
 * Returns after which line to insert the broken one: outside of all definitions if possible, else outside of
 * functions.
 */
function insertionLine(count: number, symbols: readonly SymbolDefinition[]): number {
  const leaves = symbols.filter((symbol) => symbols.every((other) => !isIn(other, symbol)));
  return middleOutside(symbols, count) ?? middleOutside(leaves, count) ?? 0;
}

/** Returns the line nearest to the middle that is between two symbols and in none of them. */
function middleOutside(symbols: readonly SymbolDefinition[], count: number): number | undefined {
  const first = Math.min(...symbols.map(({ endLine }) => endLine));
  const last = Math.max(...symbols.map(({ startLine }) => startLine));
  const free = Array.from({ length: count }, (_, line) => line).filter(
    (line) =>
      line >= first &&
      line < last &&
      symbols.every(({ startLine, endLine }) => line < startLine || line >= endLine),
  );
  const middle = count / 2;
  return free.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
}

function isIn(inner: SymbolDefinition, outer: SymbolDefinition): boolean {
  const isLonger = outer.endLine - outer.startLine > inner.endLine - inner.startLine;
  return isLonger && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
