import { readFileSync, statfsSync, watch } from "node:fs";

import { pathFromBytes, toFilePath } from "../base/path-bytes.ts";
import { watchLimitError } from "./watch-limit-error.ts";

/** An active watch of a directory. */
export interface FolderWatcher {
  readonly close: () => void;
}

/** `name`: the changed entry, relative to the folder; undefined if the system does not report it. */
export type OnChange = (name: string | undefined, isRename: boolean) => void;

/**
 * Watches a directory; with `recursive`, everything below it too. Undefined if the directory does not exist or
 * is unreadable. Throws WatchLimitError.
 */
export function watchFolder(
  path: string,
  onChange: OnChange,
  { recursive = false }: { readonly recursive?: boolean } = {},
): FolderWatcher | undefined {
  try {
    // On systems that watch a tree, names are Unicode, and Node's recursive mode reports no other encoding.
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
 * Returns how many events may arrive in one go while certainly none is lost. The inotify queue drops events
 * when it is full, and libuv does not report that; but the events that filled the queue arrive first.
 */
export function maxReliableEvents(): number {
  try {
    const text = readFileSync("/proc/sys/fs/inotify/max_queued_events", "latin1");
    return Math.max(1, Math.floor((Number(text) || DEFAULT_QUEUE_LENGTH) / 2));
  } catch {
    return DEFAULT_QUEUE_LENGTH / 2;
  }
}

/** File systems, by magic number (statfs(2)), that do not report changes by other machines. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
  [0x00c36400, "Ceph"],
]);

/** The name of the directory's file system if it may not report changes; undefined for others. */
export function remoteFileSystem(path: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return REMOTE.get(statfsSync(toFilePath(path)).type >>> 0);
  } catch {
    return undefined;
  }
}
