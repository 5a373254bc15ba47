import { SvcError } from "../../base/errors.ts";
import { Yielder } from "../../base/yielder.ts";
import type { IndexReader } from "../../index/port.ts";
import type { LiteralQuery } from "../../index/literal-query.ts";
import type { FileFacts } from "../../index/types.ts";
import { requiredLiterals } from "../../search/required-literals.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { decodeTextPlace, encodeTextPlace, type TextPlace } from "../cursor.ts";
import type { TextSearchRequest, TextSearchResult } from "../api/search-text.ts";
import { fileFilter } from "../files/file-filter.ts";
import { searchableText, type SearchableText } from "./searchable-text.ts";
import { TextPage } from "./text-page.ts";
import { LongLineWorker } from "./long-line-worker.ts";
import { compileSteps, type SteppedPattern } from "./text-pattern.ts";

/** Return a partial answer before the 30 s of a call are over. */
const MAX_SEARCH_MS = 20_000;
/**
 * How much is searched after a full page, for the totals: the whole of a medium-sized project. Amounts instead of
 * milliseconds, so that the same call gives the same answer. More is allowed when the index cannot narrow the query,
 * because such a query is slow anyway.
 */
const MAX_COUNTED = {
  narrowed: { files: 200, bytes: 4e6 },
  all: { files: 4000, bytes: 48e6 },
} as const;
/** When counting takes longer, for example on a slow disk, the answer has no exact totals. */
const MAX_COUNTING_MS = 200;
/** How often the clock is read. Small projects are always counted completely. */
const FILES_PER_DEADLINE_CHECK = 64;

type CandidateReader = Pick<
  IndexReader,
  "version" | "partial" | "textCandidates" | "symbolsOf" | "file"
>;

interface TextSearchContext {
  readonly reader: CandidateReader;
  readonly texts: TextReader;
}

/**
 * The matching lines of the current files, sorted by path. Throws INVALID_PATTERN, INVALID_CURSOR, INVALID_PARAMS for
 * an unknown language or a malformed glob, and TIMEOUT when it is cancelled. `isTimed`: a time limit cut the answer.
 */
export async function searchText(
  { reader, texts }: TextSearchContext,
  request: TextSearchRequest,
): Promise<Omit<TextSearchResult, "namespace"> & { readonly isTimed: boolean }> {
  const { pattern, isRegex, caseSensitive, wholeWord, output } = request;
  const limits = [request.path, request.within, request.language, request.kinds];
  const cursorKey = ["text", pattern, isRegex, caseSensitive, wholeWord, output, ...limits];
  const start = decodeTextPlace(cursorKey, request.cursor);
  const compiled = compileSteps(pattern, request);
  const page = new TextPage(request, start, compiled.columnIn);
  const query = requiredLiterals(pattern, request);
  const budget = new SearchBudget(request, query);
  const lines = new LineSearch(compiled, budget);
  let isCut = false;
  try {
    for await (const { path, language, role } of filesFrom(reader, { query, request, start })) {
      isCut = page.hasMore && budget.isCounted;
      if (isCut || !(await budget.hasTime())) break;
      const file = await searchableText(texts, path);
      if (file === undefined) continue;
      const found = await lines.in(file);
      if (found === undefined) continue;
      await page.add({
        path,
        language,
        role,
        text: file.text,
        document: file.document,
        found,
        symbols: () => reader.symbolsOf(path),
      });
      if (page.isFull) budget.count(file.sizeBytes);
    }
  } finally {
    lines.close();
  }
  // The reader has a deadline of its own.
  const isPartial = budget.isOver || reader.partial.length > 0;
  const goesOn = output !== "count" && (page.hasMore || isPartial);
  return {
    generation: reader.version.at,
    matches: page.matches,
    files: page.files,
    totalMatches: page.totalMatches,
    totalFiles: page.totalFiles,
    isComplete: !isCut && !isPartial,
    isPartial,
    isTimed: isPartial || budget.isSlow,
    nextCursor:
      goesOn && page.next !== undefined ? encodeTextPlace(cursorKey, page.next) : undefined,
  };
}

/** The candidate files, beginning with the file that the previous page did not finish. */
async function* filesFrom(
  reader: CandidateReader,
  {
    query,
    request,
    start,
  }: { query: LiteralQuery; request: TextSearchRequest; start: TextPlace | undefined },
): AsyncGenerator<FileFacts> {
  const filter = fileFilter(request);
  if (start?.given !== undefined) {
    // A cursor may be forged: read only files of the index.
    const file = await reader.file(start.path);
    if (file?.skipped === null && (filter === undefined || filter(file))) yield file;
  }
  yield* reader.textCandidates(query, { after: start?.path, filter });
}

/** Searches one file after the other, and yields to other calls in between. */
class LineSearch {
  readonly #pattern: SteppedPattern;
  readonly #budget: SearchBudget;
  #longLines: LongLineWorker | undefined;

  constructor(pattern: SteppedPattern, budget: SearchBudget) {
    this.#pattern = pattern;
    this.#budget = budget;
  }

  /** Offsets of matching lines, as LinePattern returns them. Undefined after the deadline. Throws TIMEOUT when cancelled. */
  async in({ text, isPlain }: SearchableText): Promise<readonly number[] | undefined> {
    const stepping = this.#pattern.steps(text, isPlain);
    let step = stepping.next();
    while (step.done !== true) {
      // eslint-disable-next-line no-await-in-loop -- sequential
      const isFound = step.value === undefined ? undefined : await this.#testLong(step.value);
      // eslint-disable-next-line no-await-in-loop -- as above
      if (!(await this.#budget.hasTime())) return undefined;
      step = stepping.next(isFound);
    }
    return step.value;
  }

  close(): void {
    this.#longLines?.close();
  }

  async #testLong(line: string): Promise<boolean> {
    const { re2 } = this.#pattern;
    if (re2 === undefined) return false;
    const { signal } = this.#budget;
    this.#longLines ??= new LongLineWorker(re2, signal);
    try {
      return await this.#longLines.test(line);
    } catch (thrown) {
      // hasTime() distinguishes cancellation from the deadline.
      if (signal.aborted) return false;
      throw thrown;
    }
  }
}

/** The time limit of a search, and its limits after a full page. */
class SearchBudget {
  readonly #cancelled: AbortSignal;
  /** Aborted when the call is cancelled or its deadline has passed. */
  readonly signal: AbortSignal;
  readonly #counted: { readonly files: number; readonly bytes: number };
  readonly #started = performance.now();
  readonly #deadline: number;
  readonly #yielder = new Yielder();
  #files = 0;
  #bytes = 0;
  #isSlow = false;
  #isOver = false;

  constructor(
    {
      signal,
      deadline: requestDeadline = Infinity,
    }: Pick<TextSearchRequest, "signal" | "deadline">,
    { kind }: LiteralQuery,
  ) {
    const limitMs = Math.min(MAX_SEARCH_MS, requestDeadline - this.#started);
    this.#cancelled = signal;
    this.#deadline = this.#started + limitMs;
    this.signal = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)))]);
    this.#counted = MAX_COUNTED[kind === "all" ? "all" : "narrowed"];
  }

  /** Yields to other calls, then checks the deadline. Throws TIMEOUT when the call was cancelled meanwhile. */
  async hasTime(): Promise<boolean> {
    await this.#yielder.yieldIfDue();
    if (this.#cancelled.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    this.#isOver = this.signal.aborted || performance.now() >= this.#deadline;
    return !this.#isOver;
  }

  /** Whether hasTime() has seen the deadline pass. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counts a file that was searched only for the totals. */
  count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files % FILES_PER_DEADLINE_CHECK === 0) {
      this.#isSlow = performance.now() - this.#started > MAX_COUNTING_MS;
    }
  }

  /** True when counting for the totals was stopped because it took too long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Whether the limit of counting for the totals is reached. */
  get isCounted(): boolean {
    const { files, bytes } = this.#counted;
    return this.#isSlow || this.#files >= files || this.#bytes >= bytes;
  }
}
