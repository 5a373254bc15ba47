// The log at one moment, while other processes keep writing it.
import * as fs from "node:fs";

import type { ChainKey } from "../chain.ts";
import { decodeHead, type Head, HeadFile } from "./head.ts";
import { AuditLock } from "./lock.ts";
import {
  type AuditDirectories,
  headPath,
  lockPath,
  logNumbers,
  logPath,
  openPrivate,
} from "./log-files.ts";

/** An open file of the log. */
export interface OpenFile {
  readonly number: number;
  /** File descriptor; `openAuditSnapshot`'s caller closes it. */
  readonly fd: number;
  /** Size in bytes at the moment of the snapshot. */
  readonly size: number;
}

export interface AuditSnapshot {
  readonly files: readonly OpenFile[];
  /** Undefined when there is no head, or when it was not written with this key. */
  readonly head: Head | undefined;
  /** True when there is a head file, valid or not. */
  readonly hasHead: boolean;
}

const LOCK_TIMEOUT_MS = 5000;

/** Opens every file and notes its size. Open files stay readable when the log rotates. The caller closes them. */
export function openAuditSnapshot(directories: AuditDirectories, key: ChainKey): AuditSnapshot {
  const openFiles = (): AuditSnapshot => {
    const files = logNumbers(directories).flatMap((number): OpenFile[] => {
      const fd = openPrivate(logPath(directories, number), "read");
      return fd === undefined ? [] : [{ number, fd, size: fs.fstatSync(fd).size }];
    });
    const headFile = HeadFile.open(headPath(directories), "read");
    const head = headFile === undefined ? undefined : decodeHead(key, headFile.read());
    headFile?.close();
    return { files, head, hasHead: headFile !== undefined };
  };
  return whileLocked(directories, openFiles);
}

/** Runs `work` while nobody writes the log. */
export function whileLocked<T>(places: AuditDirectories, work: () => T): T {
  let lock: AuditLock;
  try {
    lock = new AuditLock(lockPath(places));
  } catch {
    // The directory cannot be written to, so nobody writes the log.
    return work();
  }
  try {
    return lock.hold(LOCK_TIMEOUT_MS, work);
  } catch (error) {
    if (error instanceof Error && /readonly/.test(error.message)) return work();
    throw error;
  } finally {
    lock.close();
  }
}
