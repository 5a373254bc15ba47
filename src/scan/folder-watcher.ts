import { readFileSync, statfsSync, watch } from "node:fs";

import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { watchLimitError } from "./watch-limit-error.ts";

export interface FolderWatcher {
  readonly close: () => void;
}

/** `name` of an entry, from the folder; undefined where the system does not say which. */
export type OnChange = (name: string | undefined, isRename: boolean) => void;

/**
 * Hears of changes in a directory; with `recursive` in all below it. Undefined where it is gone or may not be
 * read. Throws WatchLimit.
 */
export function watchFolder(
  path: string,
  onChange: OnChange,
  { recursive = false }: { readonly recursive?: boolean } = {},
): FolderWatcher | undefined {
  try {
    // Where a tree is watched names are Unicode, and Node's own way to do that takes no other.
    const watcher = recursive
      ? watch(path, { recursive }, (event, name) => onChange(name ?? undefined, event === "rename"))
      : watch(toFilePath(path), { encoding: "buffer" }, (event, name) =>
          onChange(name === null ? undefined : pathFromBytes(name), event === "rename"),
        );
    watcher.on("error", () => onChange(undefined, true));
    return watcher;
  } catch (thrown) {
    const limit = watchLimitError(thrown);
    if (limit === undefined) return undefined;
    throw limit;
  }
}

const DEFAULT_QUEUE_LENGTH = 16_384;

/**
 * How many events of a tree may be heard in one go while certainly none is lost. The queue of inotify drops
 * what it has no room for, and libuv tells nobody; but then what fills the queue is heard first.
 */
export function maxReliableEvents(): number {
  try {
    const text = readFileSync("/proc/sys/fs/inotify/max_queued_events", "latin1");
    return Math.max(1, Math.floor((Number(text) || DEFAULT_QUEUE_LENGTH) / 2));
  } catch {
    return DEFAULT_QUEUE_LENGTH / 2;
  }
}

/** File systems by their magic number (statfs(2)) that do not hear of what other machines change. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
  [0x00c36400, "Ceph"],
]);

/** The kind of file system of a directory whose changes may go unheard. */
export function remoteFileSystem(path: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return REMOTE.get(statfsSync(toFilePath(path)).type >>> 0);
  } catch {
    return undefined;
  }
}
