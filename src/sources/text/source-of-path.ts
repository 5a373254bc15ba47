import type { Source } from "../registry/records.ts";

/** Returns the source of an indexed path, and the path relative to the source's root; undefined if there is none. */
export function sourceOfPath(
  sources: readonly Source[],
  path: string,
): { readonly source: Source; readonly relative: string } | undefined {
  // The longest prefix wins: the first source has none and would take every path.
  let source: Source | undefined;
  for (const one of sources) {
    const isLonger = source === undefined || one.prefix.length > source.prefix.length;
    if (isLonger && path.startsWith(one.prefix)) source = one;
  }
  return source && { source, relative: path.slice(source.prefix.length) };
}
