// Answers the queries of the search field, each by the call of its mode. One query at a time: a new one cancels the
// previous one.
import { stemsOf } from "./query-words.ts";
import type { Range } from "./ranges.ts";
import type { SearchClient } from "./search-client.ts";
import { readQuery, type ParsedQuery, type SearchMode, type SearchQuery } from "./search-query.ts";
import type {
  Building,
  SearchResponse,
  SymbolsResponse,
  MatchRecord,
  TextResponse,
} from "./search-response.ts";
import { passageResult, symbolResult, textResult, type ShownResult } from "./shown-result.ts";

/** What is known of the answer as a whole. */
export interface AnswerFacts {
  /** 0 to 1. */
  readonly confidence: number;
  readonly isWeak: boolean;
  readonly respelled: readonly { readonly from: string; readonly to: string }[];
  readonly building: Building | null;
  /** One sentence each. */
  readonly remarks: readonly string[];
}

/** One page of results. */
export interface FoundPage {
  readonly mode: SearchMode;
  readonly results: readonly ShownResult[];
  /** Where the next page begins; undefined on the last page. */
  readonly cursor: string | undefined;
  /** What was found: "7 passages", "At least 120 lines in 9 files". */
  readonly found: string;
  readonly namespace: string;
  readonly tookMs: number;
  readonly facts: AnswerFacts;
}

export const ALL_NAMESPACES = "*";
const PASSAGES_PER_PAGE = 20;
const LINES_PER_PAGE = 100;
const SYMBOLS_PER_PAGE = 30;
/** The maximum that the server accepts; a person reads faster than a model. */
const MAX_TOKENS = 20_000;

const NO_FACTS: AnswerFacts = {
  confidence: 1,
  isWeak: false,
  respelled: [],
  building: null,
  remarks: [],
};

export class Searcher {
  readonly #client: SearchClient;
  #running: AbortController | undefined;

  constructor(client: SearchClient) {
    this.#client = client;
  }

  /** Returns a page; undefined when a newer search replaced this one. Throws SearchError. */
  async search(query: SearchQuery, page?: FoundPage): Promise<FoundPage | undefined> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    try {
      return await this.#search(query, page, running.signal);
    } catch (error) {
      if (running.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** Cancels the search in progress. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  async #search(
    query: SearchQuery,
    page: FoundPage | undefined,
    signal: AbortSignal,
  ): Promise<FoundPage> {
    const parsed = readQuery(query.text);
    const namespace = parsed.namespace === "" ? query.namespace : parsed.namespace;
    const started = performance.now();
    const options = { namespace, cursor: page?.cursor, signal };
    if (parsed.mode === "words") return this.#words(parsed, options);
    const found = await (parsed.mode === "symbols"
      ? this.#symbols(parsed, options)
      : this.#text(parsed, options));
    return { ...found, tookMs: performance.now() - started };
  }

  async #words(parsed: ParsedQuery, options: CallOptions): Promise<FoundPage> {
    const { signal, ...place } = options;
    const body = {
      query: parsed.subject,
      limit: PASSAGES_PER_PAGE,
      max_tokens: MAX_TOKENS,
      detail: "full",
      ...limitsOf(parsed, place),
    };
    const answer = await this.#client.ask<SearchResponse>("/v1/search", body, signal);
    const stems = stemsOf(parsed.subject);
    const { results, next_cursor: next, building, respelled, confidence, weak: isWeak } = answer;
    return {
      mode: "words",
      results: results.map((one) => passageResult(one, answer.namespace, stems)),
      cursor: next ?? undefined,
      found: countedNoun(results.length, "passage"),
      namespace: answer.namespace,
      tookMs: answer.took_ms,
      facts: { confidence, isWeak, respelled, building, remarks: answer.partial },
    };
  }

  async #text(parsed: ParsedQuery, options: CallOptions): Promise<FoundPage> {
    const { signal, ...place } = options;
    const body = {
      pattern: parsed.subject,
      regex: parsed.isRegex,
      case_sensitive: parsed.isCaseSensitive,
      context_lines: 1,
      limit: LINES_PER_PAGE,
      ...limitsOf(parsed, place),
    };
    const answer = await this.#client.ask<TextResponse>("/v1/text", body, signal);
    const byFile = Map.groupBy(answer.matches, fileOf);
    const marked = markerOf(parsed);
    const { total_lines: lines, total_files: files, next_cursor: next } = answer;
    const atLeast = answer.complete ? "" : "At least ";
    return {
      mode: parsed.mode,
      results: [...byFile.values()].map((of) => textResult(of, answer.namespace, marked)),
      cursor: next ?? undefined,
      found: `${atLeast}${countedNoun(lines, "line")} in ${countedNoun(files, "file")}`,
      namespace: answer.namespace,
      tookMs: 0,
      facts: { ...NO_FACTS, remarks: [...answer.missing, ...late(answer)] },
    };
  }

  async #symbols(parsed: ParsedQuery, options: CallOptions): Promise<FoundPage> {
    const { signal, ...place } = options;
    const { kind: _kind, ...limits } = limitsOf(parsed, place);
    const body = {
      name: parsed.subject,
      limit: SYMBOLS_PER_PAGE,
      ...(parsed.symbolKind === "" ? {} : { kind: parsed.symbolKind }),
      ...limits,
    };
    const answer = await this.#client.ask<SymbolsResponse>("/v1/symbols", body, signal);
    const { symbols, approximate, next_cursor: next } = answer;
    const nearest = `No definition is named “${parsed.subject}”; these names are the nearest.`;
    const remarks = approximate && symbols.length > 0 ? [nearest] : [];
    const all = [...answer.missing, ...remarks, ...late(answer)];
    return {
      mode: "symbols",
      results: symbols.map((one) => symbolResult(one, answer.namespace)),
      cursor: next ?? undefined,
      found: countedNoun(answer.total, "definition"),
      namespace: answer.namespace,
      tookMs: 0,
      facts: { ...NO_FACTS, remarks: all },
    };
  }
}

interface CallOptions {
  readonly namespace: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

const TIMED_OUT = "The search took too long and is incomplete; narrow it with path: or lang:.";

function late({ timed_out: isLate }: { readonly timed_out: boolean }): readonly string[] {
  return isLate ? [TIMED_OUT] : [];
}

/** The same for the matches of one file. */
function fileOf({ namespace = "", path }: MatchRecord): string {
  return `${namespace}/${path}`;
}

function limitsOf(
  { languages, paths, kinds }: ParsedQuery,
  { namespace, cursor }: Pick<CallOptions, "namespace" | "cursor">,
) {
  return {
    ...(languages.length === 0 ? {} : { language: languages }),
    ...(paths.length === 0 ? {} : { path: paths }),
    ...(kinds.length === 0 ? {} : { kind: kinds }),
    ...(namespace === "" ? {} : { namespace }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** Marks an exact text. A regular expression of RE2 could take for ever in a browser, so its line has no mark. */
function markerOf({
  subject,
  isRegex,
  isCaseSensitive,
}: ParsedQuery): (line: string) => readonly Range[] {
  if (isRegex) return () => [];
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  const wanted = fold(subject);
  return (line) => {
    const text = fold(line);
    // Some letters have another length in lower case.
    if (text.length !== line.length) return [];
    const marks: Range[] = [];
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      marks.push({ start: at, end: at + wanted.length });
    }
    return marks;
  };
}

export function countedNoun(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
