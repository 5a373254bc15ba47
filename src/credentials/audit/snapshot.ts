// The log as it is at one moment, while others go on writing it.
import * as fs from "node:fs";

import type { ChainKey } from "./chain.ts";
import { decodeHead, type Head, HeadFile } from "./head.ts";
import { AuditLock } from "./lock.ts";
import {
  type AuditPlaces,
  headPath,
  lockPath,
  logNumbers,
  logPath,
  openPrivate,
} from "./log-files.ts";

export interface OpenFile {
  readonly number: number;
  readonly fd: number;
  readonly size: number;
}

export interface Snapshot {
  readonly files: readonly OpenFile[];
  /** Undefined when there is none, or one that this key did not write. */
  readonly head: Head | undefined;
  readonly hasHead: boolean;
}

const WAIT_MS = 5000;

/** Files that are open stay readable when the log moves on; their sizes are those of one moment. */
export function takeSnapshot(places: AuditPlaces, key: ChainKey): Snapshot {
  const take = (): Snapshot => {
    const files = logNumbers(places).flatMap((number): OpenFile[] => {
      const fd = openPrivate(logPath(places, number), "read");
      return fd === undefined ? [] : [{ number, fd, size: fs.fstatSync(fd).size }];
    });
    const headFile = HeadFile.open(headPath(places), "read");
    const head = headFile === undefined ? undefined : decodeHead(key, headFile.read());
    headFile?.close();
    return { files, head, hasHead: headFile !== undefined };
  };
  let lock: AuditLock;
  try {
    lock = new AuditLock(lockPath(places));
  } catch {
    // Where nothing can be written, nobody writes.
    return take();
  }
  try {
    return lock.hold(WAIT_MS, take);
  } catch (error) {
    if (error instanceof Error && /readonly/.test(error.message)) return take();
    throw error;
  } finally {
    lock.close();
  }
}
