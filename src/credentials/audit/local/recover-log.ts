// Finds out how the log changed after its head was written: lines that a process added before it was killed, a
// half-written line, or lines lost in a power cut. Anything else is tampering.
import * as fs from "node:fs";

import { type ChainKey, isSuccessor, type LineFields, NO_MAC, parseLine } from "../chain.ts";
import { committedIn } from "../commit-line.ts";
import { type Head, isSameBoot } from "./head.ts";
import { type AuditDirectories, logNumbers, logPath, openPrivate } from "./log-files.ts";
import { readRawLines } from "./read-lines.ts";

/** A position in the chain of lines. */
export type LogPosition = Pick<Head, "seq" | "mac" | "file" | "size" | "generation">;

interface RecoveryResult {
  readonly position: LogPosition;
  /** The repairs made, as lines for the log. */
  readonly notes: readonly LineFields[];
}

/** The log was tampered with; the message says how. */
export class BrokenChainError extends Error {
  override readonly name = "BrokenChainError";
}

/** Repairs what a killed process or a power cut left. Throws BrokenChainError. The caller holds the lock. */
export function recoverLog(
  {
    places,
    key,
    boot,
  }: { readonly places: AuditDirectories; readonly key: ChainKey; readonly boot: string },
  head: Head,
): RecoveryResult {
  const notes: LineFields[] = [];
  let position: LogPosition = head;
  if (head.file > 0) {
    position = withFile(logPath(places, head.file), (fd) => {
      const found = endsWith(fd, head) ? head : recoverAfterPowerLoss(fd, key, { head, boot });
      if (found.seq < head.seq) {
        fs.ftruncateSync(fd, found.size);
        notes.push({ event: "log.mended", why: "power cut", lost_lines: head.seq - found.seq });
      }
      return extendPosition(fd, key, { from: found, notes });
    });
  }
  const newest = logNumbers(places).at(-1) ?? 0;
  while (position.file < newest) {
    const number = position.file + 1;
    const path = logPath(places, number);
    const start: LogPosition = { ...position, file: number, size: 0 };
    const end = withFile(path, (fd) => extendPosition(fd, key, { from: start, notes }));
    if (end.seq > start.seq) {
      position = end;
    } else if (number === newest) {
      // The process was killed before the first line was complete.
      fs.rmSync(path);
      break;
    } else {
      throw new BrokenChainError(`file ${number} is empty`);
    }
  }
  return { position, notes };
}

/** Returns the end of the last valid line; undefined when the first line is not valid. */
export function lastValidPosition(
  fd: number,
  key: ChainKey,
  file: number,
): LogPosition | undefined {
  let position: LogPosition | undefined;
  for (const { bytes, end, isComplete } of readRawLines(fd, 0, fs.fstatSync(fd).size)) {
    const line = isComplete ? parseLine(bytes) : undefined;
    if (line === undefined) break;
    const previous = position?.mac ?? claimedPreviousMac(bytes);
    if (!isSuccessor(key, previous, line)) break;
    const generation = Math.max(position?.generation ?? 0, committedIn(bytes));
    position = { seq: line.seq, mac: line.mac, file, size: end, generation };
  }
  return position;
}

/** Returns the predecessor's MAC that the first line of a file claims. */
export function claimedPreviousMac(bytes: Buffer): string {
  return /"previous":"([0-9a-f]{64})"/.exec(bytes.toString("latin1"))?.[1] ?? NO_MAC;
}

function withFile<T>(path: string, work: (fd: number) => T): T {
  const fd = openPrivate(path, "append");
  if (fd === undefined) throw new BrokenChainError("a file is missing");
  try {
    return work(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Whether the file contains the head's MAC where the head says that its line ends. */
function endsWith(fd: number, { size, mac }: Head): boolean {
  const tail = Buffer.alloc(mac.length + 3);
  fs.readSync(fd, tail, 0, tail.length, Math.max(0, size - tail.length));
  return tail.toString("latin1") === `${mac}"}\n`;
}

/** Accepts missing lines only if they were not yet on disk when the machine stopped. */
function recoverAfterPowerLoss(
  fd: number,
  key: ChainKey,
  { head, boot }: { readonly head: Head; readonly boot: string },
): LogPosition {
  const isShort = fs.fstatSync(fd).size < head.size;
  const found = isSameBoot(head.boot, boot) ? undefined : lastValidPosition(fd, key, head.file);
  if (found === undefined || found.seq < head.synced || found.seq >= head.seq) {
    throw new BrokenChainError(
      isShort ? "lines were cut off its end" : "its last line was altered",
    );
  }
  // A committed generation stays committed, even if its commit line is lost.
  return { ...found, generation: head.generation };
}

/** Accepts whole lines after `from` and truncates an incomplete line at the end. */
function extendPosition(
  fd: number,
  key: ChainKey,
  { from, notes }: { readonly from: LogPosition; readonly notes: LineFields[] },
): LogPosition {
  let position = from;
  for (const { bytes, end, isComplete } of readRawLines(fd, from.size, fs.fstatSync(fd).size)) {
    if (!isComplete) {
      fs.ftruncateSync(fd, position.size);
      notes.push({ event: "log.mended", why: "half a line", cut_bytes: bytes.length });
      break;
    }
    const line = parseLine(bytes);
    if (line?.seq !== position.seq + 1 || !isSuccessor(key, position.mac, line)) {
      throw new BrokenChainError("a line was altered or added");
    }
    const generation = Math.max(position.generation, committedIn(bytes));
    position = { ...position, seq: line.seq, mac: line.mac, size: end, generation };
  }
  return position;
}
