import type { FileState } from "../types.ts";
import type { FileVersion } from "../change-log/change-event.ts";
import type { EarlierPlace } from "./catalog/earlier-table.ts";
import type { SegmentWriter } from "./segment/segment-writer.ts";

/** Where the content of a pending file is. */
export interface PendingPlace {
  /** The shard of its new segment. */
  readonly shard: number;
  /** Index in that segment. */
  readonly ordinal: number;
}

/** A file with a pending new state. */
interface PendingFile {
  readonly state: FileState;
  /** Undefined if the file has no content, or an earlier one. */
  readonly place: PendingPlace | undefined;
  /** Where its content is, if the file had it before. */
  readonly earlier?: EarlierPlace;
  /** Defined if the file is complete. */
  readonly version: FileVersion | undefined;
}

/** Changes of files that are not published yet. */
export class PendingChanges {
  readonly files = new Map<string, PendingFile>();
  readonly removed = new Set<string>();
  /** Places of files that were replaced before they were published. */
  readonly superseded: PendingPlace[] = [];
  /** Number of shards that the files are divided into. */
  readonly shards: number;
  /** The content of the files by shard. */
  readonly segments = new Map<number, SegmentWriter>();

  constructor(shards: number) {
    this.shards = shards;
  }

  get isEmpty(): boolean {
    return this.files.size === 0 && this.removed.size === 0;
  }

  /** Approximate memory of the content. */
  get sizeBytes(): number {
    return [...this.segments.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  put(state: FileState, place?: PendingPlace, version?: FileVersion): void {
    this.#supersede(state.path);
    this.files.set(state.path, { state, place, version });
    this.removed.delete(state.path);
  }

  /** Puts a file with a content that it had before. */
  restore(state: FileState, earlier: EarlierPlace, version: FileVersion): void {
    this.put(state, undefined, version);
    this.files.set(state.path, { state, place: undefined, earlier, version });
  }

  remove(path: string): void {
    this.#supersede(path);
    this.removed.add(path);
  }

  /** Drops the pending state of a path; the new segment already has its content. */
  #supersede(path: string): void {
    const place = this.files.get(path)?.place;
    if (place !== undefined) this.superseded.push(place);
    this.files.delete(path);
  }
}
