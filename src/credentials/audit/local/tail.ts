import * as fs from "node:fs";

import type { AuditPosition, AuditTail } from "../port.ts";
import { type AuditDirectories, logNumbers, logPath, openPrivate } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";

/** Returns the last `count` lines of the log; undefined when there is no log. */
export function readTail(directories: AuditDirectories, count: number): AuditTail | undefined {
  const numbers = logNumbers(directories);
  let next: AuditPosition | undefined;
  let lines: string[] = [];
  for (const part of numbers.toReversed()) {
    const found = linesOf(directories, { part, offset: 0 }, count - lines.length);
    if (found === undefined) continue;
    next ??= found.next;
    lines = [...found.lines, ...lines];
    if (lines.length >= count) break;
  }
  return next === undefined ? undefined : { lines, next };
}

/** Returns the lines added after `from`. */
export function linesSince(directories: AuditDirectories, from: AuditPosition): AuditTail {
  const lines: string[] = [];
  let next = from;
  for (const part of logNumbers(directories)) {
    if (part < from.part) continue;
    const found = linesOf(directories, part === from.part ? from : { part, offset: 0 }, Infinity);
    lines.push(...(found?.lines ?? []));
    next = found?.next ?? next;
  }
  return { lines, next };
}

/** Keeps up to `count` lines in memory, whatever the size of the file. */
function linesOf(
  directories: AuditDirectories,
  { part, offset }: AuditPosition,
  count: number,
): AuditTail | undefined {
  const fd = openPrivate(logPath(directories, part), "read");
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
    return { lines, next: { part, offset: next } };
  } finally {
    fs.closeSync(fd);
  }
}
