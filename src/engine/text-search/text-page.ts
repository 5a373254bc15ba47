import { documentPlace } from "../../base/documents/places.ts";
import { truncateAt } from "../../base/truncate-at.ts";
import type { FileFacts, SymbolFacts } from "../../index/types.ts";
import type { TextPlace } from "../cursor.ts";
import type { TextMatch, TextSearchRequest } from "../api/search-text.ts";
import type { SearchableText } from "./searchable-text.ts";

const MAX_LINE_LENGTH = 300;

/** A file and its matches, as LinePattern returns them. */
interface TextPageFile extends Pick<FileFacts, "path" | "language" | "role"> {
  readonly text: string;
  readonly document: SearchableText["document"];
  readonly found: readonly number[];
  /** Called only when a match is shown. */
  readonly symbols: () => Promise<readonly SymbolFacts[]>;
}

/** Collects one page of matches or files, and counts the rest. A match is a line, as in grep. */
export class TextPage {
  readonly matches: TextMatch[] = [];
  readonly files: { path: string; matches: number }[] = [];
  totalMatches: number;
  totalFiles: number;
  readonly #request: TextSearchRequest;
  readonly #start: TextPlace | undefined;
  #next: TextPlace | undefined;
  #hasMore = false;

  readonly #columnIn: (line: string) => number;

  /** `columnIn` returns where the match of a line begins, from 0. */
  constructor(
    request: TextSearchRequest,
    start: TextPlace | undefined,
    columnIn: (line: string) => number,
  ) {
    this.#request = request;
    this.#start = start;
    this.#columnIn = columnIn;
    this.totalMatches = start?.matches ?? 0;
    this.totalFiles = start?.files ?? 0;
  }

  /** True when the page has `limit` results. */
  get isFull(): boolean {
    const { output, limit } = this.#request;
    if (output === "count") return false;
    return (output === "matches" ? this.matches : this.files).length >= limit;
  }

  /** Whether there are results after this page; false until one is found. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Start of the next page. */
  get next(): TextPlace | undefined {
    return this.#next;
  }

  /** Call this for every file, sorted by path, also for files without a match. */
  async add(file: TextPageFile): Promise<void> {
    const { path, found } = file;
    const isOpen = !this.isFull;
    if (found.length > 0 && this.#request.output !== "count") {
      if (!isOpen) this.#hasMore = true;
      else if (this.#request.output === "files") this.files.push({ path, matches: found.length });
      else await this.#show(file);
    }
    this.totalMatches += found.length;
    this.totalFiles += found.length > 0 ? 1 : 0;
    if (isOpen && !this.#hasMore) {
      this.#next = { path, matches: this.totalMatches, files: this.totalFiles };
    }
  }

  async #show(file: TextPageFile): Promise<void> {
    const { path, language, role: kind, text, document, found, symbols } = file;
    const first = this.#start?.path === path ? (this.#start.given ?? 0) : 0;
    const last = first + this.#request.limit - this.matches.length;
    const shown = found.slice(first, last);
    if (last < found.length) {
      this.#hasMore = true;
      this.#next = { path, given: last, matches: this.totalMatches, files: this.totalFiles };
    }
    if (shown.length === 0) return;
    const known = await symbols();
    const lines = new NumberedLines(text);
    for (const offset of shown) {
      const line = lines.numberAt(offset);
      const enclosing = known.findLast(
        ({ startLine, endLine }) => startLine <= line && line <= endLine,
      );
      const around = lines.around(this.#request.contextLines);
      this.matches.push({
        path,
        language,
        kind,
        place: documentPlace(path, document, { startLine: line, endLine: line }),
        line,
        ...(this.#request.showsColumns === true ? { column: 1 + this.#columnIn(lines.text) } : {}),
        lines: around,
        symbol: enclosing?.qualifiedName ?? "",
      });
    }
  }
}

/** Reads lines of a text from top to bottom. */
class NumberedLines {
  readonly #text: string;
  #line = 1;
  #start = 0;
  #end: number;

  constructor(text: string) {
    this.#text = text;
    this.#end = endOf(text, 0);
  }

  /** The 1-based line number of an offset; offsets must ascend. */
  numberAt(offset: number): number {
    while (this.#end < offset) {
      this.#line += 1;
      this.#start = this.#end + 1;
      this.#end = endOf(this.#text, this.#start);
    }
    return this.#line;
  }

  /** The whole line of the last offset. */
  get text(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  /** The line of the last offset, with `count` lines before and after it. */
  around(count: number): TextMatch["lines"] {
    const text = this.#text;
    const lines = [
      { line: this.#line, text: this.#clipped(this.#start, this.#end), isMatch: true },
    ];
    let start = this.#start;
    for (let line = this.#line - 1; line >= this.#line - count && line > 0; line -= 1) {
      const end = start - 1;
      start = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
      lines.unshift({ line, text: this.#clipped(start, end), isMatch: false });
    }
    let end = this.#end;
    for (let line = this.#line + 1; line <= this.#line + count; line += 1) {
      // There is no line after the last line end.
      if (end + 1 >= text.length) break;
      const from = end + 1;
      end = endOf(text, from);
      lines.push({ line, text: this.#clipped(from, end), isMatch: false });
    }
    return lines;
  }

  #clipped(start: number, end: number): string {
    const isLong = end - start > MAX_LINE_LENGTH;
    return isLong
      ? `${truncateAt(this.#text.slice(start, start + MAX_LINE_LENGTH), MAX_LINE_LENGTH)}…`
      : this.#text.slice(start, end);
  }
}

function endOf(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
