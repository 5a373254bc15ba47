// One indexing run of a namespace: scan the sources, read what changed, publish the next generation.
// Runs in a worker thread, so that the process answers meanwhile.

import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync } from "node:fs";

import { chunkFile } from "../chunk/chunk.ts";
import type { Grammars } from "../chunk/syntax.ts";
import { createTokenizer } from "../chunk/words.ts";
import { Catalog, type FileRow, type SegmentRow } from "../index/catalog.ts";
import { SegmentWriter } from "../index/segment-writer.ts";
import { diskStorage } from "../index/storage-disk.ts";
import type { Storage } from "../index/storage.ts";
import { takeWriterLock } from "../index/writer-lock.ts";
import { readOpenText } from "../scan/read-text.ts";
import { walk, type FileRecord } from "../scan/walk.ts";
import { openInside } from "../sources/folder.ts";
import type { Source } from "../sources/registry.ts";
import { fileFacts } from "./file-facts.ts";
import { indexLayout } from "./layout.ts";

export interface IndexJob {
  readonly dataDirectory: string;
  readonly namespace: string;
  readonly sources: readonly Source[];
  /** Reads everything again, whatever the catalogue says. */
  readonly rebuild: boolean;
  /** How long to wait for another process that is writing to the namespace. */
  readonly waitMs: number;
}

export type IndexStage = "scan" | "read" | "publish";

export interface IndexProgress {
  readonly stage: IndexStage;
  readonly done: number;
  readonly total: number;
}

export interface IndexReport {
  /** `busy`: another process was writing and nothing was done. */
  readonly outcome: "done" | "busy";
  readonly generation: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly warnings: readonly string[];
  readonly elapsedMs: number;
}

interface IndexHooks {
  /** Grammars cost some milliseconds to start, so they are asked for only when something is read. */
  readonly grammars: () => Promise<Grammars>;
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** Files above this are listed, not read: generated data, nearly always. */
const MAX_FILE_BYTES = 1 << 20;
/** A segment is closed at this many entries, about 100 MB of memory; searches see it at once. */
const POSTINGS_PER_SEGMENT = 6_000_000;
/** With more small segments than this they are read again into one: each costs every question a look. */
const MAX_SMALL_SEGMENTS = 8;
/** A segment is small below so many live files, or below a quarter of the largest one's. */
const SMALL_FILES = 64;
/** Files written this shortly before they were read may change again within the same timestamp. */
const RACY_NS = 2_000_000_000n;
const LOCK_TURN_MS = 200;
/** Reasons that lie in the content of a file: they hold until it changes. */
const CONTENT_REASONS: ReadonlySet<string> = new Set(["binary", "encoding", "minified"]);

export async function runIndexJob(job: IndexJob, hooks: IndexHooks): Promise<IndexReport> {
  const started = performance.now();
  const layout = indexLayout(job.dataDirectory, job.namespace);
  mkdirSync(layout.segments, { recursive: true, mode: 0o700 });
  const release = await waitForLock(layout.writerLock, job.waitMs);
  if (release === undefined) return emptyReport("busy", performance.now() - started);
  try {
    const catalog = Catalog.openToWrite(layout.catalog);
    try {
      const run = new IndexRun(job, catalog, diskStorage(layout.segments), hooks);
      const report = await run.run();
      return { ...report, elapsedMs: Math.round(performance.now() - started) };
    } finally {
      catalog.close();
    }
  } finally {
    release();
  }
}

/** In short turns, because a thread that waits inside SQLite cannot be ended. */
async function waitForLock(path: string, waitMs: number): Promise<(() => void) | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const left = Math.max(0, deadline - performance.now());
    const release = takeWriterLock(path, Math.min(left, LOCK_TURN_MS));
    if (release !== undefined || left === 0) return release;
    // eslint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise(setImmediate);
  }
}

function emptyReport(outcome: "done" | "busy", elapsedMs: number): IndexReport {
  return {
    outcome,
    generation: 0,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    skipped: 0,
    warnings: [],
    elapsedMs: Math.round(elapsedMs),
  };
}

/** A file that the scan found, with what the catalogue knows of it. */
interface Found {
  readonly source: Source;
  readonly record: FileRecord;
  readonly path: string;
  readonly known: FileRow | undefined;
}

/** What tells whether a file is as it was when it was read. */
type FileState = Pick<FileRow, "size" | "mtimeNs" | "inode" | "indexedNs">;

/** Fits no file, so that it is looked at again in the next run. */
const UNKNOWN_STATE: FileState = { size: 0, mtimeNs: 0n, inode: 0n, indexedNs: 0n };

interface SkippedFile {
  readonly reason: string;
  readonly known: FileRow | undefined;
  readonly state?: FileState;
}

/** A file whose new state waits to be published. */
interface Pending {
  readonly row: FileRow;
  readonly replaced: FileRow | undefined;
  readonly symbols: ReturnType<typeof chunkFile>["symbols"];
}

class IndexRun {
  readonly #job: IndexJob;
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #hooks: IndexHooks;
  readonly #tokenizer = createTokenizer();
  readonly #buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  readonly #counts = { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 };
  readonly #warnings: string[] = [];
  #writer: SegmentWriter;
  #pending: Pending[] = [];
  #touched: FileRow[] = [];
  /** Sources that were walked to their end. */
  readonly #scanned = new Set<number>();
  #stale: ReadonlySet<number> = new Set();
  #nextFileId: number;

  constructor(job: IndexJob, catalog: Catalog, storage: Storage, hooks: IndexHooks) {
    this.#job = job;
    this.#catalog = catalog;
    this.#storage = storage;
    this.#hooks = hooks;
    this.#writer = new SegmentWriter(this.#tokenizer);
    this.#nextFileId = catalog.nextFileId();
  }

  async run(): Promise<IndexReport> {
    this.#removeLeftovers();
    const known = new Map(this.#catalog.files().map((row) => [row.path, row]));
    const found = this.#scan(known);
    this.#stale = this.#staleSegments();
    const toRead: Found[] = [];
    for (const file of found) {
      if (this.#mustRead(file)) toRead.push(file);
      else if (file.known?.skipped === null) this.#counts.unchanged += 1;
      else this.#counts.skipped += 1;
    }
    // A source that cannot be reached now (a drive not mounted) keeps what is known of it.
    const gone = [...known.values()].filter(({ source }) => this.#scanned.has(source));
    this.#counts.removed = gone.filter(({ skipped }) => skipped === null).length;
    if (toRead.length > 0) await this.#readAll(toRead);
    const isFirst = this.#catalog.generation() === 0;
    if (this.#pending.length > 0 || gone.length > 0 || isFirst) this.#publish(gone);
    this.#catalog.putFiles(this.#touched);
    return {
      outcome: "done",
      generation: this.#catalog.generation(),
      ...this.#counts,
      warnings: this.#warnings,
      elapsedMs: 0,
    };
  }

  /** Lists every source. Takes the files it finds out of `known`: what stays there is gone. */
  #scan(known: Map<string, FileRow>): readonly Found[] {
    const found: Found[] = [];
    for (const source of this.#job.sources) {
      const { files, skipped, warnings, complete } = walk(source.root, {
        include: [...source.include],
        exclude: [...source.exclude],
        maxFileBytes: MAX_FILE_BYTES,
      });
      this.#warnings.push(...warnings);
      // What a broken-off walk did not see may well be there.
      if (complete) this.#scanned.add(source.id);
      const others = this.#job.sources.filter(
        ({ prefix }) => prefix.length > source.prefix.length && prefix.startsWith(source.prefix),
      );
      for (const record of files) {
        const path = source.prefix + record.path;
        // A path belongs to the source with the longest prefix, as it does when it is read.
        if (others.some(({ prefix }) => path.startsWith(prefix))) continue;
        found.push({ source, record, path, known: known.get(path) });
        known.delete(path);
      }
      this.#counts.skipped += skipped.length;
      for (const { path: relative, reason } of skipped) {
        const path = source.prefix + relative;
        this.#noteSkipped(source, path, { reason, known: known.get(path) });
        known.delete(path);
      }
      this.#progress("scan", found.length, found.length);
    }
    return found;
  }

  #noteSkipped(
    source: Source,
    path: string,
    { reason, known, state = UNKNOWN_STATE }: SkippedFile,
  ): void {
    const wasSkipped = known !== undefined && known.skipped === reason && known.segment === null;
    if (wasSkipped && state === UNKNOWN_STATE) return;
    const row: FileRow = {
      path,
      id: known?.id ?? this.#newFileId(),
      source: source.id,
      ...state,
      hash: "",
      segment: null,
      ordinal: null,
      chunks: 0,
      symbols: 0,
      skipped: reason,
    };
    if (wasSkipped) this.#touched.push(row);
    else this.#pending.push({ row, replaced: known, symbols: [] });
  }

  #mustRead({ record, known }: Found): boolean {
    if (this.#job.rebuild || known === undefined) return true;
    if (known.segment !== null && this.#stale.has(known.segment)) return true;
    const same =
      known.size === record.sizeBytes &&
      known.mtimeNs === record.mtimeNs &&
      known.inode === record.inode;
    // As git does for its index: a file as young as its entry may have been written twice.
    return !same || known.indexedNs - known.mtimeNs < RACY_NS;
  }

  /** Segments to be folded into a new one: the small ones when there are many, and the half dead. */
  #staleSegments(): ReadonlySet<number> {
    const segments = this.#catalog.segments();
    const stale = segments.filter((segment) => live(segment) * 2 < segment.files);
    const largest = Math.max(0, ...segments.map(live));
    const small = segments.filter((segment) => live(segment) < Math.max(SMALL_FILES, largest / 4));
    if (small.length > MAX_SMALL_SEGMENTS) stale.push(...small);
    return new Set(stale.map(({ id }) => id));
  }

  async #readAll(files: readonly Found[]): Promise<void> {
    const grammars = await this.#hooks.grammars();
    for (const [done, file] of files.entries()) {
      this.#read(file, grammars);
      if (this.#writer.postings >= POSTINGS_PER_SEGMENT) this.#publish([]);
      if (done % 64 === 0) {
        this.#progress("read", done, files.length);
        // Lets a cancelled run end, and messages leave the thread.
        // eslint-disable-next-line no-await-in-loop -- one file after the other, by design
        await new Promise(setImmediate);
      }
    }
    this.#progress("read", files.length, files.length);
  }

  #read({ source, record, path, known }: Found, grammars: Grammars): void {
    const indexedNs = BigInt(Date.now()) * 1_000_000n;
    const content = this.#content(source, record.path);
    const fresh: FileState = {
      size: record.sizeBytes,
      mtimeNs: record.mtimeNs,
      inode: record.inode,
      indexedNs,
    };
    if ("skip" in content) {
      const reason = content.skip;
      this.#counts.skipped += 1;
      const state = CONTENT_REASONS.has(reason) ? fresh : UNKNOWN_STATE;
      this.#noteSkipped(source, path, { reason, known, state });
      return;
    }
    if (known !== undefined && this.#isIndexed(known, content.hash)) {
      // Touched, not changed: the entry learns the new times and nothing else happens.
      this.#counts.unchanged += 1;
      this.#touched.push({ ...known, ...fresh });
      return;
    }
    if (known === undefined) this.#counts.added += 1;
    else if (known.hash === content.hash) this.#counts.unchanged += 1;
    else this.#counts.changed += 1;
    const facts = fileFacts(record.path, content);
    const { chunks, symbols } = chunkFile(
      { path, language: facts.language, text: content.text },
      grammars,
    );
    const ordinal = this.#writer.add({
      path,
      language: facts.language ?? "",
      role: facts.role,
      flags: facts.flags,
      text: content.text,
      chunks,
    });
    const row: FileRow = {
      path,
      id: known?.id ?? this.#newFileId(),
      source: source.id,
      ...fresh,
      hash: content.hash,
      segment: NEW_SEGMENT,
      ordinal,
      chunks: chunks.length,
      symbols: symbols.length,
      skipped: null,
    };
    this.#pending.push({ row, replaced: known, symbols });
  }

  /** Opened through the guard of the source: a folder may have become a link since the scan. */
  #content(source: Source, path: string): ReturnType<typeof readOpenText> {
    let fd: number;
    try {
      fd = openInside(source.root, path);
    } catch {
      return { skip: "unreadable" };
    }
    try {
      return readOpenText(fd, MAX_FILE_BYTES, this.#buffer);
    } finally {
      closeSync(fd);
    }
  }

  #isIndexed(known: FileRow, hash: string): boolean {
    const { segment } = known;
    return (
      !this.#job.rebuild && known.hash === hash && segment !== null && !this.#stale.has(segment)
    );
  }

  /** Writes the collected files as a segment and makes it, and the removals, visible at once. */
  #publish(gone: readonly FileRow[]): void {
    this.#progress("publish", 0, 1);
    const writer = this.#writer;
    const pending = this.#pending;
    this.#writer = new SegmentWriter(this.#tokenizer);
    this.#pending = [];
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}.words`;
    let bytes = 0;
    if (writer.files > 0) {
      const parts = writer.finish();
      bytes = parts.reduce((sum, part) => sum + part.length, 0);
      this.#storage.write(name, parts);
    }
    const emptied = new Set<string>();
    this.#catalog.publish(() => {
      const segment =
        writer.files > 0
          ? this.#catalog.addSegment({ name, files: writer.files, chunks: writer.chunks, bytes })
          : NEW_SEGMENT;
      for (const { row, replaced, symbols } of pending) {
        this.#catalog.putFile({ ...row, segment: row.segment === null ? null : segment });
        if (replaced !== undefined) this.#catalog.removeSymbols(replaced.id);
        for (const symbol of symbols) {
          this.#catalog.addSymbol(row.id, {
            name: symbol.name,
            qualified: symbol.qualifiedName,
            kind: symbol.kind,
            startLine: symbol.startLine,
            endLine: symbol.endLine,
            signature: symbol.signature,
          });
        }
      }
      for (const row of gone) this.#catalog.removeFile(row);
      const old = [...pending.flatMap(({ replaced }) => replaced ?? []), ...gone];
      for (const retired of this.#bury(old)) emptied.add(retired);
    });
    // Readers that have them open keep them; nobody opens them any more.
    for (const retired of emptied) this.#storage.remove(retired);
    this.#progress("publish", 1, 1);
  }

  /** Marks the old versions of files dead; returns the names of segments with nothing left alive. */
  #bury(old: readonly FileRow[]): readonly string[] {
    const bySegment = Map.groupBy(old, ({ segment }) => segment);
    const emptied: string[] = [];
    for (const segment of this.#catalog.segments()) {
      const rows = bySegment.get(segment.id);
      if (rows === undefined) continue;
      const dead = segment.dead.slice();
      for (const { ordinal } of rows) if (ordinal !== null) dead[ordinal] = 1;
      if (dead.every((value) => value === 1)) {
        this.#catalog.removeSegment(segment.id);
        emptied.push(segment.name);
      } else {
        this.#catalog.setDead(segment.id, dead);
      }
    }
    return emptied;
  }

  /** Files that a killed run wrote and never published. */
  #removeLeftovers(): void {
    const published = new Set(this.#catalog.segments().map(({ name }) => name));
    for (const name of this.#storage.list()) if (!published.has(name)) this.#storage.remove(name);
  }

  #newFileId(): number {
    this.#nextFileId += 1;
    return this.#nextFileId - 1;
  }

  #progress(stage: IndexStage, done: number, total: number): void {
    this.#hooks.onProgress?.({ stage, done, total });
  }
}

function live({ files, dead }: SegmentRow): number {
  return files - dead.reduce((sum, value) => sum + value, 0);
}

/** Stands for the segment that is being written until the catalogue has given it a number. */
const NEW_SEGMENT = -1;
