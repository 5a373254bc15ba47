// What cannot be parsed does not hide what stands before and after it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import type { SymbolDefinition } from "../../src/parse/symbols/symbol-definition.ts";
import { chunk, tilingFault } from "./helpers.ts";

const LANGUAGES = path.join(import.meta.dirname, "../../src/parse/languages");
/** No token of any language, on a line of its own. */
const BROKEN = "§§§";

/** What some grammars take for a part of the broken line, or do not find back into. */
const LOST: Readonly<Record<string, string>> = {
  haskell: "Container.toList empty pop size",
  kotlin:
    "Repository Repository.dao Repository.cache Repository.find Repository.all Repository.create Registry Registry.register String.shorten finds a note by id",
  // Outside of a block the grammar takes all that follows for text.
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
    const at = middleOf(lines.length, symbols);
    const broken = [...lines.slice(0, at), BROKEN, ...lines.slice(at)].join("\n");

    const found = await chunk(language, broken, name);
    expect(tilingFault(broken, found)).toBeUndefined();
    expect(symbols.filter(({ endLine }) => endLine <= at)).not.toEqual([]);
    expect(symbols.filter(({ startLine }) => startLine > at)).not.toEqual([]);
    const names = new Set(found.symbols.map(({ qualifiedName }) => qualifiedName));
    const lost = symbols
      .map(({ qualifiedName }) => qualifiedName)
      .filter((each) => !names.has(each));
    expect(lost.join(" ")).toBe(LOST[language] ?? "");
  },
);

/** How many lines to leave before the broken one: it is in no definition, or else in no function. */
function middleOf(count: number, symbols: readonly SymbolDefinition[]): number {
  const leaves = symbols.filter((symbol) => symbols.every((other) => !isIn(other, symbol)));
  return middleBeside(symbols, count) ?? middleBeside(leaves, count) ?? 0;
}

/** The line nearest to the middle that is in none of the symbols, and between two of them. */
function middleBeside(symbols: readonly SymbolDefinition[], count: number): number | undefined {
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
