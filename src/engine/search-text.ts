import { SvcError } from "../base/errors.ts";
import { Slices } from "../base/slices.ts";
import type { IndexReader } from "../index/backend.ts";
import type { LiteralQuery } from "../index/literal-query.ts";
import type { FileFacts } from "../index/segment-reader.ts";
import { requiredLiterals } from "../search/required-literals.ts";
import type { Source } from "../sources/registry.ts";
import { decodePlace, encodePlace, type TextPlace } from "./cursor.ts";
import type { TextAnswer, TextRequest } from "./engine.ts";
import { fileFilter } from "./file-filter.ts";
import { FileTexts } from "./file-texts.ts";
import { TextPage } from "./text-page.ts";
import { compilePattern } from "./text-pattern.ts";

/** Answer with what there is before the 30 s of a call are over. */
const TIME_LIMIT_MS = 20_000;
/**
 * How much is looked at behind a full page, for the totals: all of a project of some size. Amounts and
 * not milliseconds, so that the same call gives the same answer. Where the index cannot narrow the
 * question, nobody expects an answer as fast.
 */
const COUNTED = {
  narrowed: { files: 200, bytes: 4e6 },
  all: { files: 4000, bytes: 48e6 },
} as const;
/** Where that takes longer, as on a slow disk, the answer goes out without it. */
const COUNTING_LIMIT_MS = 200;
/** The clock is read so often that small projects are counted in any case. */
const FILES_PER_LOOK = 64;

type TextReader = Pick<
  IndexReader,
  "version" | "partial" | "textCandidates" | "symbolsOf" | "file"
>;

interface Sight {
  readonly reader: TextReader;
  readonly sources: readonly Source[];
}

/**
 * The lines that match, in order of paths, read from the files as they are now. Throws INVALID_PATTERN,
 * INVALID_CURSOR, INVALID_PARAMS for a language that no file can have, and TIMEOUT when it is cancelled. `isTimed`:
 * a clock has decided how far it goes.
 */
export async function searchText(
  { reader, sources }: Sight,
  request: TextRequest,
): Promise<Omit<TextAnswer, "namespace"> & { readonly isTimed: boolean }> {
  const { pattern, isRegex, caseSensitive, wholeWord, output } = request;
  const limits = [request.path, request.language, request.kinds];
  const question = ["text", pattern, isRegex, caseSensitive, wholeWord, output, ...limits];
  const start = decodePlace(question, request.cursor);
  const linesOf = compilePattern(pattern, request);
  const texts = new FileTexts(sources);
  const page = new TextPage(request, start);
  const query = requiredLiterals(pattern, request);
  const pace = new Pace(request, COUNTED[query.kind === "all" ? "all" : "narrowed"]);
  let end: End = "all";
  for await (const { path } of filesFrom(reader, { query, request, start })) {
    end = await endBefore(page, pace);
    if (end !== "all") break;
    const file = texts.read(path);
    if (file === undefined) continue;
    const found = linesOf(file.text, file.isPlain);
    await page.add({ path, text: file.text, found, symbols: () => reader.symbolsOf(path) });
    if (page.isFull) pace.count(file.sizeBytes);
  }
  // The reader has its own clock.
  const isPartial = end === "time" || reader.partial.length > 0;
  const goesOn = output !== "count" && (page.hasMore || isPartial);
  return {
    generation: reader.version.at,
    matches: page.matches,
    files: page.files,
    totalMatches: page.totalMatches,
    totalFiles: page.totalFiles,
    isComplete: end === "all" && !isPartial,
    isPartial,
    isTimed: isPartial || pace.isSlow,
    nextCursor: goesOn && page.next !== undefined ? encodePlace(question, page.next) : undefined,
  };
}

/** What a search ends with: every file, a full page, or the time. */
type End = "all" | "page" | "time";

/** Whether it ends before the next file. */
async function endBefore(page: TextPage, pace: Pace): Promise<End> {
  if (!(await pace.isInTime())) return "time";
  return page.hasMore && pace.isCounted ? "page" : "all";
}

/** The candidates, beginning with the file that the page before did not finish. */
async function* filesFrom(
  reader: TextReader,
  {
    query,
    request,
    start,
  }: { query: LiteralQuery; request: TextRequest; start: TextPlace | undefined },
): AsyncGenerator<FileFacts> {
  const filter = fileFilter(request);
  if (start?.given !== undefined) {
    // A cursor may have been made up: only what the index holds is read.
    const file = await reader.file(start.path);
    if (file?.skipped === null && (filter === undefined || filter(file))) yield file;
  }
  yield* reader.textCandidates(query, { after: start?.path, filter });
}

/** The time a search may take, and what it may do behind a full page. */
class Pace {
  readonly #signal: AbortSignal;
  readonly #counted: { readonly files: number; readonly bytes: number };
  readonly #started = performance.now();
  readonly #end: number;
  readonly #slices = new Slices();
  #files = 0;
  #bytes = 0;
  #isSlow = false;

  constructor(
    { signal, answerBy = Infinity }: Pick<TextRequest, "signal" | "answerBy">,
    counted: { readonly files: number; readonly bytes: number },
  ) {
    this.#signal = signal;
    this.#end = Math.min(this.#started + TIME_LIMIT_MS, answerBy);
    this.#counted = counted;
  }

  /** Lets others have their turn. Throws TIMEOUT when the call was cancelled meanwhile. */
  async isInTime(): Promise<boolean> {
    await this.#slices.next();
    if (this.#signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    return performance.now() < this.#end;
  }

  /** A file that was looked at for the totals alone. */
  count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files % FILES_PER_LOOK === 0) {
      this.#isSlow = performance.now() - this.#started > COUNTING_LIMIT_MS;
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
