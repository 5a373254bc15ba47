// The change log, stored in the catalogue's database. It reports a file's changes from one complete state to
// the next: `told` has the baseline, the state last reported, and `fresh` the pending state. A flush compares
// the two and makes the pending state the baseline, in one transaction. So no change is reported twice or lost,
// even if a run is killed.

import { randomUUID } from "node:crypto";

import type { SqlRow, SqlStatements } from "../catalog/catalog-connection.ts";
import {
  detailOf,
  changeKindOf,
  classifyChange,
  type ChangeDetail,
  type FileChange,
  type ContentVersion,
} from "./change-detail.ts";
import { pairRenames } from "./file-renames.ts";
import { hitMonitorsOf, requireValidRow } from "./change-row.ts";
import { damagedCatalog } from "../damage.ts";
import { CHANGE_LOG_VERSION } from "./change-log-schema.ts";
import { MetaTable } from "../catalog/meta-table.ts";
import {
  encodeLineHashes,
  decodeLineHashes,
  NO_FINGERPRINTS,
  readFingerprints,
  writeFingerprints,
} from "./fingerprint-block.ts";
import { rowSum } from "../../base/row-sum.ts";
import { diffSymbols } from "./symbol-diff.ts";
import { BaselineFiles } from "./baseline-files.ts";
import type {
  ChangeEvent,
  ChangeHit,
  ChangeLogState,
  FileVersion,
  FlushPlan,
  HitPlace,
  HitRange,
  MatchMonitors,
  MonitoredVersion,
} from "./change-event.ts";

/** Older changes beyond this number are deleted. */
const MAX_CHANGES = 100_000;
const MAX_AGE_MS = 90 * 24 * 3600 * 1000;

/** The change log of a catalogue. Methods throw IndexDamage for damaged or missing rows. */
export class ChangeLog {
  readonly #sql: SqlStatements;
  readonly #notes: MetaTable;
  readonly #files: BaselineFiles;
  readonly #maxChanges: number;

  /** Changes beyond `maxChanges` are deleted. */
  constructor(sql: SqlStatements, maxChanges = MAX_CHANGES) {
    this.#sql = sql;
    this.#notes = new MetaTable(sql, "journal");
    this.#files = new BaselineFiles(sql);
    this.#maxChanges = maxChanges;
  }

  /** Writes the first rows of a new change log. */
  begin(): void {
    this.#set("version", String(CHANGE_LOG_VERSION));
    this.#set("id", randomUUID());
    this.#set("since", String(Date.now()));
  }

  note(key: string): string | undefined {
    return this.#notes.get(key);
  }

  setNote(key: string, value: string): void {
    this.#set(key, value);
  }

  state(): ChangeLogState {
    const newest = this.#sql.get("SELECT max(seq) AS seq FROM change");
    const given = this.#sql.get("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
    const forgotten = Number(this.note("forgotten") ?? 0);
    const last = Math.max(Number(newest?.["seq"] ?? 0), forgotten);
    const [id, since] = [this.note("id"), this.note("since")];
    const isConsistent = Number(given?.["seq"] ?? 0) === last && id !== undefined;
    if (!isConsistent || since === undefined) throw damagedCatalog();
    return {
      id,
      last,
      forgotten,
      sinceMs: Number(since),
    };
  }

  /** The sequence number of the last change up to this generation. */
  seqAtGeneration(generation: number): number {
    return this.#lastWhere("generation <= ?", generation);
  }

  /** The sequence number of the last change before this time. */
  seqBefore(atMs: number): number {
    return this.#lastWhere("at_ms < ?", atMs);
  }

  #lastWhere(condition: string, value: number): number {
    const row = this.#sql.get(`SELECT max(seq) AS seq FROM change WHERE ${condition}`, value);
    return Math.max(Number(row?.["seq"] ?? 0), this.state().forgotten);
  }

  /** Returns changes after `seq`, oldest first, with the hits of these monitors. */
  after(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    const rows = this.#sql.all(
      "SELECT * FROM change WHERE seq > ? ORDER BY seq LIMIT ?",
      seq,
      limit,
    );
    return this.#toChanges(rows, monitors, 1);
  }

  /** Returns changes before `seq`, newest first, with the hits of these monitors. */
  before(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    const sql = "SELECT * FROM change WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    return this.#toChanges(this.#sql.all(sql, seq, limit), monitors, -1);
  }

  /** Returns hits of these monitors in a range, oldest first. */
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
      const { seq, path } = requireValidRow(row);
      for (const monitor of hitMonitorsOf(row)) {
        if (wanted.has(monitor)) found.push({ seq: Number(seq), monitor, path: String(path) });
      }
    }
    return found.slice(0, limit);
  }

  /** Sequence numbers have no gaps, so a gap means missing changes. */
  #toChanges(rows: readonly SqlRow[], monitors: readonly number[], step: 1 | -1): ChangeEvent[] {
    const changes = rows.map((row) => this.#toChange(row, monitors));
    const [first] = changes;
    const isContiguous = changes.every(({ seq }, at) => seq === (first?.seq ?? 0) + at * step);
    if (!isContiguous) throw damagedCatalog();
    return changes;
  }

  #toChange(row: SqlRow, monitors: readonly number[]): ChangeEvent {
    const seq = Number(requireValidRow(row)["seq"]);
    const oldPath = row["old_path"];
    return {
      seq,
      generation: Number(row["generation"]),
      atMs: Number(row["at_ms"]),
      kind: changeKindOf(row["kind"]),
      path: String(row["path"]),
      oldPath: typeof oldPath === "string" ? oldPath : undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what #write put there
      detail: JSON.parse(String(row["detail"])) as ChangeDetail,
      hits: this.#hitsOf(
        seq,
        hitMonitorsOf(row).filter((monitor) => monitors.includes(monitor)),
      ),
    };
  }

  #hitsOf(seq: number, monitors: readonly number[]): readonly ChangeHit[] {
    return monitors.map((monitor) => {
      const sql = "SELECT detail, sum FROM hit WHERE monitor = ? AND seq = ?";
      const row = this.#sql.get(sql, monitor, seq);
      const detail = row?.["detail"] ?? "";
      if (rowSum("hit", [monitor, seq, detail]) !== row?.["sum"]) throw damagedCatalog();
      return { monitor, detail: JSON.parse(String(detail)) };
    });
  }

  /** Records a complete file, within the transaction that publishes it. */
  recordVersion(
    path: string,
    { source, hash }: { source: number; hash: string },
    version: FileVersion,
  ): void {
    const baseline = this.#files.baseline(path);
    const isBaseline = baseline !== undefined && baseline.hash === hash;
    const now = {
      path,
      source,
      hash,
      fingerprints: version.fingerprints,
      lineHashes: encodeLineHashes(version.lineHashes),
      watched: version.watched ?? null,
    };
    if (!isBaseline && this.hasBaseline(source)) {
      this.#files.setPending(now, version.found ?? null);
      return;
    }
    this.#sql.run("DELETE FROM fresh WHERE path = ?", path);
    // A new source's file, or the same content with other fingerprints, becomes the baseline at once.
    if (!isBaseline || !Buffer.from(baseline.fingerprints).equals(version.fingerprints))
      this.#files.setBaseline(now);
  }

  /** Records that the content of a file is no longer indexed. A file that never was indexed is not reported. */
  recordSkipped(path: string, source: number): void {
    if (!this.#isKnown(path)) return;
    this.recordVersion(path, { source, hash: "" }, EMPTY_VERSION);
  }

  /** Records that a file was removed. */
  recordRemoval(path: string): void {
    const baseline = this.#files.baseline(path);
    if (baseline === undefined) this.#sql.run("DELETE FROM fresh WHERE path = ?", path);
    else if (this.hasBaseline(baseline.source)) {
      const { source } = baseline;
      this.#files.setPending(
        { path, source, hash: null, fingerprints: NO_BYTES, ...NO_MONITOR_DATA },
        null,
      );
    } else this.#sql.run("DELETE FROM told WHERE path = ?", path);
  }

  #isKnown(path: string): boolean {
    const sql = "SELECT 1 FROM told WHERE path = ?1 UNION ALL SELECT 1 FROM fresh WHERE path = ?1";
    return this.#sql.get(sql, path) !== undefined;
  }

  /** Whether changes of a source are reported, which begins after its first complete read. */
  hasBaseline(source: number): boolean {
    return this.#sql.get("SELECT 1 FROM told_source WHERE source = ?", source) !== undefined;
  }

  /** Whether `flushPending` would write anything. */
  needsFlush({ completeSources }: FlushPlan): boolean {
    return this.hasPending() || [...completeSources].some((source) => !this.hasBaseline(source));
  }

  hasPending(): boolean {
    return this.#sql.get("SELECT 1 FROM fresh LIMIT 1") !== undefined;
  }

  /** Writes the pending changes to the log, within a transaction, under the generation published with it. */
  flushPending(generation: number, { sources, completeSources, match }: FlushPlan): void {
    const atMs = Date.now();
    const emit = (change: FileChange, hits: readonly ChangeHit[]): void =>
      this.#write({ generation, atMs }, change, hits);
    for (const [source, prefix] of sources) {
      if (!completeSources.has(source) || this.hasBaseline(source)) continue;
      const sum = rowSum("told_source", [source, prefix]);
      this.#sql.run("INSERT INTO told_source VALUES (?, ?, ?)", source, prefix, sum);
      const files = this.#count("SELECT count(*) AS n FROM told WHERE source = ?", source);
      emit({ kind: "indexed", path: prefix, oldPath: undefined, detail: { files } }, []);
    }
    this.#emitLostSources(sources, emit);
    this.#emitFileChanges(emit, match);
    this.#files.promotePending();
    this.#deleteOld(atMs);
  }

  /** Reports the removed files of a source that no longer belongs to the namespace as one change. */
  #emitLostSources(
    sources: ReadonlyMap<number, string>,
    emit: (change: FileChange, hits: readonly ChangeHit[]) => void,
  ): void {
    const lost = this.#sql.all(
      `SELECT source, prefix, count(*) AS files FROM fresh JOIN told_source USING (source)
       WHERE hash IS NULL GROUP BY source`,
    );
    for (const { source, files, prefix } of lost) {
      if (sources.has(Number(source))) continue;
      const detail = { files: Number(files) };
      emit({ kind: "unindexed", path: String(prefix), oldPath: undefined, detail }, []);
      this.#sql.run(
        "DELETE FROM told WHERE path IN (SELECT path FROM fresh WHERE hash IS NULL AND source = ?)",
        Number(source),
      );
      this.#sql.run("DELETE FROM fresh WHERE hash IS NULL AND source = ?", Number(source));
      this.#sql.run("DELETE FROM told_source WHERE source = ?", Number(source));
    }
  }

  #emitFileChanges(
    emit: (change: FileChange, hits: readonly ChangeHit[]) => void,
    match: MatchMonitors,
  ): void {
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
      readFingerprints(this.#files[table](path)?.fingerprints ?? NO_BYTES),
    );
    const moved = new Set(renamed.values());
    for (const { path, hash, oldHash } of states) {
      if (hash === undefined && moved.has(path)) continue;
      const oldPath = renamed.get(path);
      const before = this.#version("baseline", oldPath ?? path);
      const now = hash === undefined ? undefined : this.#version("pending", path);
      const kind = classifyChange({ hash, oldHash, isMoved: oldPath !== undefined });
      const symbols = diffSymbols(
        before?.fingerprints.symbols ?? [],
        now?.fingerprints.symbols ?? [],
      );
      const detail = detailOf({ kind, symbols, before, now });
      const change = { kind, path, oldPath, detail };
      emit(change, match({ ...change, symbols }, before, now));
    }
  }

  #version(
    table: "baseline" | "pending",
    path: string,
  ): (MonitoredVersion & ContentVersion) | undefined {
    const file = table === "baseline" ? this.#files.baseline(path) : this.#files.pending(path);
    if (file === undefined) return undefined;
    const { hash, fingerprints, lineHashes, watched } = file;
    const found = "found" in file ? file.found : null;
    return {
      hash: String(hash),
      fingerprints: readFingerprints(fingerprints),
      lineHashes: lineHashes === null ? undefined : decodeLineHashes(lineHashes),
      watched: watched === null ? undefined : JSON.parse(watched),
      found: typeof found === "string" ? JSON.parse(found) : undefined,
    };
  }

  #write(
    { generation, atMs }: { generation: number; atMs: number },
    { kind, path, oldPath, detail }: FileChange,
    hits: readonly ChangeHit[],
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

  #deleteOld(atMs: number): void {
    const { last } = this.state();
    const old = this.#sql.get(
      "SELECT max(seq) AS seq FROM change WHERE at_ms < ?",
      atMs - MAX_AGE_MS,
    );
    const until = Math.max(last - this.#maxChanges, Number(old?.["seq"] ?? 0));
    if (until <= Number(this.note("forgotten") ?? 0)) return;
    const newest = this.#sql.get(
      "SELECT at_ms FROM change WHERE seq <= ? ORDER BY seq DESC",
      until,
    );
    this.#sql.run("DELETE FROM change WHERE seq <= ?", until);
    this.#sql.run("DELETE FROM hit WHERE seq <= ?", until);
    this.#set("forgotten", String(until));
    // Some changes of the same millisecond may have been deleted.
    this.#set("since", String(Number(newest?.["at_ms"] ?? atMs) + 1));
  }

  /** Returns files without line hashes, with the hash of the content that they must be computed from. */
  withoutLineHashes(): readonly { readonly path: string; readonly hash: string }[] {
    return this.#files
      .baselineWith("no lines")
      .map(({ path, hash }) => ({ path, hash: String(hash) }));
  }

  lineHashes(path: string): Uint32Array | undefined {
    const lines = this.#files.baseline(path)?.lineHashes ?? null;
    return lines === null ? undefined : decodeLineHashes(lines);
  }

  setLineHashes(path: string, hashes: Uint32Array): void {
    const baseline = this.#files.baseline(path);
    if (baseline !== undefined)
      this.#files.setBaseline({ ...baseline, lineHashes: encodeLineHashes(hashes) });
  }

  dropLineHashes(): void {
    for (const baseline of this.#files.baselineWith("lines"))
      this.#files.setBaseline({ ...baseline, lineHashes: null });
  }

  watched(path: string): unknown {
    const watched = this.#files.baseline(path)?.watched ?? null;
    return watched === null ? undefined : JSON.parse(watched);
  }

  setWatched(path: string, value: unknown): void {
    const baseline = this.#files.baseline(path);
    if (baseline !== undefined)
      this.#files.setBaseline({
        ...baseline,
        watched: value === undefined ? null : JSON.stringify(value),
      });
  }

  /** Returns files with a baseline whose indexed content differs or is not complete. */
  changedSinceBaseline(): readonly string[] {
    return this.#sql
      .all(
        `SELECT told.path FROM told LEFT JOIN file USING (path)
         WHERE told.hash <> '' AND (file.path IS NULL OR file.stage <> 2 OR file.hash <> told.hash)`,
      )
      .map(({ path }) => String(path));
  }

  /** Deletes the hits of all other monitors. */
  deleteHitsExcept(monitors: readonly number[]): void {
    const keptIds = new Set(monitors);
    for (const { monitor } of this.#sql.all("SELECT DISTINCT monitor FROM hit")) {
      if (keptIds.has(Number(monitor))) continue;
      this.#sql.run("DELETE FROM hit WHERE monitor = ?", Number(monitor));
    }
  }

  /** Whether every row is right and no change is missing. */
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
const NO_MONITOR_DATA = { lineHashes: null, watched: null };
const EMPTY_VERSION: FileVersion = {
  fingerprints: writeFingerprints(NO_FINGERPRINTS),
  lineHashes: undefined,
  watched: undefined,
  found: undefined,
};
