import { readSync } from "node:fs";

/** One line of a file, without its newline. */
export interface RawLine {
  /** Valid until the next line is read. */
  readonly bytes: Buffer;
  /** Offset where the next line begins. */
  readonly end: number;
  /** False for the text after the last newline of a file. */
  readonly isComplete: boolean;
}

const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;
/** No line of svc is nearly as long. Longer input is returned in pieces, none of which parses as a line. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Yields the lines of an open file between two byte offsets, read in blocks of 64 KB. */
export function* readRawLines(fd: number, from: number, to: number): Generator<RawLine> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let offset = from;
  let end = from;
  while (offset < to) {
    const length = readSync(fd, block, 0, Math.min(BLOCK_BYTES, to - offset), offset);
    if (length === 0) break;
    offset += length;
    let bytes =
      rest.length === 0
        ? block.subarray(0, length)
        : Buffer.concat([rest, block.subarray(0, length)]);
    let at = bytes.indexOf(NEWLINE, rest.length);
    while (at !== -1) {
      end += at + 1;
      yield { bytes: bytes.subarray(0, at), end, isComplete: true };
      bytes = bytes.subarray(at + 1);
      at = bytes.indexOf(NEWLINE);
    }
    if (bytes.length > MAX_LINE_BYTES) {
      end += bytes.length;
      yield { bytes, end, isComplete: true };
      bytes = bytes.subarray(bytes.length);
    }
    rest = Buffer.from(bytes);
  }
  if (rest.length > 0) yield { bytes: rest, end: end + rest.length, isComplete: false };
}
