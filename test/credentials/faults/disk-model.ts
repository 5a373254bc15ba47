// Models a disk after a power cut: all synced data, and any part of the rest in any order, torn at sector
// boundaries. Directories are synced separately, as in POSIX; their changes keep their order.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SECTOR = 512;

export type Operation =
  | { readonly kind: "create"; readonly path: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "sync"; readonly path: string }
  /** Appends unless `offset` is set. */
  | {
      readonly kind: "write";
      readonly path: string;
      readonly offset?: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string };

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };
type Entries = Map<string, FileState>;

interface FileState {
  synced: Buffer;
  /** Size including all pending changes. */
  size: number;
  pending: Change[];
}

interface DirectoryState {
  readonly synced: Entries;
  pending: ((entries: Entries) => unknown)[];
}

export class DiskModel {
  /** The state that programs see. */
  readonly #now: Entries = new Map();
  readonly #directories = new Map<string, DirectoryState>();

  /** Executes the next operation of a program. Throws when it names a missing file. */
  apply(operation: Operation): void {
    const { kind, path } = operation;
    if (kind === "sync") return this.#sync(path);
    if (kind === "create") {
      const file: FileState = { synced: Buffer.alloc(0), size: 0, pending: [] };
      return this.#change(path, (entries) => entries.set(path, file));
    }
    const file = this.#now.get(path);
    if (file === undefined) throw new Error(`${kind}: there is no ${path}`);
    if (kind === "remove") {
      this.#change(path, (entries) => entries.delete(path));
    } else if (kind === "truncate") {
      file.pending.push({ size: operation.size });
      file.size = operation.size;
    } else if (kind === "write") {
      const { bytes, offset = file.size } = operation;
      file.pending.push({ offset, bytes });
      file.size = Math.max(file.size, offset + bytes.length);
    } else {
      this.#change(path, (entries) => {
        if (kind === "rename") entries.delete(path);
        entries.set(operation.to, file);
      });
    }
  }

  /** Returns the files after a power cut now, by path. `random` returns numbers below 1. */
  afterPowerCut(random: () => number): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    const share = random();
    for (const { synced, pending } of this.#directories.values()) {
      const entries = new Map(synced);
      const survived = Math.floor(random() * (pending.length + 1));
      for (const change of pending.slice(0, survived)) change(entries);
      for (const [path, file] of entries) {
        const survives = (): boolean => random() < share;
        files.set(
          path,
          file.pending.reduce((bytes, change) => torn(bytes, change, survives), file.synced),
        );
      }
    }
    return files;
  }

  #sync(path: string): void {
    const directory = this.#directories.get(path);
    if (directory !== undefined) {
      for (const change of directory.pending) change(directory.synced);
      directory.pending = [];
    }
    const file = this.#now.get(path);
    if (file === undefined) return;
    file.synced = file.pending.reduce(
      (bytes, change) => torn(bytes, change, () => true),
      file.synced,
    );
    file.pending = [];
  }

  /** Records a change of the entries of one directory. */
  #change(path: string, change: (entries: Entries) => unknown): void {
    const name = dirname(path);
    const directory = this.#directories.get(name) ?? emptyDirectory();
    this.#directories.set(name, directory);
    directory.pending.push(change);
    change(this.#now);
  }
}

function emptyDirectory(): DirectoryState {
  return { synced: new Map(), pending: [] };
}

/** Returns the bytes after a change of which each sector may survive or not. */
function torn(bytes: Buffer, change: Change, survives: () => boolean): Buffer {
  if ("size" in change) return survives() ? resized(bytes, change.size) : bytes;
  const end = change.offset + change.bytes.length;
  const parts: [from: number, to: number][] = [];
  for (let at = change.offset; at < end;) {
    const next = Math.min(end, (Math.floor(at / SECTOR) + 1) * SECTOR);
    if (survives()) parts.push([at, next]);
    at = next;
  }
  const result = resized(bytes, Math.max(bytes.length, parts.at(-1)?.[1] ?? 0));
  for (const [from, to] of parts) {
    result.set(change.bytes.subarray(from - change.offset, to - change.offset), from);
  }
  return result;
}

/** Returns a copy of that size, padded with zeros. */
function resized(bytes: Buffer, size: number): Buffer {
  const result = Buffer.alloc(size);
  bytes.copy(result);
  return result;
}

/** Makes a directory contain exactly these files and their directories. */
export function plantDisk(
  root: string,
  directories: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): void {
  rmSync(root, { recursive: true, force: true });
  for (const name of directories) mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
  for (const [path, bytes] of files) writeFileSync(path, bytes, { mode: 0o600 });
}
