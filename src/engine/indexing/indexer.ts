// One indexing run of a namespace: scan the sources, read what changed, publish it stage by stage.
// Runs in a worker thread, so that the process answers meanwhile.

import { maskSecrets } from "../../base/mask-secrets.ts";
import type * as chunking from "../../chunk/chunk.ts";
import type { Grammars } from "../../chunk/syntax.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { FileState, IndexWriter, SetAside } from "../../index/backend.ts";
import type { Settlement } from "../../index/journal/journal.ts";
import type { FileRow, FileStage } from "../../index/catalog/file-row.ts";
import { IndexDamage, writingIndex } from "../../index/damage.ts";
import { EmbeddedBackend } from "../../index/embedded-backend.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { monitorsOf } from "../../sources/monitors.ts";
import type { Source } from "../../sources/registry.ts";
import { ContentReader, type Content } from "./content-reader.ts";
import { fileFacts } from "./file-facts.ts";
import { monitorWatch } from "../monitors/monitor-language.ts";
import type { MonitorWatch } from "../monitors/monitor-watch.ts";
import {
  fingerprint,
  scanSources,
  type FoundFile,
  type SourceFolder,
  type SourceScan,
} from "./source-scan.ts";

export interface IndexJob {
  readonly dataDirectory: string;
  readonly namespace: string;
  readonly sources: readonly Source[];
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings?: string | undefined;
  /** Looks only at what lies directly in these folders, as one who watches them asks. Default: everything. */
  readonly folders?: readonly SourceFolder[] | undefined;
  /** Reads everything again, whatever the index says. */
  readonly rebuild: boolean;
  readonly setAside?: SetAside | undefined;
  /** Ids of the sources of the namespace, also of those that cannot be reached now; those of `sources` by default. */
  readonly registered?: readonly number[] | undefined;
  /** When the namespace was made: the run ends when that is no longer so. */
  readonly namespaceCreatedAt?: string | undefined;
  /** How long to wait for another process that is writing to the namespace. */
  readonly waitMs: number;
}

/**
 * `list`: files are found, and from then on can be searched for text. `words`: words, trigrams and the
 * definitions that lines show, from one read of each file. `syntax`: definitions and chunks by grammar,
 * for the languages that have one.
 */
export type IndexStage = "list" | "words" | "syntax";

export interface IndexProgress {
  /** Before a repository can be indexed it is fetched (objects) and checked out (files). */
  readonly stage: IndexStage | "fetch" | "checkout";
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
  /** Grammars cost some milliseconds to start, so they are asked for only when something is parsed. */
  readonly grammars: () => Promise<Grammars>;
  /** What vectors are made with; undefined for an index without them. */
  readonly embeddings: EmbeddingSource | undefined;
  readonly onProgress?: (progress: IndexProgress & { readonly stage: IndexStage }) => void;
}

/** Files above this are listed, not read: generated data, nearly always. */
const MAX_FILE_BYTES = 1 << 20;
/** With more files to read than this the list of them is published first. */
const LIST_FIRST_FILES = 256;
/** More than this is read twice, first without grammars; less is parsed at once, within half a second. */
const STAGED_BYTES = 3 << 20;
/** Files written this shortly before they were read may change again within the same timestamp. */
const RACY_MS = 2000;
/** Reasons that lie in the content of a file: they hold until it changes. */
const CONTENT_REASONS: ReadonlySet<string> = new Set(["binary", "encoding", "minified"]);
/** Name of the note that tells what the last complete run found. */
const LAST_SCAN = "scan";
/** A cancelled run ends, and messages leave the thread, between so many files. */
const FILES_PER_TURN = 64;

export async function runIndexJob(job: IndexJob, hooks: IndexHooks): Promise<IndexReport> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const backend = new EmbeddedBackend(job.dataDirectory);
  const once = (more: Partial<IndexJob>): Promise<IndexReport> =>
    runOnce({ ...job, ...more }, hooks, backend);
  try {
    const report = await writingIndex(() => mending(job, backend, once));
    return { ...report, elapsedMs: elapsed() };
  } finally {
    backend.close();
  }
}

/** A run that finds the index damaged puts it aside and begins again. */
async function mending(
  { namespace, rebuild, setAside }: IndexJob,
  backend: EmbeddedBackend,
  once: (more: Partial<IndexJob>) => Promise<IndexReport>,
): Promise<IndexReport> {
  const isNoted = backend.notedDamage(namespace) !== undefined;
  try {
    const first = setAside ?? (rebuild ? "newer" : isNoted ? "damaged" : undefined);
    return await once({ setAside: first, ...(isNoted ? WHOLE : {}) });
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage) || setAside === "all") throw thrown;
    backend.noteDamage(namespace, thrown.message);
    return await once({ setAside: "all", ...WHOLE });
  }
}

/** A run over everything, as one must be that mends an index. */
const WHOLE = { folders: undefined };

async function runOnce(
  job: IndexJob,
  hooks: IndexHooks,
  backend: EmbeddedBackend,
): Promise<IndexReport> {
  const { namespace, waitMs, setAside } = job;
  const { embeddings } = hooks;
  const writer = await backend.writer(namespace, { waitMs, embeddings, setAside });
  if (writer === undefined) return { ...NOTHING_DONE, outcome: "busy" };
  try {
    // Read behind the lock: a run that waited for it knows the monitors of now.
    const monitors = monitorsOf(job.dataDirectory, job.namespace);
    const watch = await monitorWatch(monitors, writer.watch, hooks.embeddings);
    const report = await new IndexRun(job, writer, { ...hooks, watch }).run();
    if (setAside !== undefined) backend.forgetDamage(namespace);
    return report;
  } finally {
    writer.close();
  }
}

const NOTHING_DONE: Omit<IndexReport, "outcome"> = {
  elapsedMs: 0,
  generation: 0,
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  warnings: [],
};

/** What tells whether a file is as it was when it was read. */
type FileTimes = Pick<FileState, "size" | "mtimeMs" | "inode" | "indexedMs">;

/** Fits no file, so that it is looked at again in the next run. */
const UNKNOWN: FileTimes = { size: 0, mtimeMs: 0, inode: 0, indexedMs: 0 };

class IndexRun {
  readonly #job: IndexJob;
  readonly #writer: IndexWriter;
  readonly #hooks: IndexHooks & { readonly watch: MonitorWatch };
  readonly #content: ContentReader;
  readonly #counts = { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 };
  #known: ReadonlyMap<string, FileRow> = new Map();
  /** Files whose words are in the index and whose syntax is not. */
  #unparsed: FoundFile[] = [];
  /** Loaded with the first file that is read: most runs find none. */
  #chunking: typeof chunking | undefined;
  /** A file was written so shortly before it was read that it must be read again. */
  #isRacy = false;

  constructor(
    job: IndexJob,
    writer: IndexWriter,
    hooks: IndexHooks & { readonly watch: MonitorWatch },
  ) {
    // Then every file is to be read again, wherever it lies.
    this.#job = writer.isOfOtherTable ? { ...job, folders: undefined } : job;
    this.#writer = writer;
    this.#hooks = hooks;
    this.#content = new ContentReader(MAX_FILE_BYTES);
  }

  async run(): Promise<IndexReport> {
    const { folders, rebuild, registered = [] } = this.#job;
    const scan = scanSources(this.#job.sources, {
      maxFileBytes: MAX_FILE_BYTES,
      folders,
      onSource: (files) => this.#progress("list", files, files),
    });
    const print = folders === undefined ? [fingerprint(scan), ...registered].join(".") : "";
    // Of a few folders not every file could be prepared.
    if (folders === undefined && this.#hooks.watch.isNews) await this.#prepareWatch(scan);
    const before = rebuild ? undefined : this.#asBefore(print);
    if (before === undefined) {
      // A run that is broken off leaves neither what was found before nor what is found now.
      this.#writer.setNote(LAST_SCAN, "");
      await this.#update(scan, this.#settlement(scan));
      if (print !== "" && !this.#isRacy) this.#writer.setNote(LAST_SCAN, this.#remark(print));
    }
    const { at: generation } = await this.#writer.commit(this.#settlement(scan));
    const { warnings } = scan;
    return { ...this.#counts, ...before, generation, warnings, outcome: "done", elapsedMs: 0 };
  }

  /** What the last complete run found, when it found just the same. */
  #asBefore(print: string): { unchanged: number; skipped: number } | undefined {
    const [before, unchanged, skipped] = this.#writer.note(LAST_SCAN)?.split(" ") ?? [];
    if (print === "" || before !== print) return undefined;
    return { unchanged: Number(unchanged), skipped: Number(skipped) };
  }

  #remark(print: string): string {
    const { added, changed, unchanged, skipped } = this.#counts;
    return `${print} ${added + changed + unchanged} ${skipped}`;
  }

  /** Tells what an earlier run left, so that what monitors are to know is of versions that were told. */
  async #prepareWatch(scan: SourceScan): Promise<void> {
    if (this.#writer.watch.hasUntold()) {
      await this.#writer.commit(this.#settlement(scan, new Set()));
    }
    const found = new Map(scan.files.map((file) => [file.path, file]));
    this.#hooks.watch.prepare((path, hash) => {
      const file = found.get(path);
      const content = file && this.#content.read(file.source.root, file.record.path);
      const isSame = content !== undefined && !("skip" in content) && content.hash === hash;
      return isSame ? content.text : undefined;
    });
  }

  /** What is told at the end of the run; `whole`: the sources that have been read to their end by then. */
  #settlement({ complete }: SourceScan, whole: ReadonlySet<number> = complete): Settlement {
    const { sources, folders } = this.#job;
    return {
      sources: new Map(sources.map(({ id, prefix }) => [id, prefix])),
      whole: folders === undefined ? whole : new Set(),
      judge: this.#hooks.watch.judge,
    };
  }

  async #update(scan: SourceScan, settle: Settlement): Promise<void> {
    this.#known = await this.#knownOf(scan);
    const toRead: FoundFile[] = [];
    for (const file of scan.files) {
      const known = this.#known.get(file.path);
      if (this.#mustRead(file, known)) toRead.push(file);
      else if (known?.skipped === null) this.#keep(file, known);
      else this.#counts.skipped += 1;
    }
    this.#noteSkipped(scan);
    this.#removeGone(scan);
    await this.#list(toRead);
    await this.#readWords(toRead, settle);
    await this.#parse(settle);
    // eslint-disable-next-line no-await-in-loop -- one fold after the other
    while (await this.#writer.compact({ quick: this.#job.folders !== undefined }));
    await this.#writer.weigh();
  }

  /** What the index knows of what was looked at; of folders that are gone, everything below. */
  #knownOf({ missing }: SourceScan): Promise<ReadonlyMap<string, FileRow>> {
    const { folders, sources } = this.#job;
    if (folders === undefined) return this.#writer.files();
    const prefixes = new Map(sources.map(({ id, prefix }) => [id, prefix]));
    const direct = folders.map(({ source, path }) =>
      `${prefixes.get(source) ?? ""}${path}`.replace(/\/$/, ""),
    );
    return this.#writer.filesIn({ direct, whole: missing });
  }

  #mustRead({ record }: FoundFile, known: FileRow | undefined): boolean {
    if (this.#job.rebuild || known === undefined || known.stage === "listed") return true;
    const isSame =
      known.size === record.sizeBytes &&
      known.mtimeMs === record.mtimeMs &&
      known.inode === record.inode;
    // As git does for its index: a file as young as its entry may have been written twice.
    return !isSame || known.indexedMs - known.mtimeMs < RACY_MS;
  }

  #keep(file: FoundFile, known: FileRow): void {
    this.#counts.unchanged += 1;
    if (known.stage === "words") this.#unparsed.push(file);
  }

  #noteSkipped({ skipped }: SourceScan): void {
    this.#counts.skipped += skipped.length;
    for (const { source, path, reason } of skipped) {
      const known = this.#known.get(path);
      if (known !== undefined && known.skipped === reason && known.segment === null) continue;
      this.#writer.put({ ...this.#unread(source, path), stage: "complete", skipped: reason });
    }
  }

  /** A source that cannot be reached now (a drive not mounted) keeps what is known of it; one taken away does not. */
  #removeGone({ files, skipped, complete }: SourceScan): void {
    const { registered } = this.#job;
    const present = new Set([...files, ...skipped].map(({ path }) => path));
    for (const [path, { source, skipped: reason }] of this.#known) {
      const isTakenAway = registered?.includes(source) === false;
      if (present.has(path) || (!complete.has(source) && !isTakenAway)) continue;
      this.#writer.remove(path);
      if (reason === null) this.#counts.removed += 1;
    }
  }

  /** Publishes what there is to read, so that it can be searched for text at once. */
  async #list(files: readonly FoundFile[]): Promise<void> {
    const fresh = files.filter(({ path }) => !this.#known.has(path));
    if (fresh.length > LIST_FIRST_FILES) {
      for (const { source, path } of fresh) this.#writer.put(this.#unread(source, path));
      await this.#writer.commit();
    }
    this.#progress("list", files.length, files.length);
  }

  #unread(source: Source, path: string): FileState {
    const { language, role, flags } = fileFacts(path, { text: "", generated: false });
    const facts = { language: language ?? "", role, flags, chunks: 0, symbols: 0, hash: "" };
    return { path, source: source.id, ...UNKNOWN, ...facts, stage: "listed", skipped: null };
  }

  async #readWords(files: readonly FoundFile[], settle: Settlement): Promise<void> {
    if (files.length === 0) return;
    const bytes = files.reduce((sum, { record }) => sum + record.sizeBytes, 0);
    const grammars = bytes > STAGED_BYTES ? undefined : await this.#hooks.grammars();
    await this.#each(files, "words", (file) => this.#read(file, grammars));
    // In one transaction with the last that is published, when nothing is read again.
    await this.#writer.commit(this.#unparsed.length === 0 ? settle : undefined);
  }

  /** The second look at files that have a grammar: those that were changed last come first. */
  async #parse(settle: Settlement): Promise<void> {
    if (this.#unparsed.length === 0) return;
    const files = this.#unparsed.toSorted(
      (one, other) => other.record.mtimeMs - one.record.mtimeMs,
    );
    const grammars = await this.#hooks.grammars();
    await this.#each(files, "syntax", (file) => this.#read(file, grammars, true));
    await this.#writer.commit(settle);
  }

  async #each(
    files: readonly FoundFile[],
    stage: IndexStage,
    read: (file: FoundFile) => void,
  ): Promise<void> {
    this.#chunking ??= await import("../../chunk/chunk.ts");
    for (const [done, file] of files.entries()) {
      read(file);
      // eslint-disable-next-line no-await-in-loop -- one file after the other, by design
      if (this.#writer.isFull) await this.#writer.commit();
      if (done % FILES_PER_TURN === 0) {
        this.#progress(stage, done, files.length);
        // eslint-disable-next-line no-await-in-loop -- as above
        await new Promise(setImmediate);
      }
    }
    this.#progress(stage, files.length, files.length);
  }

  #read(file: FoundFile, grammars: Grammars | undefined, isSecond = false): void {
    const { source, path, record } = file;
    const known = this.#known.get(path);
    const times = {
      size: record.sizeBytes,
      mtimeMs: record.mtimeMs,
      inode: record.inode,
      indexedMs: Date.now(),
    };
    if (times.indexedMs - times.mtimeMs < RACY_MS) this.#isRacy = true;
    const content = this.#content.read(source.root, record.path);
    if ("skip" in content) {
      if (!isSecond) this.#counts.skipped += 1;
      this.#skip(file, content.skip, times);
    } else if (!isSecond && !this.#job.rebuild && isIndexed(known, content.hash)) {
      // Touched, not changed: the entry learns the new times and nothing else happens.
      this.#keep(file, known);
      this.#writer.touch({ ...known, ...times });
    } else {
      if (!isSecond) this.#count(known, content.hash);
      this.#add(file, content, { times, grammars });
    }
  }

  /** Only what lies in the content holds until the file changes. */
  #skip({ source, path }: FoundFile, reason: SkipReason, times: FileTimes): void {
    const isOfContent = CONTENT_REASONS.has(reason);
    if (!isOfContent) this.#isRacy = true;
    const state = { ...this.#unread(source, path), ...(isOfContent ? times : UNKNOWN) };
    this.#writer.put({ ...state, stage: "complete", skipped: reason });
  }

  #add(
    file: FoundFile,
    content: Content,
    { times, grammars }: { times: FileTimes; grammars: Grammars | undefined },
  ): void {
    const { source, path, record } = file;
    const { language, role, flags } = fileFacts(record.path, content);
    const text = { path, language, text: content.text };
    // A secret is no word, no name and no meaning; only the search for exact text knows its letters.
    const masked = { ...text, text: maskSecrets(content.text) };
    const { chunkFile, needsSyntax } = this.#requireChunking();
    const stage: FileStage = grammars === undefined && needsSyntax(text) ? "words" : "complete";
    if (stage === "words") this.#unparsed.push(file);
    const chunked = chunkFile(masked, grammars);
    const { chunks, symbols, references } = chunked;
    const facts = { path, language: language ?? "", role, flags };
    const counts = { chunks: chunks.length, symbols: symbols.length };
    const state = { hash: content.hash, stage, skipped: null, source: source.id };
    this.#writer.add(
      { ...facts, ...times, ...counts, ...state },
      {
        ...facts,
        bytes: content.bytes,
        isFinal: stage === "complete",
        chunks,
        symbols,
        references,
      },
      stage === "complete" ? this.#hooks.watch.look(text, chunked) : undefined,
    );
  }

  #requireChunking(): typeof chunking {
    if (this.#chunking === undefined) throw new Error("files are read in #each alone");
    return this.#chunking;
  }

  #count(known: FileRow | undefined, hash: string): void {
    if (known === undefined || known.stage === "listed") this.#counts.added += 1;
    else if (known.hash === hash) this.#counts.unchanged += 1;
    else this.#counts.changed += 1;
  }

  #progress(stage: IndexStage, done: number, total: number): void {
    this.#hooks.onProgress?.({ stage, done, total });
  }
}

/** Whether this very content is in the index. */
function isIndexed(known: FileRow | undefined, hash: string): known is FileRow {
  return known !== undefined && known.segment !== null && known.hash === hash;
}
