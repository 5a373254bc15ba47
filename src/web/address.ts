// The state of the page as the fragment of its address. It can be shared, and browsers do not send it to a server.
import { filterText, type FilterName, type SearchQuery } from "./search-query.ts";

/** A file or a folder, and lines of it. */
export interface FileAddress {
  /** "" for the root; a folder ends with a slash. */
  readonly path: string;
  /** The marked lines, 1-based and inclusive; undefined if none are. */
  readonly lines: MarkedLines | undefined;
  /** The commit of a permalink; "" without one. */
  readonly commit: string;
  /** Whether the source of a document is shown, and not the document. */
  readonly isSource: boolean;
}

export interface MarkedLines {
  readonly start: number;
  readonly end: number;
}

/** The state that the address contains. */
export interface Address {
  readonly searchQuery: SearchQuery;
  /** Undefined while search results are shown. */
  readonly file: FileAddress | undefined;
}

/** Fields of addresses before the search field had a language. */
const OLD_FILTERS: readonly (readonly [string, FilterName])[] = [
  ["language", "lang"],
  ["kind", "kind"],
  ["path", "path"],
];

/** Parses a fragment, with or without `#`. Ignores invalid parts. */
export function readAddress(fragment: string): Address {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const filters = OLD_FILTERS.flatMap(([field, name]) =>
    fields.getAll(field).map((value) => filterText(name, value)),
  );
  return {
    searchQuery: {
      text: [fields.get("q") ?? "", ...filters].filter((part) => part !== "").join(" "),
      namespace: fields.get("namespace") ?? "",
    },
    file: readFileAddress(fields),
  };
}

/** Returns the fragment with its `#`; "#" when there is nothing to tell. */
export function writeAddress({ searchQuery, file }: Address): `#${string}` {
  const { text, namespace } = searchQuery;
  const fields = new URLSearchParams();
  if (file !== undefined) {
    const { path, lines, commit, isSource } = file;
    fields.append(
      "file",
      `${path === "" ? "/" : path}${lines === undefined ? "" : `:${linesText(lines)}`}`,
    );
    if (commit !== "") fields.append("commit", commit);
    if (isSource) fields.append("view", "source");
  }
  if (text !== "") fields.append("q", text);
  if (namespace !== "") fields.append("namespace", namespace);
  // A fragment may contain slashes and colons, and unescaped ones are easier to read.
  return `#${fields.toString().replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

/** `10` or `10-20`. */
export function linesText({ start, end }: MarkedLines): string {
  return start === end ? String(start) : `${start}-${end}`;
}

export function fileAddress(path: string, lines?: MarkedLines): FileAddress {
  return { path, lines, commit: "", isSource: false };
}

function readFileAddress(fields: URLSearchParams): FileAddress | undefined {
  // `at` is the place of older addresses.
  const place = fields.get("file") ?? fields.get("at");
  if (place === null || place === "") return undefined;
  const {
    path = place,
    from,
    to,
  } = /^(?<path>.+?):(?<from>[1-9]\d{0,8})(?:-(?<to>[1-9]\d{0,8}))?$/su.exec(place)?.groups ?? {};
  return {
    path: path === "/" ? "" : path,
    lines: from === undefined ? undefined : rangeOf(Number(from), Number(to ?? from)),
    commit: /^[0-9a-f]{7,64}$/.exec(fields.get("commit") ?? "")?.[0] ?? "",
    isSource: fields.get("view") === "source",
  };
}

export function rangeOf(one: number, other: number): MarkedLines {
  return { start: Math.min(one, other), end: Math.max(one, other) };
}
