import { cutAt } from "../base/cut-at.ts";
import { SvcError } from "../base/errors.ts";
import type { Catalog, SymbolRow } from "../index/catalog.ts";
import type { FileFacts } from "../index/segment-reader.ts";
import type { Snapshot } from "../index/snapshot.ts";
import type { Source } from "../sources/registry.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { readIndexed } from "./current-text.ts";
import type { TextAnswer, TextMatch, TextRequest } from "./engine.ts";
import { fileFilter } from "./file-filter.ts";
import { compilePattern, type LineMatcher } from "./text-pattern.ts";

const MAX_LINE_LENGTH = 300;
/** Answer with what there is before the 30 s of a call are over. */
const TIME_LIMIT_MS = 20_000;
/** Other calls get their turn this often. */
const SLICE_MS = 15;

interface Sight {
  readonly snapshot: Snapshot;
  readonly catalog: Catalog;
  readonly sources: readonly Source[];
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Every place that holds the pattern, in order of paths, read from the files as they are now. */
export async function searchText(
  { snapshot, catalog, sources }: Sight,
  request: TextRequest,
): Promise<Omit<TextAnswer, "namespace">> {
  const { pattern, isRegex, caseSensitive, wholeWord, output, limit } = request;
  const question = [
    "text",
    pattern,
    isRegex,
    caseSensitive,
    wholeWord,
    output,
    request.path,
    request.language,
  ];
  const page: Page = { offset: decodeCursor(question, request.cursor), limit };
  const matcher = compilePattern(pattern, request);
  const listing = new Listing(page, request, catalog);
  const started = performance.now();
  let sliceEnd = started + SLICE_MS;
  let isPartial = false;
  for (const file of filesInOrder(snapshot, fileFilter(request))) {
    if (performance.now() > sliceEnd) {
      // eslint-disable-next-line no-await-in-loop -- gives way to other calls
      await new Promise(setImmediate);
      sliceEnd = performance.now() + SLICE_MS;
    }
    if (request.signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    if (performance.now() - started > TIME_LIMIT_MS) {
      isPartial = true;
      break;
    }
    const current = readIndexed(sources, file.path);
    if (current !== undefined) listing.add(file.path, current.lines, matcher);
  }
  const shown = output === "matches" ? listing.totalMatches : listing.totalFiles;
  const next = page.offset + limit;
  return {
    generation: snapshot.generation,
    matches: listing.matches,
    files: listing.files,
    totalMatches: listing.totalMatches,
    totalFiles: listing.totalFiles,
    isPartial,
    nextCursor: shown > next && output !== "count" ? encodeCursor(question, next) : undefined,
  };
}

/** Collects one page of matches or files, and counts the rest. A match is a line, as in grep. */
class Listing {
  readonly matches: TextMatch[] = [];
  readonly files: { path: string; matches: number }[] = [];
  totalMatches = 0;
  totalFiles = 0;
  readonly #page: Page;
  readonly #request: TextRequest;
  readonly #catalog: Catalog;

  constructor(page: Page, request: TextRequest, catalog: Catalog) {
    this.#page = page;
    this.#request = request;
    this.#catalog = catalog;
  }

  add(path: string, lines: readonly string[], matcher: LineMatcher): void {
    const found = matchingLines(lines, matcher);
    if (found.length === 0) return;
    const { offset, limit } = this.#page;
    if (this.totalFiles >= offset && this.files.length < limit) {
      this.files.push({ path, matches: found.length });
    }
    const wanted = found.filter((_, at) => {
      const position = this.totalMatches + at;
      return position >= offset && position < offset + limit;
    });
    if (this.#request.output === "matches" && wanted.length > 0) {
      const symbols = this.#catalog.symbolsOfFile(path);
      for (const line of wanted) this.matches.push(this.#match(path, lines, { line, symbols }));
    }
    this.totalMatches += found.length;
    this.totalFiles += 1;
  }

  #match(
    path: string,
    lines: readonly string[],
    { line, symbols }: { line: number; symbols: readonly SymbolRow[] },
  ): TextMatch {
    const around = this.#request.contextLines;
    const first = Math.max(1, line - around);
    const last = Math.min(lines.length, line + around);
    const shown = lines.slice(first - 1, last).map((text, at) => ({
      line: first + at,
      text: text.length > MAX_LINE_LENGTH ? `${cutAt(text, MAX_LINE_LENGTH)}…` : text,
      isMatch: first + at === line,
    }));
    const enclosing = symbols.findLast(
      ({ startLine, endLine }) => startLine <= line && line <= endLine,
    );
    return { path, line, lines: shown, symbol: enclosing?.qualified ?? "" };
  }
}

/** 1-based numbers of the lines that match. */
function matchingLines(lines: readonly string[], matcher: LineMatcher): readonly number[] {
  // One run over the whole text is far faster than one a line; a line then counts once.
  const text = lines.join("\n");
  const found: number[] = [];
  let line = 1;
  let lineStart = 0;
  let from = 0;
  while (from <= text.length) {
    const match = matcher(text, from);
    if (match === undefined) break;
    let lineEnd = text.indexOf("\n", lineStart);
    while (lineEnd !== -1 && lineEnd < match.start) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    // `\s` may run over the end of the line; a match is one only if the line alone has it.
    const isOnLine =
      lineEnd === -1 || match.end <= lineEnd || matcher(lines[line - 1] ?? "", 0) !== undefined;
    if (isOnLine && line <= lines.length) found.push(line);
    if (lineEnd === -1) break;
    from = lineEnd + 1;
    line += 1;
    lineStart = from;
  }
  return found;
}

function filesInOrder(
  { segments }: Snapshot,
  filter: ((file: FileFacts) => boolean) | undefined,
): readonly FileFacts[] {
  return segments
    .flatMap(({ reader, dead }) =>
      Array.from({ length: reader.files }, (_, at) => at)
        .filter((at) => dead[at] !== 1)
        .map((at) => reader.file(at)),
    )
    .filter((file) => filter === undefined || filter(file))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
