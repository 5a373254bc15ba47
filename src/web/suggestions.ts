// What may come next in the search field: names of filters, and their values.
import { SearchError } from "./failure.ts";
import type { SearchClient } from "./search-client.ts";
import {
  FILTERS,
  filterText,
  queryTokens,
  type FilterName,
  type QueryToken,
} from "./search-query.ts";
import { FILE_KINDS, type FolderResponse, type SymbolsResponse } from "./search-response.ts";

/** One suggestion. */
export interface QuerySuggestion {
  /** Replaces the word at the caret. */
  readonly text: string;
  readonly note: string;
}

/** What suggestions are made from. */
export interface SuggestionSources {
  readonly client: SearchClient;
  readonly namespaces: readonly string[];
  /** Name of the chosen namespace; "" for the default one. */
  readonly namespace: string;
  /** Languages of the results so far. */
  readonly languages: ReadonlySet<string>;
}

const FILTER_NOTES: Readonly<Record<FilterName, string>> = {
  lang: "language: lang:go",
  path: "folder, file or glob: path:src/**",
  kind: "code, docs, tests or config",
  sym: "a definition: sym:parseConfig",
  repo: "namespace",
  case: "case:yes distinguishes upper and lower case",
};
const COMMON_LANGUAGES =
  "bash c cpp csharp css dart dockerfile elixir go haskell html java javascript json kotlin lua markdown objc ocaml php python ruby rust scala sql svelte swift terraform toml tsx typescript vue yaml zig";
const SYMBOL_KINDS = ["function", "method", "class", "type", "constant", "module"];
const MAX_SUGGESTIONS = 10;
/** Shorter words are rarely the beginning of a filter. */
const MIN_NAME = 2;

/** The word at the caret; undefined in a gap. */
export function tokenAt(text: string, caret: number): QueryToken | undefined {
  return queryTokens(text).find(({ start, end }) => start < caret && caret <= end);
}

/** Returns the suggestions for the word at the caret, the best first; none for ordinary words. */
export async function suggestionsFor(
  token: QueryToken,
  text: string,
  sources: SuggestionSources,
): Promise<readonly QuerySuggestion[]> {
  if (token.filter === "") return filterNames(token.text);
  const { filter, value } = token;
  const sign = token.isNegated ? "-" : "";
  let values: readonly FilterValue[] = [];
  try {
    values = await VALUES[filter](value, { text, sources });
  } catch (error) {
    // A suggestion that the server refuses is missing; the search itself says why.
    if (!(error instanceof SearchError)) throw error;
  }
  return values
    .filter((one) => one.value !== value)
    .slice(0, MAX_SUGGESTIONS)
    .map((one) => ({ text: `${sign}${filterText(filter, one.value)}`, note: one.note ?? "" }));
}

function filterNames(typed: string): readonly QuerySuggestion[] {
  const [, sign = "", name = ""] = /^(-?)([a-z]*)$/.exec(typed) ?? [];
  if (name.length < MIN_NAME) return [];
  return FILTERS.filter((filter) => filter.startsWith(name)).map((filter) => ({
    text: `${sign}${filter}:`,
    note: FILTER_NOTES[filter],
  }));
}

interface FilterValue {
  readonly value: string;
  readonly note?: string;
}

interface ValueContext {
  readonly text: string;
  readonly sources: SuggestionSources;
}

/** By filter: what its value may be, after what was typed of it. */
const VALUES: Readonly<
  Record<
    FilterName,
    (
      typed: string,
      context: ValueContext,
    ) => readonly FilterValue[] | Promise<readonly FilterValue[]>
  >
> = {
  lang: (typed, { sources: { languages } }) =>
    beginningWith(typed, [...new Set([...languages, ...COMMON_LANGUAGES.split(" ")])]),
  kind: (typed, { text }) => {
    const hasSymbol = queryTokens(text).some((one) => one.filter === "sym");
    return beginningWith(typed, hasSymbol ? SYMBOL_KINDS : FILE_KINDS);
  },
  repo: (typed, { sources: { namespaces } }) => beginningWith(typed, namespaces),
  case: (typed) => beginningWith(typed, ["yes", "no"]),
  path: (typed, { sources }) => folders(typed, sources),
  sym: (typed, { sources }) => symbols(typed, sources),
};

function beginningWith(typed: string, values: readonly string[]): readonly FilterValue[] {
  const wanted = typed.toLowerCase();
  return values.filter((value) => value.startsWith(wanted)).map((value) => ({ value }));
}

async function folders(
  typed: string,
  { client, namespace }: SuggestionSources,
): Promise<readonly FilterValue[]> {
  const slash = typed.lastIndexOf("/") + 1;
  const folder = typed.slice(0, slash);
  const answer = await client.ask<FolderResponse>("/v1/folder", {
    path: folder,
    ...inNamespace(namespace),
  });
  const wanted = typed.slice(slash).toLowerCase();
  const isWanted = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  return [
    ...answer.folders
      .filter(isWanted)
      .map((name) => ({ value: `${folder}${name}/`, note: "folder" })),
    ...answer.files
      .filter(({ name }) => isWanted(name))
      .map(({ name }) => ({ value: `${folder}${name}` })),
  ];
}

async function symbols(
  typed: string,
  { client, namespace }: SuggestionSources,
): Promise<readonly FilterValue[]> {
  if (typed.length < MIN_NAME) return [];
  const answer = await client.ask<SymbolsResponse>("/v1/symbols", {
    name: typed,
    limit: MAX_SUGGESTIONS,
    ...inNamespace(namespace),
  });
  const named = new Map(
    answer.symbols.map(({ name, kind }) => [name, { value: name, note: kind }]),
  );
  return [...named.values()];
}

/** The calls for folders and symbols answer for one namespace. */
export function inNamespace(namespace: string): { readonly namespace?: string } {
  return namespace === "" || namespace === "*" ? {} : { namespace };
}
