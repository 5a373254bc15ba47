// Finds the definitions that a name may refer to, the most likely first.

import { isCHeader } from "../../base/c-header.ts";
import { isCallableKind } from "../../base/definition-kinds.ts";
import { isStyleName, STYLE_SIGNS } from "../../base/style-names.ts";
import type { IndexReader, NamedSymbol } from "../../index/port.ts";
import type { FileFacts } from "../../index/types.ts";
import {
  afterAlike,
  definitionRank,
  isNamedAfter,
  isTypeOfC,
} from "../../search/definition-order.ts";
import {
  isBelow,
  isQualifiedBy,
  parseSymbolQuery,
  type SymbolScope,
} from "../../search/symbol-query.ts";

export type NamesReader = Pick<IndexReader, "symbolsNamed" | "factsOf" | "pageRanks">;

/** A definition and its `definitionRank`. */
export interface RankedDefinition extends NamedSymbol {
  readonly rank: number;
}

/** Maximum lines of a declaration without a body. */
const MAX_DECLARATION_LINES = 2;
/** Maximum definitions of one name to compare. */
const MAX_SYMBOLS_PER_NAME = 500;

/**
 * `name`: bare or qualified (`A.b`, `A::b`, `A#b`, `A->b`), with or without `()`. Returns an empty list if no definition
 * has the name. Modules of Elixir have their dots in their own names.
 */
export async function definitionsNamed(
  reader: NamesReader,
  name: string,
): Promise<readonly RankedDefinition[]> {
  const called = name.replace(/\(\)$/, "");
  const last = lastPart(called);
  const all = await reader.symbolsNamed(last, MAX_SYMBOLS_PER_NAME);
  const meant = symbolsMeantBy(called, last, all);
  if (meant.length > 0 || called === last) return likeliestFirst(reader, meant);
  const inFull = await reader.symbolsNamed(called, MAX_SYMBOLS_PER_NAME);
  return likeliestFirst(
    reader,
    inFull.filter(
      ({ name: own, kind }) => own === called && (kind !== "section" || isStyleName(called)),
    ),
  );
}

/** Returns the definitions of style sheets that have a name after their sign: `.btn`, `--btn` or `$btn` for `btn`. */
async function styleNamed(reader: NamesReader, name: string): Promise<readonly RankedDefinition[]> {
  const signed = STYLE_SIGNS.map((sign) => sign + name).filter(isStyleName);
  const found = await Promise.all(
    signed.map((one) => reader.symbolsNamed(one, MAX_SYMBOLS_PER_NAME)),
  );
  // A key of an object may have such a name too.
  const all = found.flatMap((some, at) =>
    some.filter(({ name: own, kind }) => own === signed[at] && kind !== "field"),
  );
  return likeliestFirst(reader, all);
}

/** A module and a function of Erlang, perhaps with the number of its arguments. */
const IN_ERLANG = /^([a-z]\w*):([a-z]\w*)(?:\/\d{1,3})?$/;

/** Returns whether a text names a function in the notation of Erlang: its slash is not that of a path. */
export function isFunctionOfErlang(text: string): boolean {
  return IN_ERLANG.test(text);
}

/**
 * As `definitionsNamed`; without one, the definitions in the files, folders, packages or modules that the first parts of the
 * name mean, as programs write names in imports and messages: `org.shop.cart.Order.add`, `shop.orders.Order`,
 * `Shop\Cart\Order`, `tfdiags.Sourceless` of Go, `ops::compile` of Rust, `cowboy_req:reply/4` of Erlang.
 */
export async function definitionsMeant(
  reader: NamesReader,
  name: string,
): Promise<readonly RankedDefinition[]> {
  const byName = await definitionsNamed(reader, name);
  const named = byName.length > 0 ? byName : await styleNamed(reader, name);
  const query = named.length > 0 ? undefined : parseSymbolQuery(name.replace(IN_ERLANG, "$1.$2"));
  if (query === undefined || query.name === query.whole) return named;
  const { name: last, qualifiers } = query;
  const all = await reader.symbolsNamed(last, MAX_SYMBOLS_PER_NAME);
  return likeliestFirst(reader, inSameCase(last, symbolsQualifiedBy(qualifiers, all)));
}

/** Returns the definitions in what the qualifiers name, else those below it. */
function symbolsQualifiedBy(
  qualifiers: readonly string[],
  all: readonly NamedSymbol[],
): readonly NamedSymbol[] {
  if (qualifiers.length === 0) return all;
  const code = all.filter(({ kind }) => kind !== "section");
  const inside = code.filter((one) => isQualifiedBy(qualifiers, scopeOf(one)));
  return inside.length > 0 ? inside : code.filter((one) => isBelow(qualifiers, scopeOf(one)));
}

function scopeOf({ name, qualifiedName, path }: NamedSymbol): SymbolScope {
  return { owner: qualifiedName.slice(0, -name.length).replace(/\.$/, ""), path };
}

/** Returns `b` for `A.b`. */
export function lastPart(name: string): string {
  return name.split(/\.|::|#|->|\\/).at(-1) ?? name;
}

/**
 * Returns the matches of a qualified name: exact ones, else those that end with it. For a bare name returns those in the
 * same case, else all.
 */
function symbolsMeantBy(
  name: string,
  last: string,
  all: readonly NamedSymbol[],
): readonly NamedSymbol[] {
  if (last === name) return inSameCase(last, all);
  const qualified = name.replaceAll(/::|#|->/g, ".");
  const exact = all.filter(({ qualifiedName }) => qualifiedName === qualified);
  if (exact.length > 0) return exact;
  return all.filter(({ qualifiedName }) => qualifiedName.endsWith(`.${qualified}`));
}

function inSameCase(name: string, all: readonly NamedSymbol[]): readonly NamedSymbol[] {
  const inCase = all.filter((symbol) => symbol.name === name);
  return inCase.length > 0 ? inCase : all;
}

/** Sorts by `definitionRank`, then by page rank, with headers last of those that are alike, then in the order of the index. */
async function likeliestFirst(
  reader: Pick<IndexReader, "factsOf" | "pageRanks">,
  found: readonly NamedSymbol[],
): Promise<readonly RankedDefinition[]> {
  if (found.length === 0) return [];
  const pageRanks = await reader.pageRanks();
  const facts = new Map<string, FileFacts>();
  for (const { path } of found) {
    // oxlint-disable-next-line no-await-in-loop -- in memory
    const known = facts.has(path) ? undefined : await reader.factsOf(path);
    facts.set(path, known ?? facts.get(path) ?? { path, language: "", role: "code", flags: 0 });
  }
  const hasTypeOfC = found.some(({ path, kind }) =>
    isTypeOfC({ kind, language: facts.get(path)?.language ?? "" }),
  );
  const ranked = found.map((symbol): RankedDefinition => {
    const { path, kind, access, name, qualifiedName } = symbol;
    const { role = "code", flags = 0, language = "" } = facts.get(path) ?? {};
    const isMember = name !== qualifiedName;
    const file = { path, language, role, flags };
    const rank = definitionRank({ ...file, kind, access, isMember, hasTypeOfC });
    return { ...symbol, rank: isDeclaration(symbol, found) ? afterAlike(rank) : rank };
  });
  // Sorting is stable: what is alike stays as it comes.
  const symbolRank = ({ path, number }: NamedSymbol): number => pageRanks.symbolRank(path, number);
  const fileRank = ({ path }: NamedSymbol): number => pageRanks.fileRank(path);
  return ranked.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      symbolRank(other) - symbolRank(one) ||
      Number(isCHeader(one.path)) - Number(isCHeader(other.path)) ||
      Number(isNamedAfter(other.path, other.name)) - Number(isNamedAfter(one.path, one.name)) ||
      fileRank(other) - fileRank(one),
  );
}

/** Whether the body of a function is another definition: in C++ one of a class is declared in it and defined outside. */
function isDeclaration(symbol: NamedSymbol, found: readonly NamedSymbol[]): boolean {
  if (!isCallableKind(symbol.kind) || linesOf(symbol) > MAX_DECLARATION_LINES) return false;
  return found.some(
    (other) =>
      other.qualifiedName === symbol.qualifiedName &&
      other.kind === symbol.kind &&
      linesOf(other) > MAX_DECLARATION_LINES,
  );
}

/** From its name on. */
function linesOf({ nameLine, endLine }: NamedSymbol): number {
  return endLine - nameLine + 1;
}
