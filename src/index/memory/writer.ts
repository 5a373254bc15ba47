import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { FileVersion, FlushPlan } from "../change-log/change-event.ts";
import { needsFlush } from "../change-log/flush-changes.ts";
import { Fence, writtenByAnother } from "../fence.ts";
import { areRanksStale } from "../pagerank/stale-ranks.ts";
import type { IndexVersion, IndexWriter, MonitorState, WriteOptions } from "../port.ts";
import type { ShardCount } from "../shards/shard-count.ts";
import type { EncodedFileInput, FileInput, FileRow, FileState } from "../types.ts";
import { Embedder } from "../vectors/vector-writer.ts";
import {
  withFiles,
  withOtherEmbedder,
  withQuietChanges,
  withRanks,
  withShards,
  type NextFile,
} from "./changes.ts";
import { rowsOf, type IndexState } from "./index-state.ts";
import { indexedContent } from "./indexed-content.ts";
import type { MemoryIndex } from "./indexes.ts";
import { memoryMonitorState } from "./monitor-state.ts";

interface MemoryWriterOptions extends Pick<WriteOptions, "embeddings" | "beforeCommit" | "shards"> {
  readonly index: MemoryIndex;
  /** Releases the writer's lock. */
  readonly release: () => void;
}

/** Writes an index in memory. The creator must hold the writer's lock. */
export class MemoryWriter implements IndexWriter {
  readonly #index: MemoryIndex;
  readonly #release: () => void;
  readonly #embeddings: EmbeddingSource | undefined;
  readonly #beforeCommit: WriteOptions["beforeCommit"];
  readonly #shardCount: ShardCount | undefined;
  readonly #fence: Fence;
  #embedder: Embedder | undefined;
  #hasOtherEmbeddings = false;
  #isClosed = false;
  /** Changed files by path, in the order of their last change; null if they are removed. */
  #next = new Map<string, NextFile | null>();
  #touched: FileState[] = [];
  #notes = new Map<string, string>();
  /** There is no limit of memory. */
  readonly isFull = false;

  private constructor({ index, release, embeddings, beforeCommit, shards }: MemoryWriterOptions) {
    this.#index = index;
    this.#release = release;
    this.#embeddings = embeddings;
    this.#beforeCommit = beforeCommit;
    this.#shardCount = shards;
    this.#fence = new Fence(this.#state.fenceMark);
  }

  /** Prepares an index with vectors of another embedding table. */
  static async open(options: MemoryWriterOptions): Promise<MemoryWriter> {
    const writer = new MemoryWriter(options);
    const embedder = options.embeddings?.id ?? "";
    if (writer.#state.embedder !== embedder) {
      await writer.#change((state) => withOtherEmbedder(state, embedder));
      writer.#hasOtherEmbeddings = writer.#state.at > 0;
    }
    return writer;
  }

  get #state(): IndexState {
    return this.#index.requireState();
  }

  get fence(): number {
    return this.#fence.number;
  }

  get hasOtherEmbeddings(): boolean {
    return this.#hasOtherEmbeddings;
  }

  readonly files: IndexWriter["files"] = async () => byPath(rowsOf(this.#state));

  readonly filesIn: IndexWriter["filesIn"] = async ({ direct, recursive }) =>
    byPath(
      rowsOf(this.#state).filter(({ path }) => {
        const folders = foldersOf(path);
        return (
          direct.includes(folders.at(-1) ?? "") || recursive.some((one) => folders.includes(one))
        );
      }),
    );

  note(name: string): string | undefined {
    return this.#state.notes.get(name);
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value);
  }

  add(state: FileState, content: FileInput | EncodedFileInput, version?: FileVersion): void {
    this.#embedder ??= this.#embeddings && new Embedder(this.#embeddings);
    this.#replace(state.path, {
      state,
      content: indexedContent(content, this.#embedder),
      version,
    });
  }

  put(state: FileState): void {
    this.#replace(state.path, { state, content: undefined, version: undefined });
  }

  touch(state: FileState): void {
    this.#touched.push(state);
  }

  remove(path: string): void {
    this.#replace(path, null);
  }

  #replace(path: string, file: NextFile | null): void {
    this.#next.delete(path);
    this.#next.set(path, file);
  }

  readonly commit = async (plan?: FlushPlan): Promise<IndexVersion> => {
    this.#requireOpen();
    const { at, changeLog } = this.#state;
    const [next, touched, notes] = [this.#next, this.#touched, this.#notes];
    this.#next = new Map();
    this.#touched = [];
    this.#notes = new Map();
    const isDue = plan !== undefined && needsFlush(changeLog, plan);
    if (next.size > 0 || isDue || at === 0) {
      await this.#change((state) =>
        withShards(
          withQuietChanges(withFiles(state, next, plan), { touched, notes }),
          this.#shardCount,
        ),
      );
    } else if (touched.length > 0 || notes.size > 0) {
      await this.#change((state) => withQuietChanges(state, { touched, notes }));
    }
    return { epoch: this.#state.epoch, at: this.#state.at };
  };

  readonly merge: IndexWriter["merge"] = async () => false;

  readonly collect = async (): Promise<void> => {};

  readonly computePageRank = async (): Promise<boolean> => {
    const { staleCount, contents } = this.#state;
    if (!areRanksStale(staleCount, contents.files)) return false;
    await this.#change(withRanks);
    return true;
  };

  get monitorState(): MonitorState {
    return memoryMonitorState(
      () => this.#state,
      (change) => this.#change(change),
    );
  }

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    this.#next = new Map();
    this.#release();
  };

  /** Runs one transaction: replaces the state by the one that `change` returns. */
  async #change(change: (state: IndexState) => IndexState): Promise<void> {
    this.#requireOpen();
    const before = this.#state;
    const fenceMark = this.#fence.markOver(before.fenceMark);
    const state = { ...change(before), fenceMark };
    await this.#beforeCommit?.();
    // While this writer waited, its lock may have been revoked, and another one may have written.
    if (this.#state !== before) throw writtenByAnother();
    this.#index.publish(state);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error("the writer is closed");
  }
}

function byPath(rows: readonly FileRow[]): ReadonlyMap<string, FileRow> {
  return new Map(rows.map((row) => [row.path, row]));
}

/** Returns the folders that contain a file, from the root ("") to its own. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, at) => parts.slice(0, at + 1).join("/"))];
}
