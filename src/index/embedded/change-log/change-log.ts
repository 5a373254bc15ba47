// The change log, stored in the catalogue's database. It reports a file's changes from one complete state to
// the next: `baseline` has the baseline, the state last reported, and `pending` the pending state. The rules of
// src/index/change-log decide what is recorded and reported.

import { randomUUID } from "node:crypto";

import type { SqlStatements } from "../catalog/catalog-connection.ts";
import type {
  ChangeLogStore,
  LostSource,
  NewChange,
  PendingFile,
  PendingState,
  RecordedFile,
} from "../../change-log/change-log-store.ts";
import { damagedCatalog } from "../../damage.ts";
import { CHANGE_LOG_VERSION } from "./change-log-schema.ts";
import { MetaTable } from "../catalog/meta-table.ts";
import { flushChanges, needsFlush } from "../../change-log/flush-changes.ts";
import {
  lineHashesOf,
  setLineHashes,
  setWatched,
  watchedOf,
} from "../../change-log/monitored-baselines.ts";
import { BaselineFiles, type ReadFingerprints } from "./baseline-files.ts";
import { ChangeTable } from "./change-table.ts";
import { ReportedSources } from "./reported-sources.ts";
import type {
  ChangeEvent,
  ChangeLogState,
  FlushPlan,
  HitPlace,
  HitRange,
} from "../../change-log/change-event.ts";

/** The change log of a catalogue. Methods throw IndexDamage for damaged or missing rows. */
export class ChangeLog implements ChangeLogStore {
  readonly #sql: SqlStatements;
  readonly #notes: MetaTable;
  readonly #files: BaselineFiles;
  readonly #sources: ReportedSources;
  readonly #changes: ChangeTable;
  readonly #maxChanges: number | undefined;

  /** Changes beyond `maxChanges` are deleted; by default those beyond the limit of flush-changes.ts. */
  constructor(sql: SqlStatements, maxChanges?: number) {
    this.#sql = sql;
    this.#notes = new MetaTable(sql, "journal");
    this.#files = new BaselineFiles(sql);
    this.#sources = new ReportedSources(sql);
    this.#changes = new ChangeTable(sql);
    this.#maxChanges = maxChanges;
  }

  /** Writes the first rows of a new change log. */
  begin(): void {
    this.setNote("version", String(CHANGE_LOG_VERSION));
    this.setNote("id", randomUUID());
    this.setNote("since", String(Date.now()));
  }

  note(key: string): string | undefined {
    return this.#notes.get(key);
  }

  readonly setNote = (key: string, value: string): void => {
    this.#notes.set(key, value);
  };

  readonly state = (): ChangeLogState => {
    const forgotten = Number(this.note("forgotten") ?? 0);
    const last = Math.max(this.#changes.newest, forgotten);
    const [id, since] = [this.note("id"), this.note("since")];
    const isConsistent = this.#changes.lastGiven === last && id !== undefined;
    if (!isConsistent || since === undefined) throw damagedCatalog();
    return { id, last, forgotten, sinceMs: Number(since) };
  };

  /** The sequence number of the last change up to this generation. */
  seqAtGeneration(generation: number): number {
    return Math.max(this.#changes.newestAtGeneration(generation), this.state().forgotten);
  }

  /** The sequence number of the last change before this time. */
  seqBefore(atMs: number): number {
    return Math.max(this.#changes.newestBefore(atMs), this.state().forgotten);
  }

  /** Returns changes after `seq`, oldest first, with the hits of these monitors. */
  after(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    return this.#changes.after(seq, limit, monitors);
  }

  /** Returns changes before `seq`, newest first, with the hits of these monitors. */
  before(seq: number, limit: number, monitors: readonly number[]): readonly ChangeEvent[] {
    return this.#changes.before(seq, limit, monitors);
  }

  /** Returns hits of these monitors in a range, oldest first. */
  hitsAfter(range: HitRange, limit: number, monitors: readonly number[]): readonly HitPlace[] {
    return this.#changes.hitsAfter(range, limit, monitors);
  }

  /** Whether `flushPending` would write anything. */
  needsFlush(plan: FlushPlan): boolean {
    return needsFlush(this, plan);
  }

  /** Writes the pending changes to the log, within a transaction, under the generation published with it. */
  flushPending(generation: number, plan: FlushPlan): void {
    const maxChanges = this.#maxChanges;
    flushChanges(this, plan, { generation, atMs: Date.now(), maxChanges });
  }

  /** What is recorded of the newest content of files, by path, for those whose segments may not have it: see BaselineFiles. */
  recorded(): ReadonlyMap<string, RecordedFile> {
    const pending = this.#files.pendingStates().flatMap(({ path }) => this.pending(path) ?? []);
    return new Map([...this.#files.rows(), ...pending].map((file) => [file.path, file]));
  }

  /** Sets how the fingerprints of indexed files are read. */
  readFrom(read: ReadFingerprints): void {
    this.#files.readFingerprints = read;
  }

  /** The encoded fingerprints of a file of a segment: see `ReadFingerprints`. */
  indexedFingerprints(segment: number, ordinal: number): Uint8Array | undefined {
    return this.#files.readFingerprints(segment, ordinal);
  }

  /** See `BaselineFiles.keepBaseline`. */
  keepBaseline(path: string, next?: string): void {
    this.#files.keepBaseline(path, next);
  }

  /** Call before the tables of files and segments are dropped, or their files become incomplete. */
  keepBaselines(): void {
    this.#files.keepAll();
  }

  readonly baseline = (path: string): RecordedFile | undefined => this.#files.baseline(path);
  readonly pending = (path: string): PendingFile | undefined => this.#files.pending(path);
  readonly setBaseline = (file: RecordedFile): void => this.#files.setBaseline(file);

  readonly setIndexedBaseline = (file: RecordedFile): void => {
    if (file.lineHashes === null && file.watched === null) this.#files.removeBaseline(file.path);
    else this.#files.setBaseline(file);
  };

  readonly removeBaseline = (path: string): void => this.#files.removeBaseline(path);
  readonly setPending = (file: PendingFile): void => this.#files.setPending(file);
  readonly removePending = (path: string): void => this.#files.removePending(path);
  readonly hasPending = (): boolean => this.#files.hasPending();
  readonly pendingStates = (): readonly PendingState[] => this.#files.pendingStates();
  readonly promotePending = (): void => this.#files.promotePending();
  readonly isReported = (source: number): boolean => this.#sources.has(source);
  readonly beginReporting = (source: number, prefix: string): number =>
    this.#sources.add(source, prefix);
  readonly sourcesWithRemovals = (): readonly LostSource[] => this.#sources.withRemovals();
  readonly endReporting = (source: number): void => this.#sources.remove(source);
  readonly append = (change: NewChange): void => this.#changes.append(change);
  readonly newestBefore = (atMs: number): number => this.#changes.newestBefore(atMs);

  readonly forget = (until: number): void => {
    const newestMs = this.#changes.deleteUpTo(until);
    this.setNote("forgotten", String(until));
    // Some changes of the same millisecond may have been deleted.
    if (newestMs !== undefined) this.setNote("since", String(newestMs + 1));
  };

  /** Returns files without line hashes, with the hash of the content that they must be computed from. */
  withoutLineHashes(): readonly { readonly path: string; readonly hash: string }[] {
    return this.#files.withoutLines().map(({ path, hash }) => ({ path, hash: String(hash) }));
  }

  lineHashes(path: string): Uint32Array | undefined {
    return lineHashesOf(this, path);
  }

  readonly setLineHashes = (path: string, hashes: Uint32Array): void => {
    setLineHashes(this, path, hashes);
  };

  readonly dropLineHashes = (): void => {
    for (const { path } of this.#files.withLines()) this.#files.dropLines(path);
  };

  watched(path: string): unknown {
    return watchedOf(this, path);
  }

  readonly setWatched = (path: string, value: unknown): void => {
    setWatched(this, path, value);
  };

  /** Returns files with a baseline whose indexed content differs or is not complete. */
  changedSinceBaseline(): readonly string[] {
    return this.#sql
      .all(
        `SELECT baseline.path FROM baseline LEFT JOIN file USING (path)
         WHERE baseline.hash <> ''
           AND (file.path IS NULL OR file.stage <> 2 OR file.hash <> baseline.hash)`,
      )
      .map(({ path }) => String(path));
  }

  /** Gives the sources other numbers. */
  renumberSources(numbers: ReadonlyMap<number, number>): void {
    this.#files.renumberSources(numbers);
    this.#sources.renumber(numbers);
  }

  /** Deletes the hits of all other monitors. */
  readonly deleteHitsExcept = (monitors: readonly number[]): void => {
    this.#changes.deleteHitsExcept(monitors);
  };

  /** Whether every row is right and no change is missing. */
  isSound(): boolean {
    const { last, forgotten } = this.state();
    const entries = this.#changes.verify();
    if (!this.#sources.isSound()) return false;
    return this.#notes.isSound() && this.#files.isSound() && entries === last - forgotten;
  }
}
