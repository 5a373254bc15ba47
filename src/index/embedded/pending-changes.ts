import type { FileState } from "../types.ts";
import type { FileVersion } from "../change-log/change-event.ts";
import type { SegmentWriter } from "./segment/segment-writer.ts";

/** A file with a pending new state. */
interface PendingFile {
  readonly state: FileState;
  /** Index in the new segment; undefined if the file has no content. */
  readonly ordinal: number | undefined;
  /** Defined if the file is complete. */
  readonly version: FileVersion | undefined;
}

/** Changes of files that are not published yet. */
export class PendingChanges {
  readonly files = new Map<string, PendingFile>();
  readonly removed = new Set<string>();
  /** Indexes in the new segment of files that were replaced before it was published. */
  readonly superseded: number[] = [];
  /** The content of the files; undefined if none has content. */
  segment: SegmentWriter | undefined;

  get isEmpty(): boolean {
    return this.files.size === 0 && this.removed.size === 0;
  }

  /** Approximate memory of the content. */
  get sizeBytes(): number {
    return this.segment?.sizeBytes ?? 0;
  }

  put(state: FileState, ordinal?: number, version?: FileVersion): void {
    this.#supersede(state.path);
    this.files.set(state.path, { state, ordinal, version });
    this.removed.delete(state.path);
  }

  remove(path: string): void {
    this.#supersede(path);
    this.removed.add(path);
  }

  /** Drops the pending state of a path; the new segment already has its content. */
  #supersede(path: string): void {
    const ordinal = this.files.get(path)?.ordinal;
    if (ordinal !== undefined) this.superseded.push(ordinal);
    this.files.delete(path);
  }
}
