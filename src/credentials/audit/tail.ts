import * as fs from "node:fs";

import { type AuditDirectories, logNumbers, logPath, openPrivate } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";

interface LogOffset {
  readonly file: number;
  readonly offset: number;
}

/** The end of the log. */
export interface Tail {
  /** Whole lines as stored in the log, without their newlines. They are not verified. */
  readonly lines: readonly string[];
  /** Where the next line will begin. */
  readonly next: LogOffset;
}

/** Returns the last `count` lines of the log; undefined when there is no log. */
export function readTail(directories: AuditDirectories, count: number): Tail | undefined {
  const numbers = logNumbers(directories);
  let next: LogOffset | undefined;
  let lines: string[] = [];
  for (const file of numbers.toReversed()) {
    const part = linesOf(directories, { file, offset: 0 }, count - lines.length);
    if (part === undefined) continue;
    next ??= part.next;
    lines = [...part.lines, ...lines];
    if (lines.length >= count) break;
  }
  return next === undefined ? undefined : { lines, next };
}

/** Returns the lines added after `from`. */
export function linesSince(directories: AuditDirectories, from: LogOffset): Tail {
  const lines: string[] = [];
  let next = from;
  for (const file of logNumbers(directories)) {
    if (file < from.file) continue;
    const part = linesOf(directories, file === from.file ? from : { file, offset: 0 }, Infinity);
    lines.push(...(part?.lines ?? []));
    next = part?.next ?? next;
  }
  return { lines, next };
}

/** Keeps up to `count` lines in memory, whatever the size of the file. */
function linesOf(
  directories: AuditDirectories,
  { file, offset }: LogOffset,
  count: number,
): Tail | undefined {
  const fd = openPrivate(logPath(directories, file), "read");
  if (fd === undefined) return undefined;
  try {
    const lines: string[] = [];
    let next = offset;
    for (const { bytes, end, isComplete } of readRawLines(fd, offset, fs.fstatSync(fd).size)) {
      if (!isComplete) break;
      next = end;
      lines.push(bytes.toString("utf8"));
      if (lines.length > count) lines.shift();
    }
    return { lines, next: { file, offset: next } };
  } finally {
    fs.closeSync(fd);
  }
}
