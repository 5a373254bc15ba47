// The state of the page as the fragment of its address. It can be shared, and browsers do not send it to a server.
import { FILE_KINDS, type SearchQuery } from "./search-response.ts";

/** A line of a file, 1-based. */
export interface LinePosition {
  readonly path: string;
  readonly line: number;
}

/** The state that the address contains. */
export interface Address {
  readonly searchQuery: SearchQuery;
  /** The marked line; undefined if none is. */
  readonly at: LinePosition | undefined;
}

/** Parses a fragment, with or without `#`. Ignores invalid parts. */
export function readAddress(fragment: string): Address {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const kinds = fields.getAll("kind");
  return {
    searchQuery: {
      query: fields.get("q") ?? "",
      language: fields.get("language") ?? "",
      kinds: FILE_KINDS.filter((kind) => kinds.includes(kind)),
      path: fields.get("path") ?? "",
      namespace: fields.get("namespace") ?? "",
    },
    at: readLinePosition(fields.get("at") ?? ""),
  };
}

/** Returns the fragment with its `#`; "#" when there is no query. */
export function writeAddress({ searchQuery, at }: Address): string {
  const { query, language, kinds, path, namespace } = searchQuery;
  const fields = new URLSearchParams();
  if (query !== "") fields.append("q", query);
  if (language !== "") fields.append("language", language);
  for (const kind of kinds) fields.append("kind", kind);
  if (path !== "") fields.append("path", path);
  if (namespace !== "") fields.append("namespace", namespace);
  if (at !== undefined) fields.append("at", `${at.path}:${at.line}`);
  // A fragment may contain slashes and colons, and unescaped ones are easier to read.
  return `#${fields.toString().replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

function readLinePosition(text: string): LinePosition | undefined {
  const { path, line } = /^(?<path>.+):(?<line>[1-9]\d{0,8})$/su.exec(text)?.groups ?? {};
  return path === undefined || line === undefined ? undefined : { path, line: Number(line) };
}
