// Standing questions in an indexing run: what is kept of each file for them, and what they say to a change.

import { SvcError } from "../../base/errors.ts";
import { maskSecrets } from "../../base/mask-secrets.ts";
import type { ChunkedFile } from "../../chunk/chunk.ts";
import { eachLine, linePrint, linePrints, printsOf } from "../../chunk/prints.ts";
import type { WatchKeeper } from "../../index/backend.ts";
import type { Hit, Judge, Seen, Sighting } from "../../index/journal/journal.ts";
import { writePrints } from "../../index/journal/print-block.ts";
import type { SymbolChange } from "../../index/journal/symbol-diff.ts";
import type { Monitor } from "../../sources/monitors.ts";
import { pathMatcher } from "../files/file-filter.ts";
import { bareName, namesSymbol } from "./monitor-names.ts";
import type { ChunkTest } from "./monitor-question.ts";
import type { LinePattern } from "../text-search/text-pattern.ts";

interface SeenFile {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
}

/** A line that the version told last did not have, or had fewer times. */
interface NewLine {
  readonly line: number;
  readonly print: number;
  readonly text: string;
}

/** What one monitor may have found in a file: confirmed when the change is told. */
type Found =
  | { readonly lines: readonly NewLine[] }
  | { readonly chunks: readonly FoundChunk[] }
  | { readonly unchecked: true };

interface FoundChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly score: number;
  /** Of its new lines. */
  readonly prints: readonly number[];
}

/** By name: how often each definition of a file uses it; null where that was not known when it was asked for. */
type Watched = Readonly<Record<string, Readonly<Record<string, number>> | null>>;

/** Shown of one hit; the others are counted. */
const MOST_SHOWN = 5;
/** Of one monitor in one file. */
const MOST_FOUND = 1000;
const LONGEST_LINE = 200;
/** What one monitor, and all of them, may take of a run: the files after that are told as unchecked. */
const MONITOR_MS = 5000;
const ALL_MS = 30_000;

/** Names of the notes of the journal. */
const HAS_LINES = "lines";
const NAMES = "names";
const MONITORS = "monitors";

/** By the numbers of their monitors. */
export interface CompiledQuestions {
  readonly patterns: ReadonlyMap<number, LinePattern>;
  readonly queries: ReadonlyMap<number, ChunkTest>;
}

const NO_QUESTIONS: CompiledQuestions = { patterns: new Map(), queries: new Map() };

export class MonitorWatch {
  readonly #monitors: readonly Monitor[];
  readonly #keeper: WatchKeeper;
  readonly #names: ReadonlySet<string>;
  readonly #needsLines: boolean;
  readonly #patterns: ReadonlyMap<number, LinePattern>;
  readonly #queries: ReadonlyMap<number, ChunkTest>;
  readonly #globs = new Map<number, (path: string) => boolean>();
  readonly #spentMs = new Map<number, number>();
  #allMs = 0;

  constructor(
    monitors: readonly Monitor[],
    keeper: WatchKeeper,
    { patterns, queries }: CompiledQuestions = NO_QUESTIONS,
  ) {
    this.#monitors = monitors;
    this.#keeper = keeper;
    this.#patterns = patterns;
    this.#queries = queries;
    for (const { id, kind, question } of monitors) {
      if (kind !== "path") continue;
      try {
        this.#globs.set(id, pathMatcher(question));
      } catch (thrown) {
        // One that an earlier program took must not keep the index from being built.
        if (!(thrown instanceof SvcError)) throw thrown;
      }
    }
    this.#names = new Set(
      monitors.filter(({ kind }) => kind === "symbol").map(({ question }) => bareName(question)),
    );
    this.#needsLines = this.#patterns.size > 0 || this.#queries.size > 0;
  }

  /** False when all that the monitors need is kept. */
  get isNews(): boolean {
    const { note } = this.#keeper;
    return (
      (note(HAS_LINES) === "1") !== this.#needsLines ||
      (note(NAMES) ?? "[]") !== this.#namesNote ||
      (note(MONITORS) ?? "[]") !== this.#monitorsNote
    );
  }

  get #namesNote(): string {
    return JSON.stringify([...this.#names].toSorted());
  }

  get #monitorsNote(): string {
    return JSON.stringify(this.#monitors.map(({ id }) => id));
  }

  /**
   * Keeps of every file what new monitors need of its present version, and forgets what none needs any more.
   * What was changed before is no news to them. `textOf` gives the text of a file whose content has this hash.
   */
  prepare(textOf: (path: string, hash: string) => string | undefined): void {
    if (this.#needsLines) this.#keepLines(textOf);
    const known = new Set(namesIn(this.#keeper.note(NAMES)));
    const fresh = [...this.#names].filter((name) => !known.has(name));
    const uses = new Map(fresh.map((name) => [name, this.#usesOf(name)]));
    this.#keeper.change((keep) => {
      if (!this.#needsLines) keep.dropLines();
      for (const [path, watched] of this.#watchedWith(uses)) keep.setWatched(path, watched);
      keep.keepHitsOf(this.#monitors.map(({ id }) => id));
      keep.setNote(HAS_LINES, this.#needsLines ? "1" : "0");
      keep.setNote(NAMES, this.#namesNote);
      keep.setNote(MONITORS, this.#monitorsNote);
    });
  }

  #keepLines(textOf: (path: string, hash: string) => string | undefined): void {
    const missing = this.#keeper.withoutLines();
    for (let from = 0; from < missing.length; from += FILES_A_TURN) {
      this.#keeper.change((keep) => {
        for (const { path, hash } of missing.slice(from, from + FILES_A_TURN)) {
          const text = textOf(path, hash);
          if (text !== undefined) keep.setLines(path, linePrints(text));
        }
      });
    }
  }

  /** The definitions that use a name now, by file; null for files that are not in the index as they were told. */
  #usesOf(name: string): ReadonlyMap<string, Readonly<Record<string, number>> | null> {
    const uses = new Map<string, Readonly<Record<string, number>> | null>();
    for (const { path, owners } of this.#keeper.usesOf(name)) uses.set(path, countOf(owners));
    for (const path of this.#keeper.unlikeTold()) uses.set(path, null);
    return uses;
  }

  #watchedWith(
    uses: ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, number>> | null>>,
  ): ReadonlyMap<string, Watched> {
    const found = new Map<string, Watched>();
    for (const [name, byPath] of uses) {
      for (const [path, counts] of byPath) {
        const before = found.get(path) ?? watchedIn(this.#keeper.watched(path));
        found.set(path, { ...before, [name]: counts });
      }
    }
    return found;
  }

  /** What is kept of a file that is complete. */
  look(file: SeenFile, { symbols, chunks, references }: ChunkedFile): Sighting {
    const { text, language } = file;
    const prints = writePrints(printsOf({ text, language, symbols }));
    if (this.#monitors.length === 0) return { ...NOTHING, prints };
    const owners = references.uses.filter(({ name }) => this.#names.has(name));
    const watched = Map.groupBy(owners, ({ name }) => name);
    const uses = [...watched].map(([name, all]) => [
      name,
      countOf(all.map(({ owner }) => symbols[owner]?.qualifiedName ?? "")),
    ]);
    const found = this.#needsLines ? this.#find(file, chunks) : {};
    return {
      prints,
      lines: this.#needsLines ? linePrints(text) : undefined,
      watched: uses.length === 0 ? undefined : JSON.stringify(Object.fromEntries(uses)),
      found: Object.keys(found).length === 0 ? undefined : JSON.stringify(found),
    };
  }

  /** By monitor. */
  #find({ path, text }: SeenFile, chunks: ChunkedFile["chunks"]): Readonly<Record<string, Found>> {
    const shown = maskSecrets(text);
    const lines = shownLines(newLines(text, this.#keeper.lines(path)), { text, shown });
    const found: Record<string, Found> = {};
    if (lines.length === 0) return found;
    const all = lines.map((line) => line.text).join("\n");
    for (const [id, pattern] of this.#patterns) {
      const hits = this.#timed(id, () => matching(pattern, all, lines));
      if (hits === undefined) found[id] = { unchecked: true };
      else if (hits.length > 0) found[id] = { lines: hits };
    }
    if (this.#queries.size === 0) return found;
    const changed = changedChunks(chunks, lines);
    const texts = shown.split("\n");
    for (const [id, test] of this.#queries) {
      const hits = this.#timed(id, () =>
        changed.flatMap(({ startLine, endLine, symbol, prints }) => {
          const score = test({ path, text: texts.slice(startLine - 1, endLine).join("\n") });
          return score === 0 ? [] : [{ startLine, endLine, symbol, prints, score }];
        }),
      );
      if (hits === undefined) found[id] = { unchecked: true };
      else if (hits.length > 0) found[id] = { chunks: hits };
    }
    return found;
  }

  /** Undefined when the monitor, or all of them, have had their time. */
  #timed<T>(id: number, run: () => T): T | undefined {
    const spent = this.#spentMs.get(id) ?? 0;
    if (spent > MONITOR_MS || this.#allMs > ALL_MS) return undefined;
    const started = performance.now();
    const result = run();
    const took = performance.now() - started;
    this.#spentMs.set(id, spent + took);
    this.#allMs += took;
    return result;
  }

  readonly judge: Judge = (change, before, now) => {
    const hits: Hit[] = [];
    const found = foundIn(now?.found);
    for (const monitor of this.#monitors) {
      const { id, kind, question } = monitor;
      if (kind === "path") {
        const matches = this.#globs.get(id);
        const paths = [change.path, ...(change.oldPath === undefined ? [] : [change.oldPath])];
        if (paths.some((path) => matches?.(path) === true)) hits.push({ monitor: id, detail: {} });
      } else {
        const detail =
          kind === "symbol"
            ? symbolHit(question, change.symbols, { before, now })
            : textHit(found[id], before, change.oldPath !== undefined);
        if (detail !== undefined) hits.push({ monitor: id, detail });
      }
    }
    return hits;
  };
}

const NOTHING = { lines: undefined, watched: undefined, found: undefined };
const FILES_A_TURN = 500;
const NO_LINES = new Uint32Array();

/** Lines beyond those that the old version had; with it unknown, all of them. */
function newLines(text: string, before: Uint32Array = NO_LINES): readonly NewLine[] {
  const old = new Map<number, number>();
  for (const print of before) old.set(print, (old.get(print) ?? 0) + 1);
  const lines: NewLine[] = [];
  eachLine(text, (line, number) => {
    const words = line.trim();
    if (words === "") return;
    const print = linePrint(words);
    const left = old.get(print) ?? 0;
    if (left > 0) old.set(print, left - 1);
    else lines.push({ line: number, print, text: line });
  });
  return lines;
}

/** The same lines without their secrets: what is found is kept, and shown later. */
function shownLines(
  lines: readonly NewLine[],
  { text, shown }: { readonly text: string; readonly shown: string },
): readonly NewLine[] {
  if (shown === text) return lines;
  const texts = shown.split("\n");
  return lines.map((one) => ({ ...one, text: texts[one.line - 1] ?? "" }));
}

/** `all` is the texts of `lines`, one a line. */
function matching(
  pattern: LinePattern,
  all: string,
  lines: readonly NewLine[],
): readonly NewLine[] {
  const found: NewLine[] = [];
  let at = 0;
  let end = lines[0]?.text.length ?? 0;
  for (const offset of pattern(all)) {
    while (end < offset) {
      at += 1;
      end += 1 + (lines[at]?.text.length ?? Infinity);
    }
    const line = lines[at];
    if (line === undefined || found.length === MOST_FOUND) break;
    found.push({ ...line, text: line.text.trim().slice(0, LONGEST_LINE) });
  }
  return found;
}

/** Chunks with new lines, in the order of both. */
function changedChunks(
  chunks: ChunkedFile["chunks"],
  lines: readonly NewLine[],
): readonly Omit<FoundChunk, "score">[] {
  let at = 0;
  return chunks.flatMap(({ startLine, endLine, symbol }) => {
    while ((lines[at]?.line ?? Infinity) < startLine) at += 1;
    const prints: number[] = [];
    for (; (lines[at]?.line ?? Infinity) <= endLine; at += 1) prints.push(lines[at]?.print ?? 0);
    return prints.length === 0 ? [] : [{ startLine, endLine, symbol, prints }];
  });
}

/** A file that was moved was looked at as a new one: lines that its old path had are taken out. */
function textHit(found: Found | undefined, before: Seen | undefined, isMoved: boolean): unknown {
  if (found === undefined) return undefined;
  // What was told before the monitor was made has no prints to compare with.
  if (before !== undefined && before.lines === undefined) return undefined;
  if ("unchecked" in found) return found;
  const old = new Map<number, number>();
  const lines = isMoved ? (before?.lines ?? NO_LINES) : NO_LINES;
  for (const print of lines) old.set(print, (old.get(print) ?? 0) + 1);
  if ("lines" in found) {
    const fresh = found.lines.filter(({ print }) => !takeOne(old, print));
    const shown = fresh.slice(0, MOST_SHOWN).map(({ line, text }) => ({ line, text }));
    return fresh.length === 0 ? undefined : { count: fresh.length, lines: shown };
  }
  const chunks = found.chunks.filter(({ prints }) => prints.some((print) => !old.has(print)));
  const shown = chunks.slice(0, MOST_SHOWN).map(({ startLine, endLine, symbol, score }) => ({
    start_line: startLine,
    end_line: endLine,
    symbol,
    score: Math.round(score * 100) / 100,
  }));
  return chunks.length === 0 ? undefined : { count: chunks.length, chunks: shown };
}

/** Definitions of the name that came, went or changed, and who uses it more or less often than before. */
function symbolHit(
  question: string,
  symbols: readonly SymbolChange[],
  { before, now }: { readonly before: Seen | undefined; readonly now: Seen | undefined },
): unknown {
  const definitions = symbols.filter(
    ({ name, oldName }) =>
      namesSymbol(question, name) || (oldName !== undefined && namesSymbol(question, oldName)),
  );
  const name = bareName(question);
  const [were, are] = [watchedIn(before?.watched)[name], watchedIn(now?.watched)[name]];
  const uses = were === null || are === null ? [] : useChanges(were ?? {}, are ?? {});
  if (definitions.length + uses.length === 0) return undefined;
  return {
    count: definitions.length + uses.length,
    ...(definitions.length > 0 ? { definitions: definitions.slice(0, MOST_SHOWN) } : {}),
    ...(uses.length > 0 ? { uses: uses.slice(0, MOST_SHOWN) } : {}),
  };
}

function useChanges(
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): readonly { readonly symbol: string; readonly before: number; readonly now: number }[] {
  const owners = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...owners]
    .toSorted()
    .map((symbol) => ({ symbol, before: before[symbol] ?? 0, now: now[symbol] ?? 0 }))
    .filter((one) => one.before !== one.now);
}

/** False when there is none left. */
function takeOne(counts: Map<number, number>, print: number): boolean {
  const left = counts.get(print) ?? 0;
  if (left > 0) counts.set(print, left - 1);
  return left > 0;
}

function countOf(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function namesIn(note: string | undefined): readonly string[] {
  const names: unknown = JSON.parse(note ?? "[]");
  return Array.isArray(names) ? names.map(String) : [];
}

function watchedIn(value: unknown): Watched {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `look` or `prepare` has written
  return (value ?? {}) as Watched;
}

function foundIn(value: unknown): Readonly<Record<string, Found>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `look` has written
  return (value ?? {}) as Readonly<Record<string, Found>>;
}
