// Runs monitors during an indexing run: stores the data of each file that they need, and matches changes.

import { SvcError } from "../../base/errors.ts";
import { maskSecrets } from "../../base/mask-secrets.ts";
import type { ChunkedFile } from "../../chunk/chunk.ts";
import { eachLine, lineHash, lineHashes } from "../../parse/fingerprints.ts";
import type { MonitorState } from "../../index/port.ts";
import type {
  ChangeHit,
  MatchMonitors,
  MonitoredVersion,
  FileVersion,
} from "../../index/change-log/change-event.ts";
import type { SymbolChange } from "../../index/change-log/symbol-diff.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import { pathMatcher } from "../files/file-filter.ts";
import { EMPTY_LIST, HAS_LINES_NOTE, MONITORS_NOTE, NAMES_NOTE } from "./monitor-notes.ts";
import { unqualifiedName, matchesSymbolName } from "./monitor-names.ts";
import type { ChunkTest } from "./compile-monitor.ts";
import type { LinePattern } from "../text-search/text-pattern.ts";

/** What monitors are matched with. */
export interface MonitoredFile {
  readonly path: string;
  readonly text: string;
  readonly chunked: ChunkedFile;
}

/** A line that the baseline version did not have, or had fewer times. `print` is its hash. */
interface NewLine {
  readonly line: number;
  readonly print: number;
  readonly text: string;
}

/** A possible hit of one monitor in a file, confirmed when the change event is written. */
type PossibleHit =
  | { readonly lines: readonly NewLine[] }
  | { readonly chunks: readonly FoundChunk[] }
  | { readonly unchecked: true };

interface FoundChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly score: number;
  /** Hashes of its new lines. */
  readonly prints: readonly number[];
}

/** Name -> number of uses by each definition of a file; null when that was unknown at the time. */
type WatchedUses = Readonly<Record<string, Readonly<Record<string, number>> | null>>;

/** Lines, chunks or definitions shown of one hit; the others are only counted. */
const MAX_SHOWN = 5;
/** Limit for one monitor in one file. */
const MAX_LINES_FOUND = 1000;
const MAX_LINE_CHARS = 200;
/** Time limits for one monitor, and for all monitors, in a run. Files after that are reported as unchecked. */
const MAX_MONITOR_MS = 5000;
const MAX_ALL_MONITORS_MS = 30_000;

/** By the ids of their monitors. */
export interface CompiledMonitors {
  readonly patterns: ReadonlyMap<number, LinePattern>;
  readonly queries: ReadonlyMap<number, ChunkTest>;
}

const NO_COMPILED_MONITORS: CompiledMonitors = { patterns: new Map(), queries: new Map() };

export class MonitorMatcher {
  readonly #monitors: readonly Monitor[];
  readonly #state: MonitorState;
  readonly #names: ReadonlySet<string>;
  readonly #needsLineHashes: boolean;
  readonly #patterns: ReadonlyMap<number, LinePattern>;
  readonly #queries: ReadonlyMap<number, ChunkTest>;
  readonly #globs = new Map<number, (path: string) => boolean>();
  readonly #spentMs = new Map<number, number>();
  #allMs = 0;

  constructor(
    monitors: readonly Monitor[],
    state: MonitorState,
    { patterns, queries }: CompiledMonitors = NO_COMPILED_MONITORS,
  ) {
    this.#monitors = monitors;
    this.#state = state;
    this.#patterns = patterns;
    this.#queries = queries;
    for (const { id, kind, question } of monitors) {
      if (kind !== "path") continue;
      try {
        this.#globs.set(id, pathMatcher(question));
      } catch (thrown) {
        // A glob that an earlier version accepted must not stop the build of the index.
        if (!(thrown instanceof SvcError)) throw thrown;
      }
    }
    this.#names = new Set(
      monitors
        .filter(({ kind }) => kind === "symbol")
        .map(({ question }) => unqualifiedName(question)),
    );
    this.#needsLineHashes = this.#patterns.size > 0 || this.#queries.size > 0;
  }

  /** False when the stored data covers everything that the monitors need. */
  get hasChanged(): boolean {
    const { note } = this.#state;
    return (
      (note(HAS_LINES_NOTE) === "1") !== this.#needsLineHashes ||
      (note(NAMES_NOTE) ?? EMPTY_LIST) !== this.#namesNote ||
      (note(MONITORS_NOTE) ?? EMPTY_LIST) !== this.#monitorsNote
    );
  }

  get #namesNote(): string {
    return JSON.stringify([...this.#names].toSorted());
  }

  get #monitorsNote(): string {
    return JSON.stringify(this.#monitors.map(({ id }) => id));
  }

  /**
   * Stores the data that new monitors need of the current version of each file, and deletes data that none needs.
   * Earlier changes are not reported to new monitors. `textOf` returns the text of a file whose content has this hash.
   */
  async prepare(textOf: (path: string, hash: string) => string | undefined): Promise<void> {
    if (this.#needsLineHashes) await this.#addLineHashes(textOf);
    const known = new Set(namesIn(this.#state.note(NAMES_NOTE)));
    const newNames = [...this.#names].filter((name) => !known.has(name));
    const uses = new Map(newNames.map((name) => [name, this.#usesOf(name)]));
    await this.#state.change((changes) => {
      if (!this.#needsLineHashes) changes.dropLineHashes();
      for (const [path, watched] of this.#watchedWith(uses)) changes.setWatched(path, watched);
      changes.deleteHitsExcept(this.#monitors.map(({ id }) => id));
      changes.setNote(HAS_LINES_NOTE, this.#needsLineHashes ? "1" : "0");
      changes.setNote(NAMES_NOTE, this.#namesNote);
      changes.setNote(MONITORS_NOTE, this.#monitorsNote);
    });
  }

  async #addLineHashes(textOf: (path: string, hash: string) => string | undefined): Promise<void> {
    const missing = this.#state.withoutLineHashes();
    for (let from = 0; from < missing.length; from += FILES_PER_TRANSACTION) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      await this.#state.change((changes) => {
        for (const { path, hash } of missing.slice(from, from + FILES_PER_TRANSACTION)) {
          const text = textOf(path, hash);
          if (text !== undefined) changes.setLineHashes(path, lineHashes(text));
        }
      });
    }
  }

  /** Path -> definitions that use a name now; null for files that differ from their baseline version. */
  #usesOf(name: string): ReadonlyMap<string, Readonly<Record<string, number>> | null> {
    const uses = new Map<string, Readonly<Record<string, number>> | null>();
    for (const { path, owners } of this.#state.usesOf(name)) uses.set(path, countOf(owners));
    for (const path of this.#state.changedSinceBaseline()) uses.set(path, null);
    return uses;
  }

  #watchedWith(
    uses: ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, number>> | null>>,
  ): ReadonlyMap<string, WatchedUses> {
    const found = new Map<string, WatchedUses>();
    for (const [name, byPath] of uses) {
      for (const [path, counts] of byPath) {
        const before = found.get(path) ?? watchedIn(this.#state.watched(path));
        found.set(path, { ...before, [name]: counts });
      }
    }
    return found;
  }

  /** Whether `versionOf` needs the file. */
  get hasMonitors(): boolean {
    return this.#monitors.length > 0;
  }

  /** The stored version data of a fully parsed file. */
  versionOf(fingerprints: Uint8Array, file: MonitoredFile | undefined): FileVersion {
    if (!this.hasMonitors || file === undefined) return { ...NO_MONITOR_DATA, fingerprints };
    const { text } = file;
    const { symbols, chunks, references } = file.chunked;
    const owners = references.uses.filter(({ name }) => this.#names.has(name));
    const watched = Map.groupBy(owners, ({ name }) => name);
    const uses = [...watched].map(([name, all]) => [
      name,
      countOf(all.map(({ owner }) => symbols[owner]?.qualifiedName ?? "")),
    ]);
    const found = this.#needsLineHashes ? this.#possibleHits(file, chunks) : {};
    return {
      fingerprints,
      lineHashes: this.#needsLineHashes ? lineHashes(text) : undefined,
      watched: uses.length === 0 ? undefined : JSON.stringify(Object.fromEntries(uses)),
      found: Object.keys(found).length === 0 ? undefined : JSON.stringify(found),
    };
  }

  /** Monitor id -> its possible hit. */
  #possibleHits(
    { path, text }: MonitoredFile,
    chunks: ChunkedFile["chunks"],
  ): Readonly<Record<string, PossibleHit>> {
    const shown = maskSecrets(text);
    const lines = shownLines(newLines(text, this.#state.lineHashes(path)), { text, shown });
    const found: Record<string, PossibleHit> = {};
    if (lines.length === 0) return found;
    const all = lines.map((line) => line.text).join("\n");
    for (const [id, pattern] of this.#patterns) {
      const hits = this.#timed(id, () => matchingLines(pattern, all, lines));
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

  /** Runs `run` and adds its time. Undefined when the monitor, or all of them, have used up their time. */
  #timed<T>(id: number, run: () => T): T | undefined {
    const spent = this.#spentMs.get(id) ?? 0;
    if (spent > MAX_MONITOR_MS || this.#allMs > MAX_ALL_MONITORS_MS) return undefined;
    const started = performance.now();
    const result = run();
    const took = performance.now() - started;
    this.#spentMs.set(id, spent + took);
    this.#allMs += took;
    return result;
  }

  readonly match: MatchMonitors = (change, before, now) => {
    const hits: ChangeHit[] = [];
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

const NO_MONITOR_DATA = { lineHashes: undefined, watched: undefined, found: undefined };
const FILES_PER_TRANSACTION = 500;
const NO_LINES = new Uint32Array();

/** Lines that the old version did not have; all lines when the old version is unknown. */
function newLines(text: string, before: Uint32Array = NO_LINES): readonly NewLine[] {
  const old = new Map<number, number>();
  for (const hash of before) old.set(hash, (old.get(hash) ?? 0) + 1);
  const lines: NewLine[] = [];
  eachLine(text, (line, number) => {
    const words = line.trim();
    if (words === "") return;
    const hash = lineHash(words);
    const left = old.get(hash) ?? 0;
    if (left > 0) old.set(hash, left - 1);
    else lines.push({ line: number, print: hash, text: line });
  });
  return lines;
}

/** The same lines with masked secrets, because hits are stored and shown later. */
function shownLines(
  lines: readonly NewLine[],
  { text, shown }: { readonly text: string; readonly shown: string },
): readonly NewLine[] {
  if (shown === text) return lines;
  const texts = shown.split("\n");
  return lines.map((one) => ({ ...one, text: texts[one.line - 1] ?? "" }));
}

/** `all` is the texts of `lines`, joined with newlines. */
function matchingLines(
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
    if (line === undefined || found.length === MAX_LINES_FOUND) break;
    found.push({ ...line, text: line.text.trim().slice(0, MAX_LINE_CHARS) });
  }
  return found;
}

/** Chunks with new lines. Both inputs are sorted by line. */
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

/** Confirms a hit. A moved file was checked as a new one, so the lines of its old path are subtracted. */
function textHit(
  found: PossibleHit | undefined,
  before: MonitoredVersion | undefined,
  isMoved: boolean,
): unknown {
  if (found === undefined) return undefined;
  // A version stored before the monitor was created has no line hashes to compare with.
  if (before !== undefined && before.lineHashes === undefined) return undefined;
  if ("unchecked" in found) return found;
  const old = new Map<number, number>();
  const lines = isMoved ? (before?.lineHashes ?? NO_LINES) : NO_LINES;
  for (const hash of lines) old.set(hash, (old.get(hash) ?? 0) + 1);
  if ("lines" in found) {
    const newHits = found.lines.filter(({ print: hash }) => !takeHash(old, hash));
    const shown = newHits.slice(0, MAX_SHOWN).map(({ line, text }) => ({ line, text }));
    return newHits.length === 0 ? undefined : { count: newHits.length, lines: shown };
  }
  const chunks = found.chunks.filter(({ prints }) => prints.some((hash) => !old.has(hash)));
  const shown = chunks.slice(0, MAX_SHOWN).map(({ startLine, endLine, symbol, score }) => ({
    start_line: startLine,
    end_line: endLine,
    symbol,
    score: Math.round(score * 100) / 100,
  }));
  return chunks.length === 0 ? undefined : { count: chunks.length, chunks: shown };
}

/** Definitions of the name that were added, removed or changed, and users with a different number of uses. */
function symbolHit(
  question: string,
  symbols: readonly SymbolChange[],
  {
    before,
    now,
  }: { readonly before: MonitoredVersion | undefined; readonly now: MonitoredVersion | undefined },
): unknown {
  const definitions = symbols.filter(
    ({ name, oldName }) =>
      matchesSymbolName(question, name) ||
      (oldName !== undefined && matchesSymbolName(question, oldName)),
  );
  const name = unqualifiedName(question);
  const [were, are] = [watchedIn(before?.watched)[name], watchedIn(now?.watched)[name]];
  const uses = were === null || are === null ? [] : useChanges(were ?? {}, are ?? {});
  if (definitions.length + uses.length === 0) return undefined;
  return {
    count: definitions.length + uses.length,
    ...(definitions.length > 0 ? { definitions: definitions.slice(0, MAX_SHOWN) } : {}),
    ...(uses.length > 0 ? { uses: uses.slice(0, MAX_SHOWN) } : {}),
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

/** Takes one occurrence of the hash. False when none is left. */
function takeHash(counts: Map<number, number>, hash: number): boolean {
  const left = counts.get(hash) ?? 0;
  if (left > 0) counts.set(hash, left - 1);
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

function watchedIn(value: unknown): WatchedUses {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `versionOf` or `prepare`
  return (value ?? {}) as WatchedUses;
}

function foundIn(value: unknown): Readonly<Record<string, PossibleHit>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `versionOf`
  return (value ?? {}) as Readonly<Record<string, PossibleHit>>;
}
