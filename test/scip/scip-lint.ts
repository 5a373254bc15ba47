// The rules of `scip lint`, the checker of SCIP's own command line tool, and some that it leaves to readers: the
// canonical order and the ranges of occurrences. It has its own decoder for every field that the rules need.
import { PbfReader } from "pbf";

import { formatSymbol, isLocalSymbol, parseSymbol } from "../../src/scip/symbol-text.ts";

interface LintedOccurrence {
  readonly range: readonly number[];
  readonly symbol: string;
  readonly roles: number;
}

interface LintedSymbol {
  readonly symbol: string;
  readonly relations: readonly { readonly symbol: string; readonly flags: number }[];
}

interface LintedDocument {
  readonly path: string;
  readonly language: string;
  readonly encoding: number;
  readonly occurrences: readonly LintedOccurrence[];
  readonly symbols: readonly LintedSymbol[];
}

const DEFINITION = 1;
const FORWARD_DEFINITION = 64;

/** Returns one sentence for each breach. */
export function lintScip(bytes: Uint8Array): readonly string[] {
  const { documents, externals } = decoded(bytes);
  const problems: string[] = [];
  const external = new Set<string>();
  for (const { symbol } of externals) {
    if (symbol === "") problems.push("an external symbol is empty");
    if (external.has(symbol)) problems.push(`external symbol twice: ${symbol}`);
    external.add(symbol);
  }
  const paths = documents.map(({ path }) => path);
  if (new Set(paths).size < paths.length) problems.push("two documents have one path");
  if (paths.includes("")) problems.push("a document has no path");
  const defined = new Set(documents.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)));
  for (const document of documents) {
    const { path, symbols } = document;
    const names = symbols.map(({ symbol }) => symbol);
    if (new Set(names).size < names.length) problems.push(`${path}: a symbol twice`);
    if (names.some((name) => external.has(name))) problems.push(`${path}: an external symbol`);
    for (const one of symbols) problems.push(...relationProblems(path, one, { defined, external }));
    problems.push(...documentProblems(document, { defined, external }));
  }
  for (const one of externals) {
    problems.push(...relationProblems("external symbols", one, { defined: new Set(), external }));
  }
  return problems;
}

interface KnownSymbols {
  readonly defined: ReadonlySet<string>;
  readonly external: ReadonlySet<string>;
}

function relationProblems(
  where: string,
  { symbol, relations }: LintedSymbol,
  { defined, external }: KnownSymbols,
): readonly string[] {
  const seen = new Set<string>();
  return relations.flatMap((one) => {
    const what = `${where}: the relation of ${symbol} to ${one.symbol}`;
    const isTwice = seen.has(one.symbol);
    seen.add(one.symbol);
    return [
      ...(isTwice ? [`${what} comes twice`] : []),
      ...(one.flags === 0 ? [`${what} has no flag`] : []),
      ...(defined.has(one.symbol) || external.has(one.symbol) ? [] : [`${what} leads nowhere`]),
    ];
  });
}

function documentProblems(
  { path, occurrences, symbols, encoding, language }: LintedDocument,
  known: KnownSymbols,
): readonly string[] {
  const problems: string[] = [];
  if (encoding === 0) problems.push(`${path}: no position encoding`);
  if (language === "") problems.push(`${path}: no language`);
  const keys = new Set<string>();
  for (const one of occurrences) {
    const at = `${path}:${one.range.join("-")} ${one.symbol}`;
    problems.push(...occurrenceProblems(one, known).map((problem) => `${at}: ${problem}`));
    const key = `${one.range.join("-")} ${one.roles} ${one.symbol}`;
    if (keys.has(key)) problems.push(`${at}: twice`);
    keys.add(key);
  }
  const definitions = occurrences.filter(({ roles }) => (roles & DEFINITION) !== 0);
  const withDefinition = new Set(definitions.map(({ symbol }) => symbol));
  for (const { symbol } of symbols) {
    if (!withDefinition.has(symbol)) problems.push(`${path}: ${symbol} has no definition`);
  }
  if (!isSorted(occurrences.map(({ range }) => range))) problems.push(`${path}: not sorted`);
  return problems;
}

function occurrenceProblems(
  { range, symbol, roles }: LintedOccurrence,
  { defined, external }: KnownSymbols,
): readonly string[] {
  const parsed = parseSymbol(symbol);
  const isSymbol = parsed !== undefined || isLocalSymbol(symbol);
  const isCanonical = parsed === undefined || formatSymbol(parsed) === symbol;
  const isBoth = (roles & DEFINITION) !== 0 && (roles & FORWARD_DEFINITION) !== 0;
  return [
    ...(isSymbol ? [] : ["no SCIP symbol"]),
    ...(isCanonical ? [] : ["not canonical"]),
    ...(defined.has(symbol) || external.has(symbol) ? [] : ["no information"]),
    ...(isBoth ? ["a forward definition is a definition"] : []),
    ...(range.length === 3 || range.length === 4 ? [] : ["no canonical range"]),
  ];
}

function isSorted(ranges: readonly (readonly number[])[]): boolean {
  return ranges.every((range, at) => {
    const before = ranges[at - 1] ?? [0, 0];
    const difference = (range[0] ?? 0) - (before[0] ?? 0) || (range[1] ?? 0) - (before[1] ?? 0);
    return difference >= 0;
  });
}

type Draft<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function decoded(bytes: Uint8Array): { documents: LintedDocument[]; externals: LintedSymbol[] } {
  const into = { documents: [] as LintedDocument[], externals: [] as LintedSymbol[] };
  return new PbfReader(bytes).readFields((field, all, from) => {
    if (field === 2) all.documents.push(readDocument(from));
    else if (field === 3) all.externals.push(readSymbol(from));
  }, into);
}

function readDocument(from: PbfReader): LintedDocument {
  const occurrences: LintedOccurrence[] = [];
  const symbols: LintedSymbol[] = [];
  return from.readMessage<Draft<LintedDocument>>(
    (field, document) => {
      if (field === 1) document.path = from.readString();
      else if (field === 2) occurrences.push(readOccurrence(from));
      else if (field === 3) symbols.push(readSymbol(from));
      else if (field === 4) document.language = from.readString();
      else if (field === 6) document.encoding = from.readVarint();
    },
    { path: "", language: "", encoding: 0, occurrences, symbols },
  );
}

function readOccurrence(from: PbfReader): LintedOccurrence {
  return from.readMessage<Draft<LintedOccurrence>>(
    (field, one) => {
      if (field === 1) one.range = from.readPackedVarint();
      else if (field === 2) one.symbol = from.readString();
      else if (field === 3) one.roles = from.readVarint();
    },
    { range: [], symbol: "", roles: 0 },
  );
}

function readSymbol(from: PbfReader): LintedSymbol {
  const relations: { symbol: string; flags: number }[] = [];
  return from.readMessage<Draft<LintedSymbol>>(
    (field, one) => {
      if (field === 1) one.symbol = from.readString();
      else if (field === 4) relations.push(readRelation(from));
    },
    { symbol: "", relations },
  );
}

function readRelation(from: PbfReader): { symbol: string; flags: number } {
  return from.readMessage(
    (field, one) => {
      if (field === 1) one.symbol = from.readString();
      else one.flags += from.readVarint();
    },
    { symbol: "", flags: 0 },
  );
}
