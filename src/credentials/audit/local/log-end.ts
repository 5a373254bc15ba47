// Finds the end of the log without writing: the head's position, plus whole lines after it that a killed process or
// a power cut left out of the head.
import * as fs from "node:fs";

import { isErrno } from "../../private-files.ts";
import type { LogEnd } from "./store-history.ts";
import { type ChainKey, isSuccessor, parseLine } from "../chain.ts";
import { committedIn } from "../commit-line.ts";
import { decodeHead, HeadFile } from "./head.ts";
import { type AuditDirectories, headPath, logPath, openPrivate } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";

/**
 * Returns undefined when there is no head written with this key. Reads only the lines after the head, mostly none.
 */
export function readLogEnd(places: AuditDirectories, key: ChainKey): LogEnd | undefined {
  const headFile = HeadFile.open(headPath(places), "read");
  const head = headFile === undefined ? undefined : decodeHead(key, headFile.read());
  headFile?.close();
  if (head === undefined) return undefined;
  let end: LogEnd = head;
  for (let number = Math.max(head.file, 1); ; number += 1) {
    const fd = openIfPossible(logPath(places, number));
    if (fd === undefined) return end;
    try {
      end = extended(end, { fd, from: number === head.file ? head.size : 0, key });
    } finally {
      fs.closeSync(fd);
    }
  }
}

function extended(
  from: LogEnd,
  file: { readonly fd: number; readonly from: number; readonly key: ChainKey },
): LogEnd {
  let end = from;
  for (const { bytes, isComplete } of readRawLines(
    file.fd,
    file.from,
    fs.fstatSync(file.fd).size,
  )) {
    const line = isComplete ? parseLine(bytes) : undefined;
    if (line?.seq !== end.seq + 1 || !isSuccessor(file.key, end.mac, line)) break;
    const generation = Math.max(end.generation, committedIn(bytes));
    end = { seq: line.seq, mac: line.mac, generation };
  }
  return end;
}

/** Other checks report an unreadable file as damage; here the log ends before it. */
function openIfPossible(path: string): number | undefined {
  try {
    return openPrivate(path, "read");
  } catch (error) {
    if (isErrno(error, "EMFILE") || isErrno(error, "ENFILE")) throw error;
    return undefined;
  }
}
