// What changed, kept beside the catalogue. A file is told from one complete state to the next: what the journal
// has last told of it stays in `told`, what is complete and not yet told in `fresh`. Telling compares the two and
// puts the one in the place of the other, in one transaction: nothing is told twice, nothing is lost, whenever
// a run is killed.

import { randomUUID } from "node:crypto";

import type { Row, Sql } from "../catalog/catalog-connection.ts";
import {
  detailOf,
  kindOf,
  kindOfChange,
  type ChangeDetail,
  type FileChange,
  type Version,
} from "./change-detail.ts";
import { pairRenames } from "./file-renames.ts";
import { hitsOf, requireWhole } from "./change-row.ts";
import { damagedCatalogue } from "../damage.ts";
import { JOURNAL_VERSION } from "./journal-schema.ts";
import { MetaTable } from "../catalog/meta-table.ts";
import { bytesOfLines, linesFrom, NO_PRINTS, readPrints, writePrints } from "./print-block.ts";
import { rowSum } from "../catalog/row-sum.ts";
import { diffSymbols, type SymbolChange } from "./symbol-diff.ts";
import { ToldFiles } from "./told-files.ts";

/** What a run has seen of a file that is complete. */
export interface Sighting {
  /** As `writePrints` makes them: the names in them are parts of the file's text, which must not be kept. */
  readonly prints: Uint8Array;
  /** Prints of its lines, in order of size; undefined where no monitor asks for them. */
  readonly lines: Uint32Array | undefined;
  /** JSON of what monitors are to know when the file changes next. */
  readonly watched: string | undefined;
  /** JSON of what monitors may have found in it, kept until the change is told. */
  readonly found: string | undefined;
}

/** A change as the journal has it. */
export interface ToldChange extends FileChange {
  /** Its place: later ones have larger numbers. */
  readonly seq: number;
  readonly generation: number;
  readonly atMs: number;
  readonly hits: readonly Hit[];
}

export interface Hit {
  /** The monitor's number. */
  readonly monitor: number;
  readonly detail: unknown;
}

/** What was hit, without what of it. */
export interface HitPlace {
  readonly seq: number;
  /** The monitor's number. */
  readonly monitor: number;
  readonly path: string;
}

/** The changes behind `after`, up to `last`. */
export interface HitRange {
  readonly after: number;
  readonly last: number;
}

/** One version of a file, as far as monitors know it. */
export interface Seen {
  readonly lines: Uint32Array | undefined;
  readonly watched: unknown;
  /** Of the new version only. */
  readonly found: unknown;
}

/** What monitors say to a change. `symbols` are all of them. */
export type Judge = (
  change: FileChange & { readonly symbols: readonly SymbolChange[] },
  before: Seen | undefined,
  now: Seen | undefined,
) => readonly Hit[];

export interface Settlement {
  /** All that feed the namespace now, by number; the path of one is its prefix. */
  readonly sources: ReadonlyMap<number, string>;
  /** Sources that were read as a whole: one that is new is told from now on. */
  readonly whole: ReadonlySet<number>;
  readonly judge: Judge;
}

/** Where the journal stands. */
export interface JournalState {
  /** Of this journal alone: another one knows nothing of its numbers. */
  readonly id: string;
  /** Of the newest change; 0 when there is none. */
  readonly last: number;
  /** Changes up to this one have been forgotten. */
  readonly forgotten: number;
  /** From when on it knows everything. */
  readonly sinceMs: number;
}

/** The oldest changes beyond this go. */
const MOST_CHANGES = 100_000;
const LONGEST_MS = 90 * 24 * 3600 * 1000;

export class Journal {
  readonly #sql: Sql;
  readonly #notes: MetaTable;
  readonly #files: ToldFiles;
  readonly #most: number;

  /** Changes beyond `most` are forgotten. */
  constructor(sql: Sql, most = MOST_CHANGES) {
    this.#sql = sql;
    this.#notes = new MetaTable(sql, "journal");
    this.#files = new ToldFiles(sql);
    this.#most = most;
  }

  /** Writes the first rows of a journal whose tables have just been made. */
  begin(): void {
    this.#set("version", String(JOURNAL_VERSION));
    this.#set("id", randomUUID());
    this.#set("since", String(Date.now()));
  }

  note(key: string): string | undefined {
    return this.#notes.get(key);
  }

  setNote(key: string, value: string): void {
    this.#set(key, value);
  }

  state(): JournalState {
    const newest = this.#sql.get("SELECT max(seq) AS seq FROM change");
    const given = this.#sql.get("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
    const forgotten = Number(this.note("forgotten") ?? 0);
    const last = Math.max(Number(newest?.["seq"] ?? 0), forgotten);
    const [id, since] = [this.note("id"), this.note("since")];
    const isWhole = Number(given?.["seq"] ?? 0) === last && id !== undefined;
    if (!isWhole || since === undefined) throw damagedCatalogue();
    return {
      id,
      last,
      forgotten,
      sinceMs: Number(since),
    };
  }

  /** Of the last change of a generation not above this one. */
  seqAtGeneration(generation: number): number {
    return this.#lastWhere("generation <= ?", generation);
  }

  /** Of the last change before this moment. */
  seqBefore(atMs: number): number {
    return this.#lastWhere("at_ms < ?", atMs);
  }

  #lastWhere(condition: string, value: number): number {
    const row = this.#sql.get(`SELECT max(seq) AS seq FROM change WHERE ${condition}`, value);
    return Math.max(Number(row?.["seq"] ?? 0), this.state().forgotten);
  }

  /** Changes behind `seq`, oldest first, with the hits of these monitors. */
  after(seq: number, limit: number, monitors: readonly number[]): readonly ToldChange[] {
    const rows = this.#sql.all(
      "SELECT * FROM change WHERE seq > ? ORDER BY seq LIMIT ?",
      seq,
      limit,
    );
    return this.#toChanges(rows, monitors, 1);
  }

  /** Changes before `seq`, newest first. */
  before(seq: number, limit: number, monitors: readonly number[]): readonly ToldChange[] {
    const sql = "SELECT * FROM change WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    return this.#toChanges(this.#sql.all(sql, seq, limit), monitors, -1);
  }

  /** Hits of these monitors, oldest first. */
  hitsAfter(
    { after, last }: HitRange,
    limit: number,
    monitors: readonly number[],
  ): readonly HitPlace[] {
    const wanted = new Set(monitors);
    const found: HitPlace[] = [];
    const sql = "SELECT * FROM change WHERE seq > ? AND seq <= ? AND hits <> '[]' ORDER BY seq";
    for (const row of this.#sql.all(sql, after, last)) {
      if (found.length >= limit) break;
      const { seq, path } = requireWhole(row);
      for (const monitor of hitsOf(row)) {
        if (wanted.has(monitor)) found.push({ seq: Number(seq), monitor, path: String(path) });
      }
    }
    return found.slice(0, limit);
  }

  /** Changes are numbered without a gap: where there is one, some are missing. */
  #toChanges(rows: readonly Row[], monitors: readonly number[], step: 1 | -1): ToldChange[] {
    const changes = rows.map((row) => this.#toChange(row, monitors));
    const [first] = changes;
    const isWhole = changes.every(({ seq }, at) => seq === (first?.seq ?? 0) + at * step);
    if (!isWhole) throw damagedCatalogue();
    return changes;
  }

  #toChange(row: Row, monitors: readonly number[]): ToldChange {
    const seq = Number(requireWhole(row)["seq"]);
    const oldPath = row["old_path"];
    return {
      seq,
      generation: Number(row["generation"]),
      atMs: Number(row["at_ms"]),
      kind: kindOf(row["kind"]),
      path: String(row["path"]),
      oldPath: typeof oldPath === "string" ? oldPath : undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what #write put there
      detail: JSON.parse(String(row["detail"])) as ChangeDetail,
      hits: this.#hitsOf(
        seq,
        hitsOf(row).filter((monitor) => monitors.includes(monitor)),
      ),
    };
  }

  #hitsOf(seq: number, monitors: readonly number[]): readonly Hit[] {
    return monitors.map((monitor) => {
      const sql = "SELECT detail, sum FROM hit WHERE monitor = ? AND seq = ?";
      const row = this.#sql.get(sql, monitor, seq);
      const detail = row?.["detail"] ?? "";
      if (rowSum("hit", [monitor, seq, detail]) !== row?.["sum"]) throw damagedCatalogue();
      return { monitor, detail: JSON.parse(String(detail)) };
    });
  }

  /** A file has come to its last stage. Within the transaction that publishes it. */
  see(path: string, { source, hash }: { source: number; hash: string }, seen: Sighting): void {
    const told = this.#files.told(path);
    const isTold = told !== undefined && told.hash === hash;
    const now = {
      path,
      source,
      hash,
      prints: seen.prints,
      lines: bytesOfLines(seen.lines),
      watched: seen.watched ?? null,
    };
    if (!isTold && this.isTold(source)) {
      this.#files.wait(now, seen.found ?? null);
      return;
    }
    this.#sql.run("DELETE FROM fresh WHERE path = ?", path);
    // Of a source that is read for the first time, or the same content that is now cut otherwise.
    if (!isTold || !Buffer.from(told.prints).equals(seen.prints)) this.#files.tell(now);
  }

  /** The content of a file is no longer indexed; one that never was is not told. */
  seeUnread(path: string, source: number): void {
    if (!this.#knows(path)) return;
    this.see(path, { source, hash: "" }, NOTHING_SEEN);
  }

  /** A file is gone. */
  seeGone(path: string): void {
    const told = this.#files.told(path);
    if (told === undefined) this.#sql.run("DELETE FROM fresh WHERE path = ?", path);
    else if (this.isTold(told.source)) {
      const { source } = told;
      this.#files.wait({ path, source, hash: null, prints: NO_BYTES, ...NOTHING_KEPT }, null);
    } else this.#sql.run("DELETE FROM told WHERE path = ?", path);
  }

  #knows(path: string): boolean {
    const sql = "SELECT 1 FROM told WHERE path = ?1 UNION ALL SELECT 1 FROM fresh WHERE path = ?1";
    return this.#sql.get(sql, path) !== undefined;
  }

  /** Whether changes of a source are told; not before it has been read as a whole. */
  isTold(source: number): boolean {
    return this.#sql.get("SELECT 1 FROM told_source WHERE source = ?", source) !== undefined;
  }

  /** Whether `settle` would write anything. */
  isUnsettled({ whole }: Settlement): boolean {
    return this.hasUntold() || [...whole].some((source) => !this.isTold(source));
  }

  hasUntold(): boolean {
    return this.#sql.get("SELECT 1 FROM fresh LIMIT 1") !== undefined;
  }

  /** Tells what waits. Within a transaction, under the generation that is published with it. */
  settle(generation: number, { sources, whole, judge }: Settlement): void {
    const atMs = Date.now();
    const tell = (change: FileChange, hits: readonly Hit[]): void =>
      this.#write({ generation, atMs }, change, hits);
    for (const [source, prefix] of sources) {
      if (!whole.has(source) || this.isTold(source)) continue;
      const sum = rowSum("told_source", [source, prefix]);
      this.#sql.run("INSERT INTO told_source VALUES (?, ?, ?)", source, prefix, sum);
      const files = this.#count("SELECT count(*) AS n FROM told WHERE source = ?", source);
      tell({ kind: "indexed", path: prefix, oldPath: undefined, detail: { files } }, []);
    }
    this.#tellLost(sources, tell);
    this.#tellFiles(tell, judge);
    this.#files.settle();
    this.#forget(atMs);
  }

  /** Files of a source that no longer feeds the namespace are one change. */
  #tellLost(
    sources: ReadonlyMap<number, string>,
    tell: (change: FileChange, hits: readonly Hit[]) => void,
  ): void {
    const lost = this.#sql.all(
      `SELECT source, prefix, count(*) AS files FROM fresh JOIN told_source USING (source)
       WHERE hash IS NULL GROUP BY source`,
    );
    for (const { source, files, prefix } of lost) {
      if (sources.has(Number(source))) continue;
      const detail = { files: Number(files) };
      tell({ kind: "unindexed", path: String(prefix), oldPath: undefined, detail }, []);
      this.#sql.run(
        "DELETE FROM told WHERE path IN (SELECT path FROM fresh WHERE hash IS NULL AND source = ?)",
        Number(source),
      );
      this.#sql.run("DELETE FROM fresh WHERE hash IS NULL AND source = ?", Number(source));
      this.#sql.run("DELETE FROM told_source WHERE source = ?", Number(source));
    }
  }

  #tellFiles(tell: (change: FileChange, hits: readonly Hit[]) => void, judge: Judge): void {
    const rows = this.#sql.all(
      `SELECT fresh.path, fresh.hash, told.hash AS old_hash FROM fresh LEFT JOIN told USING (path)
       ORDER BY fresh.path`,
    );
    const states = rows.map(({ path, hash, old_hash: oldHash }) => ({
      path: String(path),
      hash: typeof hash === "string" ? hash : undefined,
      oldHash: typeof oldHash === "string" ? oldHash : undefined,
    }));
    const renamed = pairRenames(states, (table, path) =>
      readPrints(this.#files[table](path)?.prints ?? NO_BYTES),
    );
    const moved = new Set(renamed.values());
    for (const { path, hash, oldHash } of states) {
      if (hash === undefined && moved.has(path)) continue;
      const oldPath = renamed.get(path);
      const before = this.#version("told", oldPath ?? path);
      const now = hash === undefined ? undefined : this.#version("fresh", path);
      const kind = kindOfChange({ hash, oldHash, isMoved: oldPath !== undefined });
      const symbols = diffSymbols(before?.prints.symbols ?? [], now?.prints.symbols ?? []);
      const detail = detailOf({ kind, symbols, before, now });
      const change = { kind, path, oldPath, detail };
      tell(change, judge({ ...change, symbols }, before, now));
    }
  }

  #version(table: "told" | "fresh", path: string): (Seen & Version) | undefined {
    const file = table === "told" ? this.#files.told(path) : this.#files.fresh(path);
    if (file === undefined) return undefined;
    const { hash, prints, lines, watched } = file;
    const found = "found" in file ? file.found : null;
    return {
      hash: String(hash),
      prints: readPrints(prints),
      lines: lines === null ? undefined : linesFrom(lines),
      watched: watched === null ? undefined : JSON.parse(watched),
      found: typeof found === "string" ? JSON.parse(found) : undefined,
    };
  }

  #write(
    { generation, atMs }: { generation: number; atMs: number },
    { kind, path, oldPath, detail }: FileChange,
    hits: readonly Hit[],
  ): void {
    const last = this.#sql.get("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
    const seq = Number(last?.["seq"] ?? 0) + 1;
    const monitors = JSON.stringify(hits.map(({ monitor }) => monitor).toSorted((a, b) => a - b));
    const values = [
      generation,
      atMs,
      kind,
      path,
      oldPath ?? null,
      JSON.stringify(detail),
      monitors,
    ];
    const sum = rowSum("change", [seq, ...values]);
    this.#sql.run("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", seq, ...values, sum);
    for (const { monitor, detail: hit } of hits) {
      const text = JSON.stringify(hit);
      const hitSum = rowSum("hit", [monitor, seq, text]);
      this.#sql.run("INSERT INTO hit VALUES (?, ?, ?, ?)", monitor, seq, text, hitSum);
    }
  }

  #forget(atMs: number): void {
    const { last } = this.state();
    const old = this.#sql.get(
      "SELECT max(seq) AS seq FROM change WHERE at_ms < ?",
      atMs - LONGEST_MS,
    );
    const until = Math.max(last - this.#most, Number(old?.["seq"] ?? 0));
    if (until <= Number(this.note("forgotten") ?? 0)) return;
    const newest = this.#sql.get(
      "SELECT at_ms FROM change WHERE seq <= ? ORDER BY seq DESC",
      until,
    );
    this.#sql.run("DELETE FROM change WHERE seq <= ?", until);
    this.#sql.run("DELETE FROM hit WHERE seq <= ?", until);
    this.#set("forgotten", String(until));
    // What came in the same moment may be among the forgotten.
    this.#set("since", String(Number(newest?.["at_ms"] ?? atMs) + 1));
  }

  /** Files whose lines have no prints yet, with the hash of the content that they must be of. */
  withoutLines(): readonly { readonly path: string; readonly hash: string }[] {
    return this.#files.toldWith("no lines").map(({ path, hash }) => ({ path, hash: String(hash) }));
  }

  lines(path: string): Uint32Array | undefined {
    const lines = this.#files.told(path)?.lines ?? null;
    return lines === null ? undefined : linesFrom(lines);
  }

  setLines(path: string, lines: Uint32Array): void {
    const told = this.#files.told(path);
    if (told !== undefined) this.#files.tell({ ...told, lines: bytesOfLines(lines) });
  }

  dropLines(): void {
    for (const told of this.#files.toldWith("lines")) this.#files.tell({ ...told, lines: null });
  }

  watched(path: string): unknown {
    const watched = this.#files.told(path)?.watched ?? null;
    return watched === null ? undefined : JSON.parse(watched);
  }

  setWatched(path: string, value: unknown): void {
    const told = this.#files.told(path);
    if (told !== undefined)
      this.#files.tell({ ...told, watched: value === undefined ? null : JSON.stringify(value) });
  }

  /** Files that are told and whose content in the index is another, or not complete. */
  unlikeTold(): readonly string[] {
    return this.#sql
      .all(
        `SELECT told.path FROM told LEFT JOIN file USING (path)
         WHERE told.hash <> '' AND (file.path IS NULL OR file.stage <> 2 OR file.hash <> told.hash)`,
      )
      .map(({ path }) => String(path));
  }

  /** Monitors that are no more: their hits go. */
  keepHitsOf(monitors: readonly number[]): void {
    const kept = new Set(monitors);
    for (const { monitor } of this.#sql.all("SELECT DISTINCT monitor FROM hit")) {
      if (kept.has(Number(monitor))) continue;
      this.#sql.run("DELETE FROM hit WHERE monitor = ?", Number(monitor));
    }
  }

  /** Whether every row is right, and no change is missing. */
  isSound(): boolean {
    const { last, forgotten } = this.state();
    const changes = this.after(0, Number.MAX_SAFE_INTEGER, []);
    for (const { monitor, seq } of this.#sql.all("SELECT monitor, seq FROM hit")) {
      this.#hitsOf(Number(seq), [Number(monitor)]);
    }
    for (const { source, prefix, sum } of this.#sql.all("SELECT * FROM told_source")) {
      if (rowSum("told_source", [source ?? null, prefix ?? null]) !== sum) return false;
    }
    return this.#notes.isSound() && this.#files.isSound() && changes.length === last - forgotten;
  }

  #count(sql: string, value: number): number {
    return Number(this.#sql.get(sql, value)?.["n"] ?? 0);
  }

  #set(key: string, value: string): void {
    this.#notes.set(key, value);
  }
}

const NO_BYTES = new Uint8Array();
const NOTHING_KEPT = { lines: null, watched: null };
const NOTHING_SEEN: Sighting = {
  prints: writePrints(NO_PRINTS),
  lines: undefined,
  watched: undefined,
  found: undefined,
};
