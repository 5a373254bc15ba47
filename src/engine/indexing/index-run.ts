// One indexing run of a namespace: scans the sources, reads changed files, publishes them stage by stage.

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { MIN_STABLE_AGE_MS } from "../../base/files.ts";
import type { IndexReport, IndexStage } from "../api/index-report.ts";
import type { IndexVersion, IndexWriter } from "../../index/port.ts";
import type { FlushPlan } from "../../index/change-log/change-event.ts";
import type { FileState, FileRow } from "../../index/types.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { CommitSchedule } from "./commit-schedule.ts";
import { divideDocuments } from "./document-turn.ts";
import { DocumentTally } from "./document-counts.ts";
import { DocumentParser } from "./document-parser.ts";
import { CONTENT_REASONS, hasOtherTimes, listedState, UNKNOWN_TIMES } from "./file-states.ts";
import { textsWithHash } from "./content-reader.ts";
import {
  FileParser,
  fileTask,
  type FileResult,
  type FileTask,
  type ParsedFile,
} from "./file-parser.ts";
import type { FileTimes } from "./index-entry.ts";
import {
  countsIfUnchanged,
  LAST_SCAN_NOTE,
  scanIdentity,
  newWalkNote,
  scanNote,
  WALK_NOTE,
  walkMemories,
} from "./last-scan.ts";
import { KnownFacts } from "./known-facts.ts";
import type { MonitorMatcher } from "../monitors/matcher.ts";
import { RunTooLarge } from "./run-failure.ts";
import { restoreEarlier } from "./restore-earlier.ts";
import type { IndexHooks, RunOptions } from "./run-options.ts";
import { optimizingLess } from "./optimize-less.ts";
import { updatePackages } from "./package-notes.ts";
import { ParallelParser } from "./parallel-parser.ts";
import { bytesOf, foldersInIndex, scanSources } from "./source-scan.ts";
import type { FoundFile, SourceScan } from "./source-scan.ts";
import { mayParseNow, UnparsableFiles } from "./unparsable-files.ts";

/** What a run calls, with the matcher of the current monitors. */
interface RunHooks extends Pick<
  IndexHooks,
  "grammars" | "startParsers" | "lowerPriority" | "texts" | "onProgress" | "onCommit" | "scan"
> {
  readonly watch: MonitorMatcher;
}

/** With more new files than this, their list is published first. */
const MIN_FILES_TO_LIST_FIRST = 256;
/**
 * More bytes are read twice, first without grammars, unless the caller waits for the end. Fewer are parsed at once,
 * within half a second.
 */
const MAX_UNSTAGED_BYTES = 3 << 20;
/** In the background, a run that reads more lets other programs go first. Less is what someone edits. */
const MAX_URGENT_BYTES = 1 << 20;
/** How often the thread yields, so that it can be cancelled and its messages are sent. */
const FILES_PER_YIELD = 64;

type Stage = "words" | "syntax" | "documents";

/** How the text files of a stage are read. */
interface StageOptions {
  readonly stage: Exclude<Stage, "documents">;
  /** Whether files are parsed with their grammars. */
  readonly isParsed: boolean;
}

/** One run over the files of a namespace. */
export class IndexRun {
  readonly #job: RunOptions;
  readonly #writer: IndexWriter;
  readonly #hooks: RunHooks;
  readonly #counts = { added: 0, changed: 0, removed: 0, unchanged: 0, skipped: 0 };
  #known: ReadonlyMap<string, FileRow> = new Map();
  /** Files in the stage `words`, whose syntax is missing. */
  #unparsed: FoundFile[] = [];
  /** True when a file was written so shortly before it was read that it must be read again. */
  #isRacy = false;
  readonly #unparsable = new UnparsableFiles();
  readonly #documents: DocumentTally;
  /** Documents that this run leaves to later ones. */
  #unreadDocuments = 0;
  #needsNewThread = false;
  #facts: KnownFacts | undefined;

  constructor(job: RunOptions, writer: IndexWriter, hooks: RunHooks) {
    // After a change of the embeddings, all files are read again, not only those in `folders`.
    this.#job = writer.hasOtherEmbeddings ? { ...job, folders: undefined } : job;
    this.#writer = writer;
    this.#documents = new DocumentTally(writer);
    this.#hooks = hooks;
  }

  async run(): Promise<IndexReport> {
    const { folders, rebuild, registeredSources = [] } = this.#job;
    const { scan, walkNote } = this.#scan();
    const identity = folders === undefined ? scanIdentity(scan, registeredSources) : "";
    // Preparing monitors needs all files, not only those of some folders.
    if (folders === undefined && this.#hooks.watch.hasChanged) await this.#prepareMonitors(scan);
    const note = this.#writer.note(LAST_SCAN_NOTE);
    this.#facts = await KnownFacts.open(this.#writer, this.#hooks.texts, this.#job.facts);
    const isSame = !rebuild && this.#job.facts === undefined;
    const before = isSame ? countsIfUnchanged(note, identity) : undefined;
    if (before === undefined) {
      // Clear the note first, so that an interrupted run leaves neither the old nor the new one.
      this.#writer.setNote(LAST_SCAN_NOTE, "");
      await this.#update(scan, this.#flushPlan(scan));
      const { added, changed, unchanged, skipped } = this.#counts;
      const counted = { unchanged: added + changed + unchanged, skipped };
      if (identity !== "" && this.#isSettled)
        this.#writer.setNote(LAST_SCAN_NOTE, scanNote(identity, counted));
    }
    if (walkNote !== undefined) this.#writer.setNote(WALK_NOTE, walkNote);
    updatePackages(this.#writer, scan, { ...this.#job, isUnchanged: before !== undefined });
    const { at: generation } = await this.#commit(this.#flushPlan(scan));
    const isWhole = folders === undefined && before === undefined;
    if (isWhole) await this.#hooks.texts.collect(() => this.#hashes());
    const warnings = [...scan.warnings, ...this.#unparsable.warnings()];
    const thread = this.#needsNewThread ? { needsNewThread: true as const } : {};
    const unread = this.#unreadDocuments > 0 ? { unreadDocuments: this.#unreadDocuments } : {};
    const counts = { ...this.#counts, ...before, ...thread, ...unread };
    return { ...counts, generation, warnings, outcome: "done", elapsedMs: 0 };
  }

  /** Whether another run over the same files would do nothing. */
  get #isSettled(): boolean {
    return !this.#isRacy && !this.#unparsable.hasTransient && this.#unreadDocuments === 0;
  }

  /** `walkNote`: the new value of WALK_NOTE, if there is one. */
  #scan(): { readonly scan: SourceScan; readonly walkNote: string | undefined } {
    const { sources, folders, isShared, rebuild } = this.#job;
    // Other machines have other folders, and their own time stamps.
    const isRemembered = folders === undefined && isShared !== true;
    const memories =
      isRemembered && !rebuild ? walkMemories(this.#writer.note(WALK_NOTE)) : undefined;
    const onSource = (files: number): void => this.#progress("list", files, files);
    const asked = { folders, isShared, isRemembered, memories, onSource };
    const scan =
      this.#hooks.scan ?? scanSources(sources, { maxFileBytes: MAX_INDEXED_BYTES, ...asked });
    return { scan, walkNote: isRemembered ? newWalkNote(scan, memories) : undefined };
  }

  /** First flushes changes that an earlier run left pending, so that monitors start from the baseline versions. */
  async #prepareMonitors(scan: SourceScan): Promise<void> {
    if (this.#writer.monitorState.hasPending()) {
      await this.#commit(this.#flushPlan(scan, new Set()));
    }
    await this.#hooks.watch.prepare(textsWithHash(scan.files));
  }

  /** The plan for flushing change events at the end of the run. `completeSources`: ids of completely read sources. */
  #flushPlan(
    { completeSources: complete }: SourceScan,
    completeSources: ReadonlySet<number> = complete,
  ): FlushPlan {
    const { sources, folders } = this.#job;
    return {
      sources: new Map(sources.map(({ id, prefix }) => [id, prefix])),
      completeSources: folders === undefined ? completeSources : new Set(),
      match: this.#hooks.watch.match,
    };
  }

  async #update(scan: SourceScan, plan: FlushPlan): Promise<void> {
    this.#known = await this.#knownOf(scan);
    const changed: FoundFile[] = [];
    for (const file of scan.files) {
      const known = this.#known.get(file.path);
      if (this.#mustRead(file, known)) changed.push(file);
      else if (known?.skipped === null) this.#keepKnown(file, known);
      else this.#counts.skipped += 1;
    }
    const toRead = await this.#restoreEarlier(changed, scan);
    const { maxBytes = Infinity } = this.#job;
    const { others, documents, later } = divideDocuments(toRead, this.#job.maxDocumentBytes);
    const bytes = bytesOf([...others, ...documents, ...this.#unparsed]);
    if (bytes > maxBytes) throw new RunTooLarge();
    if (this.#job.isAwaited !== true && bytes > MAX_URGENT_BYTES) this.#lowerPriority();
    this.#recordSkipped(scan);
    this.#removeGone(scan);
    this.#unreadDocuments = later.length;
    this.#documents.setUnread(documents.length + later.length);
    for (const { source, path } of later) {
      if (this.#known.get(path)?.hasContent !== true)
        this.#putSkipped({ ...listedState(source, path), skipped: "document-unread" });
    }
    await optimizingLess(async () => {
      await this.#list([...others, ...documents]);
      await this.#readWords(others, plan);
      await this.#parse(plan);
      await this.#merge();
      // A document takes as long as a thousand other files: until then those are found.
      if (documents.length === 0) return;
      await this.#readDocuments(documents, plan);
      await this.#merge();
    });
  }

  /** Takes the content of files that are as they were before from the index, and returns the others. */
  #restoreEarlier(
    changed: readonly FoundFile[],
    { files, skipped }: SourceScan,
  ): Promise<readonly FoundFile[]> | readonly FoundFile[] {
    // Monitors need the text, and compilers have facts about a content.
    const isPossible = !this.#job.rebuild && !this.#hooks.watch.hasMonitors;
    if (!isPossible || this.#facts !== undefined) return changed;
    const gone = this.#known.size - files.length - skipped.length;
    return restoreEarlier(changed, { gone, earlier: this.#writer.earlier }, (file, restored) => {
      this.#count(this.#known.get(file.path), restored.hash);
      this.#noteRacy(restored);
    });
  }

  #noteRacy({ indexedMs, mtimeMs }: Pick<FileTimes, "indexedMs" | "mtimeMs">): void {
    if (indexedMs - mtimeMs < MIN_STABLE_AGE_MS) this.#isRacy = true;
  }

  #putSkipped(state: FileState & { readonly skipped: SkipReason }): void {
    const { path, skipped } = state;
    this.#documents.change(path, this.#known.get(path)?.skipped, skipped);
    this.#facts?.remove(path);
    this.#writer.put({ ...state, stage: "complete" });
  }

  async #merge(): Promise<void> {
    await this.#writer.collect();
    // eslint-disable-next-line no-await-in-loop -- sequential merges
    while (await this.#writer.merge({ quick: this.#job.folders !== undefined }))
      // eslint-disable-next-line no-await-in-loop -- so that a large build does not keep every merged segment
      await this.#writer.collect();
    await this.#writer.computePageRank();
  }

  /** No thread can raise its priority again. */
  #lowerPriority(): void {
    const { lowerPriority } = this.#hooks;
    if (lowerPriority === undefined) return;
    lowerPriority();
    this.#needsNewThread = true;
  }

  async #hashes(): Promise<ReadonlySet<string>> {
    const hashes = Array.from(await this.#writer.files(), ([, { hash }]) => hash);
    return new Set([...hashes, ...(this.#facts?.keptHashes() ?? [])]);
  }

  /** The indexed files in the scanned folders, and everything below missing folders. */
  #knownOf({ missingFolders }: SourceScan): Promise<ReadonlyMap<string, FileRow>> {
    const { folders, sources } = this.#job;
    if (folders === undefined) return this.#writer.files();
    const direct = foldersInIndex(folders, sources);
    return this.#writer.filesIn({ direct, recursive: missingFolders });
  }

  #mustRead({ record }: FoundFile, known: FileRow | undefined): boolean {
    if (this.#mustReread(known?.path) || known === undefined || known.stage === "listed")
      return true;
    if (mayParseNow(known)) return true;
    return hasOtherTimes(record, known);
  }

  #mustReread(path: string | undefined): boolean {
    return this.#job.rebuild || (path !== undefined && this.#facts?.rereads.has(path) === true);
  }

  #keepKnown(file: FoundFile, known: FileRow): void {
    this.#counts.unchanged += 1;
    if (known.stage === "words") this.#unparsed.push(file);
  }

  #recordSkipped({ skipped }: SourceScan): void {
    this.#counts.skipped += skipped.length;
    for (const { source, path, reason } of skipped) {
      const known = this.#known.get(path);
      if (known !== undefined && known.skipped === reason && !known.hasContent) continue;
      this.#putSkipped({ ...listedState(source, path), skipped: reason });
    }
  }

  /** Removes missing files. An unavailable source (an unmounted drive) keeps its files; a removed source does not. */
  #removeGone({ files, skipped, completeSources }: SourceScan): void {
    const { registeredSources } = this.#job;
    const present = new Set([...files, ...skipped].map(({ path }) => path));
    for (const [path, { source, skipped: reason }] of this.#known) {
      const isTakenAway = registeredSources?.includes(source) === false;
      if (present.has(path) || (!completeSources.has(source) && !isTakenAway)) continue;
      this.#writer.remove(path);
      this.#facts?.remove(path);
      this.#documents.change(path, reason, undefined);
      if (reason === null) this.#counts.removed += 1;
    }
  }

  /** Publishes the list of new files, so that text search finds them at once. */
  async #list(files: readonly FoundFile[]): Promise<void> {
    const newFiles = files.filter(({ path }) => !this.#known.has(path));
    if (newFiles.length > MIN_FILES_TO_LIST_FIRST) {
      for (const { source, path } of newFiles) this.#writer.put(listedState(source, path));
      await this.#commit();
    }
    this.#progress("list", files.length, files.length);
  }

  async #readWords(files: readonly FoundFile[], plan: FlushPlan): Promise<void> {
    const isStaged = this.#job.isAwaited !== true && bytesOf(files) > MAX_UNSTAGED_BYTES;
    if (files.length > 0) await this.#each(files, { stage: "words", isParsed: !isStaged });
    // Without a second pass, flush the changes in the same transaction as the last files. Without files, contents that are
    // restored are committed before a merge moves them.
    await this.#commit(this.#unparsed.length === 0 ? plan : undefined);
  }

  /** The second pass, over files with a grammar, the most recently changed first. */
  async #parse(plan: FlushPlan): Promise<void> {
    if (this.#unparsed.length === 0) return;
    const files = this.#unparsed.toSorted(
      (one, other) => other.record.mtimeMs - one.record.mtimeMs,
    );
    await this.#each(files, { stage: "syntax", isParsed: true });
    await this.#commit(plan);
  }

  /** Several threads parse if there is much to parse. */
  async #each(files: readonly FoundFile[], { stage, isParsed }: StageOptions): Promise<void> {
    const { grammars, startParsers, texts, watch } = this.#hooks;
    const sources = new Map(this.#job.sources.map((source) => [source.id, source]));
    const parser = new FileParser(sources, isParsed ? grammars : undefined);
    // Monitors are matched in this thread, with all that the parser knows of a file.
    const isDivided = isParsed && !watch.hasMonitors;
    const threads = (isDivided ? await startParsers?.(bytesOf(files)) : undefined) ?? [];
    const tasks = files.map((file) => this.#taskOf(file, stage));
    const results = new ParallelParser(parser, tasks, threads, {
      sources,
      keepsRawBytes: texts.keepsFiles,
      hasLowPriority: this.#job.isAwaited !== true,
    });
    try {
      await this.#takeEach(files, stage, { results, schedule: new CommitSchedule(files.length) });
    } finally {
      results.close();
      this.#needsNewThread ||= parser.isBroken;
      // The threads see that only now, and end. What follows needs their memory, and does not wait for events.
      if (threads.length > 0) await new Promise(setImmediate);
    }
    this.#progress(stage, files.length, files.length);
  }

  /** The text of a document is kept as soon as it is extracted, so an interrupted run need not do it again. */
  async #readDocuments(files: readonly FoundFile[], plan: FlushPlan): Promise<void> {
    const { grammars, texts } = this.#hooks;
    const parser = new DocumentParser({
      sources: new Map(this.#job.sources.map((source) => [source.id, source])),
      grammars,
      texts,
      hasLowPriority: this.#job.isAwaited !== true,
    });
    const tasks = files.map((file) => this.#taskOf(file, "documents")).entries();
    const next = async (): Promise<FileResult> => {
      const { value: [at, task] = [] } = tasks.next();
      if (at === undefined || task === undefined) throw new RangeError("no further file");
      this.#documents.setUnread(files.length - at - 1 + this.#unreadDocuments);
      return parser.parse(task);
    };
    try {
      await this.#takeEach(files, "documents", {
        results: { next },
        schedule: new CommitSchedule(files.length, "documents"),
      });
    } finally {
      await parser.close();
    }
    this.#progress("documents", files.length, files.length);
    await this.#commit(plan);
  }

  async #takeEach(
    files: readonly FoundFile[],
    stage: Stage,
    { results, schedule }: { results: Pick<ParallelParser, "next">; schedule: CommitSchedule },
  ): Promise<void> {
    for (const [done, file] of files.entries()) {
      // eslint-disable-next-line no-await-in-loop -- sequential, by design
      await this.#take(file, await results.next(), stage);
      if (this.#writer.isFull || schedule.isDue(done + 1)) {
        // eslint-disable-next-line no-await-in-loop -- as above
        await this.#commit();
        schedule.committed(done + 1);
      }
      if (done % FILES_PER_YIELD === 0 || stage === "documents") {
        this.#progress(stage, done, files.length);
        // eslint-disable-next-line no-await-in-loop -- as above
        await new Promise(setImmediate);
      }
    }
  }

  #taskOf(file: FoundFile, stage: Stage): FileTask {
    const { path } = file;
    const known = this.#known.get(path);
    const isNeeded =
      stage === "syntax" ||
      this.#mustReread(path) ||
      known?.hasContent !== true ||
      mayParseNow(known);
    return fileTask(file, isNeeded ? undefined : known.hash);
  }

  /** Gives the writer what was read of a file. */
  async #take(file: FoundFile, result: FileResult, stage: Stage): Promise<void> {
    const { path, record } = file;
    const { indexedMs } = result;
    const known = this.#known.get(path);
    const times = {
      size: record.sizeBytes,
      mtimeMs: record.mtimeMs,
      inode: record.inode,
      indexedMs,
    };
    this.#noteRacy(times);
    const isFirst = stage !== "syntax";
    if ("skip" in result) {
      if (isFirst) this.#counts.skipped += 1;
      this.#skip(file, result.skip, times);
    } else if ("parsed" in result) {
      if (isFirst) this.#count(known, result.parsed.state.hash);
      await this.#add(file, result.parsed);
    } else if ("isUnchanged" in result && known !== undefined) {
      // The content is the same: update only the times.
      this.#keepKnown(file, known);
      this.#writer.touch({ ...known, ...times });
    }
  }

  /** Skips a file. Only reasons from its content are kept until the file changes. */
  #skip({ source, path }: FoundFile, reason: SkipReason, times: FileTimes): void {
    const isOfContent = CONTENT_REASONS.has(reason);
    if (!isOfContent) this.#isRacy = true;
    const state = { ...listedState(source, path), ...(isOfContent ? times : UNKNOWN_TIMES) };
    this.#putSkipped({ ...state, skipped: reason });
  }

  async #add(
    file: FoundFile,
    { state: found, content: read, rawBytes, ...parsed }: ParsedFile,
  ): Promise<void> {
    const content = (await this.#facts?.added(found, read)) ?? read;
    const state = { ...found, symbols: content.symbols.length };
    if (state.stage === "words") this.#unparsed.push(file);
    const problem = this.#unparsable.note(file.path, parsed.problem);
    const { texts } = this.#hooks;
    const isKept = texts.keepsFiles || documentFormatOf(file.path) !== undefined;
    if (isKept && rawBytes !== undefined) texts.keep(state.hash, rawBytes);
    this.#documents.change(file.path, this.#known.get(file.path)?.skipped, null);
    const { fingerprints, monitored } = parsed;
    const version = fingerprints && this.#hooks.watch.versionOf(fingerprints, monitored);
    this.#writer.add({ ...state, ...problem }, content, version);
  }

  #count(known: FileRow | undefined, hash: string): void {
    if (known === undefined || known.stage === "listed") this.#counts.added += 1;
    else if (known.hash === hash) this.#counts.unchanged += 1;
    else this.#counts.changed += 1;
  }

  async #commit(plan?: FlushPlan): Promise<IndexVersion> {
    await this.#hooks.texts.flush();
    this.#facts?.record();
    const version = await this.#writer.commit(plan);
    this.#hooks.onCommit?.();
    return version;
  }

  #progress(stage: IndexStage, done: number, total: number): void {
    this.#hooks.onProgress?.({ stage, done, total });
  }
}
