// The language of the search field: words, "exact text", /regular expressions/ and filters such as `lang:go`.
import { FILE_KINDS, type FileKind } from "./search-response.ts";

/** How a query is answered. */
export type SearchMode = "words" | "exact" | "regex" | "symbols";

/** A query and where it is asked, as the address has it. */
export interface SearchQuery {
  readonly text: string;
  /** "" for the default one, "*" for all. */
  readonly namespace: string;
}

/** The parts of a query. */
export interface ParsedQuery {
  readonly mode: SearchMode;
  /** Words, one pattern, or the name of a symbol, by the mode. */
  readonly subject: string;
  /** Whether `subject` is a regular expression; so are several exact texts that must be on one line. */
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** `!` before one excludes it. */
  readonly languages: readonly string[];
  /** Globs; `!` before one excludes. */
  readonly paths: readonly string[];
  readonly kinds: readonly FileKind[];
  /** What a symbol is, such as "function"; "" for any. */
  readonly symbolKind: string;
  /** Value of `repo:`; "" without it. */
  readonly namespace: string;
}

/** A piece of the text between spaces, with the quotes that belong to it. */
export interface QueryToken {
  readonly start: number;
  readonly end: number;
  /** As typed. */
  readonly text: string;
  readonly isNegated: boolean;
  /** The filter's name; "" for anything else. */
  readonly filter: FilterName | "";
  /** Of a filter, without quotes. */
  readonly value: string;
}

export const FILTERS = ["lang", "path", "kind", "sym", "repo", "case"] as const;
export type FilterName = (typeof FILTERS)[number];

/** Names of filters that users of zoekt and GitHub know. */
const ALIASES: Readonly<Record<string, FilterName>> = {
  l: "lang",
  language: "lang",
  f: "path",
  file: "path",
  symbol: "sym",
  r: "repo",
  namespace: "repo",
};

const TOKEN =
  /(?<negation>-?)(?<name>[a-z]+):(?:"(?<quoted>(?:\\.|[^"\\])*)"?|(?<plain>\S*))|"(?:\\.|[^"\\])*"(?=\s|$)|\/(?:\\.|[^/\\])+\/(?=\s|$)|\S+/gu;
const MAX_PERMUTED = 3;

/** Splits the text of a query. */
export function queryTokens(text: string): readonly QueryToken[] {
  return [...text.matchAll(TOKEN)].map(({ 0: typed, index, groups = {} }) => {
    const filter = filterNamed(groups["name"] ?? "");
    const value = groups["quoted"]?.replaceAll(/\\(.)/g, "$1") ?? groups["plain"] ?? "";
    return {
      start: index,
      end: index + typed.length,
      text: typed,
      isNegated: filter !== "" && groups["negation"] === "-",
      filter,
      value: filter === "" ? "" : value,
    };
  });
}

function filterNamed(name: string): FilterName | "" {
  return FILTERS.find((one) => one === name) ?? ALIASES[name] ?? "";
}

/** Reads a query. Parts that are not complete, such as `lang:`, have no effect. */
export function readQuery(text: string): ParsedQuery {
  const tokens = queryTokens(text);
  const filters = tokens.filter(({ filter, value }) => filter !== "" && value !== "");
  const valuesOf = (name: FilterName): readonly QueryToken[] =>
    filters.filter(({ filter }) => filter === name);
  const last = (name: FilterName): string => valuesOf(name).at(-1)?.value ?? "";
  const kinds = valuesOf("kind");
  return {
    ...subjectOf(
      tokens.filter(({ filter }) => filter === "").map((token) => token.text),
      last("sym"),
    ),
    isCaseSensitive: /^(?:yes|true|on)$/i.test(last("case")),
    languages: valuesOf("lang").map((token) => signed(token, token.value.toLowerCase())),
    paths: valuesOf("path").map((token) => signed(token, globOf(token.value))),
    kinds: fileKindsOf(kinds),
    symbolKind: kinds.find(({ value }) => !isFileKind(value))?.value.toLowerCase() ?? "",
    namespace: last("repo"),
  };
}

function signed({ isNegated }: QueryToken, value: string): string {
  return isNegated ? `!${value}` : value;
}

/** A name without a slash or a wildcard matches as a part of any name in the path. */
function globOf(value: string): string {
  return /[/*?[{]/.test(value) ? value : `*${value}*`;
}

function isFileKind(value: string): boolean {
  return FILE_KINDS.some((kind) => kind === value.toLowerCase());
}

function fileKindsOf(tokens: readonly QueryToken[]): readonly FileKind[] {
  const has = (kind: FileKind, isNegated: boolean): boolean =>
    tokens.some((one) => one.isNegated === isNegated && one.value.toLowerCase() === kind);
  const hasWanted = FILE_KINDS.some((kind) => has(kind, false));
  const hasExcluded = FILE_KINDS.some((kind) => has(kind, true));
  if (!hasWanted && !hasExcluded) return [];
  return FILE_KINDS.filter((kind) => !has(kind, true) && (!hasWanted || has(kind, false)));
}

const QUOTED = /^"(?<text>(?:\\.|[^"\\])+)"$/su;
const REGEX = /^\/(?<text>(?:\\.|[^/\\])+)\/$/su;

/** Quotes and slashes count only if nothing else is there: pasted messages contain quotes too. */
function subjectOf(
  parts: readonly string[],
  symbol: string,
): Pick<ParsedQuery, "mode" | "subject" | "isRegex"> {
  const words = parts.join(" ");
  if (symbol !== "") return { mode: "symbols", subject: symbol, isRegex: false };
  const exact = parts.map((part) =>
    QUOTED.exec(part)?.groups?.["text"]?.replaceAll(/\\(["\\])/g, "$1"),
  );
  const regex = parts.map((part) => REGEX.exec(part)?.groups?.["text"]?.replaceAll("\\/", "/"));
  const isMade = parts.length > 0 && parts.every((_, at) => (exact[at] ?? regex[at]) !== undefined);
  if (!isMade) return { mode: "words", subject: words, isRegex: false };
  const mode = regex.some((one) => one !== undefined) ? "regex" : "exact";
  const [only] = exact;
  if (parts.length === 1 && only !== undefined) return { mode, subject: only, isRegex: false };
  const patterns = parts.map((_, at) => regex[at] ?? escaped(exact[at] ?? ""));
  return { mode, subject: onOneLine(patterns), isRegex: true };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

/** A pattern for lines that all patterns match: in any order, of many in the given one. */
function onOneLine(patterns: readonly string[]): string {
  if (patterns.length === 1) return patterns[0] ?? "";
  const groups = patterns.map((one) => `(?:${one})`);
  const orders = groups.length > MAX_PERMUTED ? [groups] : permutations(groups);
  return orders.map((order) => order.join(".*")).join("|");
}

function permutations(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) =>
    permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  );
}

/** Whether the text has this filter. */
export function hasFilter(text: string, name: FilterName, value: string): boolean {
  return queryTokens(text).some((one) => isFilter(one, name, value));
}

/** Adds a filter to the text, or removes it. */
export function toggleFilter(text: string, name: FilterName, value: string): string {
  const found = queryTokens(text).find((one) => isFilter(one, name, value));
  if (found === undefined) return `${text.trim()} ${filterText(name, value)}`.trim();
  return `${text.slice(0, found.start)}${text.slice(found.end)}`.replaceAll(/ {2,}/g, " ").trim();
}

/** The text without its filters. */
export function withoutFilters(text: string): string {
  const rest = queryTokens(text).filter(({ filter }) => filter === "" || filter === "sym");
  return rest.map((token) => token.text).join(" ");
}

export function filterText(name: FilterName, value: string): string {
  return /[\s"]/u.test(value)
    ? `${name}:"${value.replaceAll(/["\\]/g, "\\$&")}"`
    : `${name}:${value}`;
}

function isFilter(token: QueryToken, name: FilterName, value: string): boolean {
  return token.filter === name && !token.isNegated && token.value === value;
}
