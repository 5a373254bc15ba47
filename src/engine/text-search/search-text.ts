import { SvcError } from "../../base/errors.ts";
import { Yielder } from "../../base/yielder.ts";
import type { IndexReader } from "../../index/port.ts";
import type { LiteralQuery } from "../../index/trigrams/literal-query.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";
import { requiredLiterals } from "../../search/required-literals.ts";
import type { Source } from "../../sources/registry.ts";
import { decodeTextPlace, encodeTextPlace, type TextPlace } from "../cursor.ts";
import type { TextSearchResult, TextSearchRequest } from "../engine.ts";
import { fileFilter } from "../files/file-filter.ts";
import { FileTexts, type FileText } from "./file-texts.ts";
import { TextPage } from "./text-page.ts";
import { LongLineWorker } from "./long-line-worker.ts";
import { compileSteps, type SteppedPattern } from "./text-pattern.ts";

/** Answer with what there is before the 30 s of a call are over. */
const MAX_SEARCH_MS = 20_000;
/**
 * How much is looked at behind a full page, for the totals: all of a project of some size. Amounts and
 * not milliseconds, so that the same call gives the same answer. Where the index cannot narrow the
 * question, nobody expects an answer as fast.
 */
const MAX_COUNTED = {
  narrowed: { files: 200, bytes: 4e6 },
  all: { files: 4000, bytes: 48e6 },
} as const;
/** Where that takes longer, as on a slow disk, the answer goes out without it. */
const MAX_COUNTING_MS = 200;
/** The clock is read so often that small projects are counted in any case. */
const FILES_PER_DEADLINE_CHECK = 64;

type TextReader = Pick<
  IndexReader,
  "version" | "partial" | "textCandidates" | "symbolsOf" | "file"
>;

interface TextSearchContext {
  readonly reader: TextReader;
  readonly sources: readonly Source[];
}

/**
 * The lines that match, in order of paths, read from the files as they are now. Throws INVALID_PATTERN,
 * INVALID_CURSOR, INVALID_PARAMS for a language that no file can have, and TIMEOUT when it is cancelled. `isTimed`:
 * a clock has decided how far it goes.
 */
export async function searchText(
  { reader, sources }: TextSearchContext,
  request: TextSearchRequest,
): Promise<Omit<TextSearchResult, "namespace"> & { readonly isTimed: boolean }> {
  const { pattern, isRegex, caseSensitive, wholeWord, output } = request;
  const limits = [request.path, request.language, request.kinds];
  const cursorKey = ["text", pattern, isRegex, caseSensitive, wholeWord, output, ...limits];
  const start = decodeTextPlace(cursorKey, request.cursor);
  const compiled = compileSteps(pattern, request);
  const texts = new FileTexts(sources);
  const page = new TextPage(request, start);
  const query = requiredLiterals(pattern, request);
  const budget = new SearchBudget(request, query);
  const lines = new LineSearch(compiled, budget);
  let isCut = false;
  try {
    for await (const { path } of filesFrom(reader, { query, request, start })) {
      isCut = page.hasMore && budget.isCounted;
      if (isCut || !(await budget.hasTime())) break;
      const file = texts.read(path);
      if (file === undefined) continue;
      const found = await lines.in(file);
      if (found === undefined) continue;
      await page.add({ path, text: file.text, found, symbols: () => reader.symbolsOf(path) });
      if (page.isFull) budget.count(file.sizeBytes);
    }
  } finally {
    lines.close();
  }
  // The reader has its own clock.
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

/** The candidates, beginning with the file that the page before did not finish. */
async function* filesFrom(
  reader: TextReader,
  {
    query,
    request,
    start,
  }: { query: LiteralQuery; request: TextSearchRequest; start: TextPlace | undefined },
): AsyncGenerator<FileFacts> {
  const filter = fileFilter(request);
  if (start?.given !== undefined) {
    // A cursor may have been made up: only what the index holds is read.
    const file = await reader.file(start.path);
    if (file?.skipped === null && (filter === undefined || filter(file))) yield file;
  }
  yield* reader.textCandidates(query, { after: start?.path, filter });
}

/** Looks for the lines of one file after the other, and lets others have their turn meanwhile. */
class LineSearch {
  readonly #pattern: SteppedPattern;
  readonly #budget: SearchBudget;
  #longLines: LongLineWorker | undefined;

  constructor(pattern: SteppedPattern, budget: SearchBudget) {
    this.#pattern = pattern;
    this.#budget = budget;
  }

  /** Undefined when the time is over, which stays so. Throws TIMEOUT when the call was cancelled. */
  async in({ text, isPlain }: FileText): Promise<readonly number[] | undefined> {
    const stepping = this.#pattern.steps(text, isPlain);
    let step = stepping.next();
    while (step.done !== true) {
      // eslint-disable-next-line no-await-in-loop -- one step after the other
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
      // Whether it was cancelled, or its time is over, is told by the clock.
      if (signal.aborted) return false;
      throw thrown;
    }
  }
}

/** The time a search may take, and what it may do behind a full page. */
class SearchBudget {
  readonly #cancelled: AbortSignal;
  /** Aborted when the call is cancelled, or its time is over. */
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

  /** Lets others have their turn. Throws TIMEOUT when the call was cancelled meanwhile. */
  async hasTime(): Promise<boolean> {
    await this.#yielder.yieldIfDue();
    if (this.#cancelled.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    this.#isOver = this.signal.aborted || performance.now() >= this.#deadline;
    return !this.#isOver;
  }

  /** Whether that was found. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A file that was looked at for the totals alone. */
  count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files % FILES_PER_DEADLINE_CHECK === 0) {
      this.#isSlow = performance.now() - this.#started > MAX_COUNTING_MS;
    }
  }

  /** True when counting for the totals took so long that it was ended. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Whether the totals have had their share. */
  get isCounted(): boolean {
    const { files, bytes } = this.#counted;
    return this.#isSlow || this.#files >= files || this.#bytes >= bytes;
  }
}
