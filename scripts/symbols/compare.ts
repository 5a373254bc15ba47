// Compares svc's definitions in a tree with those of universal-ctags and of the grammars' tags queries.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { readAsset, readGrammar } from "../../src/base/assets.ts";
import { chunkFile } from "../../src/chunk/chunk.ts";
import { createGrammars } from "../../src/parse/syntax.ts";
import { readCtags } from "./ctags.ts";
import { COUNTERPARTS, type Counterpart } from "./languages.ts";
import { matchFile, type Matched, type SvcSymbol } from "./match.ts";
import { reasonOf } from "./reasons.ts";
import { SyntaxTrees } from "./syntax-trees.ts";
import type { Tag } from "./tag.ts";

/** Longer files are cut without a syntax tree, see src/chunk/chunk.ts. */
const MAX_CHARACTERS = 256 * 1024;
const LEFT_OUT = new Set([".git", "node_modules", "vendor", "dist"]);

export interface Missed extends Tag {
  readonly reason: string;
}

export interface SymbolComparison {
  readonly both: readonly Tag[];
  readonly missed: readonly Missed[];
  readonly onlyOurs: readonly (SvcSymbol & { readonly path: string })[];
}

export interface SymbolAgreement {
  readonly files: number;
  readonly symbols: number;
  readonly ctags: SymbolComparison;
  readonly tagsQueries: SymbolComparison;
}

/** Throws for a language that is not in `COUNTERPARTS`, and if ctags fails. */
export async function compareTree(language: string, tree: string): Promise<SymbolAgreement> {
  const counterpart = COUNTERPARTS[language];
  if (counterpart === undefined) {
    throw new Error(
      `no such language: ${language}; one of ${Object.keys(COUNTERPARTS).join(", ")}`,
    );
  }
  const texts = readTexts(tree, counterpart);
  const symbols = await symbolsOf(texts, counterpart);
  const tags = readCtags(tree, [...texts.keys()], {
    language: counterpart.ctags,
    extensions: Object.keys(counterpart.extensions),
  });
  const grammarOf = (file: string): string =>
    language === "cpp"
      ? language
      : (counterpart.extensions[path.extname(file).slice(1)] ?? language);
  const trees = await SyntaxTrees.of(counterpart.tags, [...texts.keys()].map(grammarOf));
  const queried = [...texts].flatMap(([file, text]) =>
    trees.definitions(file, text, grammarOf(file)),
  );
  const read: Read = { language, symbols, texts, trees, grammarOf };
  return {
    files: texts.size,
    symbols: [...symbols.values()].reduce((sum, list) => sum + list.length, 0),
    ctags: compare(tags, read),
    tagsQueries: compare(queried, read),
  };
}

function readTexts(tree: string, { extensions }: Counterpart): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const look = (folder: string): void => {
    for (const entry of readdirSync(path.join(tree, folder), { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) look(file);
      if (!entry.isFile() || !(path.extname(entry.name).slice(1) in extensions)) continue;
      if (statSync(path.join(tree, file)).size > MAX_CHARACTERS) continue;
      texts.set(file, readFileSync(path.join(tree, file), "utf8"));
    }
  };
  look("");
  return texts;
}

async function symbolsOf(
  texts: ReadonlyMap<string, string>,
  { extensions }: Counterpart,
): Promise<ReadonlyMap<string, readonly SvcSymbol[]>> {
  const grammars = await createGrammars({
    core: readAsset("tree-sitter.wasm"),
    grammar: readGrammar,
  });
  const symbols = new Map<string, readonly SvcSymbol[]>();
  for (const [file, text] of texts) {
    const language = extensions[path.extname(file).slice(1)];
    symbols.set(file, chunkFile({ path: file, language, text }, grammars).symbols);
  }
  return symbols;
}

interface Read {
  readonly language: string;
  readonly symbols: ReadonlyMap<string, readonly SvcSymbol[]>;
  readonly texts: ReadonlyMap<string, string>;
  readonly trees: SyntaxTrees;
  readonly grammarOf: (file: string) => string;
}

function compare(
  tags: readonly Tag[],
  { language, symbols, texts, trees, grammarOf }: Read,
): SymbolComparison {
  const both: Tag[] = [];
  const missed: Missed[] = [];
  const onlyOurs: (SvcSymbol & { path: string })[] = [];
  const byFile = Map.groupBy(tags, (tag) => tag.path);
  for (const [file, text] of texts) {
    const ours = symbols.get(file) ?? [];
    const matched: Matched = matchFile(byFile.get(file) ?? [], ours);
    const facts = { language, lines: text.split("\n"), ours, onlyOurs: matched.onlyOurs };
    const { onlyTags } = matched;
    const around = onlyTags.length > 0 ? trees.surroundings(onlyTags, text, grammarOf(file)) : [];
    both.push(...matched.both);
    for (const [at, tag] of onlyTags.entries()) {
      missed.push({ ...tag, reason: reasonOf(tag, { ...facts, surrounding: around[at] }) });
    }
    for (const symbol of matched.onlyOurs) onlyOurs.push({ ...symbol, path: file });
  }
  return { both, missed, onlyOurs };
}
