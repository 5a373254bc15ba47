import { readFileSync } from "node:fs";
import path from "node:path";

import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import { chunkFile, type ChunkedFile } from "../../src/chunk/chunk.ts";
import { parseSections } from "../../src/chunk/prose.ts";
import type { Definition } from "../../src/parse/languages/definition-rules.ts";
import { splitLines } from "../../src/parse/text-lines.ts";
import { createGrammars, type Grammars } from "../../src/parse/syntax.ts";

const MODULES = path.join(import.meta.dirname, "../../node_modules");

export const CORE = readFileSync(path.join(MODULES, "web-tree-sitter/web-tree-sitter.wasm"));

export function grammarBytes(language: string): Uint8Array | undefined {
  const file = GRAMMAR_FILES[language];
  return file === undefined ? undefined : readFileSync(path.join(MODULES, file));
}

let shared: Promise<Grammars> | undefined;

/** Returns one set of grammars for all tests of a thread, as in the product. */
export function sharedGrammars(): Promise<Grammars> {
  shared ??= createGrammars({ core: CORE, grammar: grammarBytes });
  return shared;
}

/** Chunks a text with the real grammars. */
export async function chunk(
  language: string | undefined,
  text: string,
  file = "file",
): Promise<ChunkedFile> {
  return chunkFile({ path: file, language, text }, await sharedGrammars());
}

/** Returns chunks and symbols as text, one per line. */
export function show({ chunks, symbols, problem }: ChunkedFile): string {
  return [
    ...chunks.map(
      ({ startLine, endLine, kind, symbol, names }) =>
        `${startLine}-${endLine} ${kind} ${symbol || '""'} [${names.join(", ")}]`,
    ),
    "",
    ...symbols.map(
      ({ startLine, endLine, kind, qualifiedName, signature, docLine }) =>
        `${startLine}-${endLine} ${kind} ${qualifiedName}${signature === "" ? "" : `: ${signature}`}${docLine === undefined ? "" : ` // ${docLine}`}`,
    ),
    ...(problem === undefined ? [] : [problem]),
    "",
  ].join("\n");
}

/**
 * Returns the first violation of the tiling rules, or undefined if every non-blank line is in exactly one
 * chunk.
 */
export function tilingFault(text: string, { chunks }: ChunkedFile): string | undefined {
  const lines = text.split("\n");
  const taken = new Uint8Array(lines.length + 1);
  let last = 0;
  for (const { startLine, endLine } of chunks) {
    if (startLine <= last) return `chunk ${startLine}-${endLine} begins before line ${last} ends`;
    if (endLine < startLine || endLine > lines.length) return `chunk ${startLine}-${endLine}`;
    taken.fill(1, startLine, endLine + 1);
    last = endLine;
  }
  const missing = lines.findIndex((line, index) => taken[index + 1] === 0 && line.trim() !== "");
  return missing === -1 ? undefined : `line ${missing + 1} is in no chunk`;
}

/** Returns the sections of a text as `line-line title`, indented by level. Labels and the like end with `*`. */
export function sections(text: string, language: string): string[] {
  const list = (definitions: readonly Definition[], indent: string): string[] =>
    definitions.flatMap(({ startLine, endLine, name, owner, isInline, members }) => [
      `${indent}${startLine}-${endLine} ${owner === undefined ? "" : `${owner}.`}${name}${isInline ? "*" : ""}`,
      ...list(members, `${indent}  `),
    ]);
  return list(parseSections(splitLines(text), language).definitions, "");
}

/** Returns the lines before which a text may be cut at little cost. */
export function cheapCuts(text: string, language: string): number[] {
  const { cuts } = parseSections(splitLines(text), language);
  return text.split("\n").flatMap((_, at) => (cuts[at] === 1 ? [at + 1] : []));
}

/** In milliseconds. A megabyte of text takes a hundredth of this, unless the time is quadratic. */
export const LINEAR_TIME = 30_000;
