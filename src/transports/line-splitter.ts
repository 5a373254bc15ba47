import { isUtf8 } from "node:buffer";

import { SvcError } from "../base/errors.ts";

const NEWLINE = 0x0a;
/** Space, tab and the carriage return of a CRLF line end, which JSON allows around a value. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const REPLACEMENT = "\ufffd";
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** Created once, including its stack, because invalid input may come in floods. */
const NOT_UTF8 = new SvcError("PARSE_ERROR", "The message is not valid UTF-8.");

interface LineHandlers {
  readonly onLine: (text: string) => void;
  readonly onUnreadable: (error: SvcError) => void;
}

/**
 * Splits bytes into lines before decoding them, so that a character split over two chunks stays whole. A line that
 * arrives in pieces is collected in blocks, so that neither one-byte pieces nor an oversized line cost more memory
 * than their bytes.
 */
export class LineSplitter {
  readonly #handlers: LineHandlers;
  readonly #blocks: Buffer[] = [];
  #bufferedBytes = 0;
  #isSkipping = false;

  constructor(handlers: LineHandlers) {
    this.#handlers = handlers;
  }

  /** Takes a chunk and calls the handlers for each line that it completes. */
  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline === -1 ? chunk.length : newline;
      const isWholeLine = newline !== -1 && this.#bufferedBytes === 0 && !this.#isSkipping;
      if (isWholeLine && end - from <= MAX_LINE_BYTES) this.#read(chunk, from, end);
      else this.#take(chunk.subarray(from, end), newline !== -1);
      from = end + 1;
    }
  }

  /** Ends the input. The last line may lack its newline. */
  end(): void {
    this.#take(Buffer.alloc(0), true);
  }

  #take(part: Buffer, isLineEnd: boolean): void {
    if (!this.#isSkipping && this.#bufferedBytes + part.length > MAX_LINE_BYTES) {
      this.#isSkipping = true;
      this.#clear();
      this.#handlers.onUnreadable(
        new SvcError("MESSAGE_TOO_LARGE", `A line may have up to ${MAX_LINE_BYTES} bytes.`),
      );
    }
    if (this.#isSkipping) {
      this.#isSkipping = !isLineEnd;
      return;
    }
    if (!isLineEnd) {
      this.#buffer(part);
    } else {
      this.#buffer(part);
      this.#read(Buffer.concat(this.#blocks, this.#bufferedBytes), 0, this.#bufferedBytes);
      this.#clear();
    }
  }

  #buffer(part: Buffer): void {
    let from = 0;
    while (from < part.length) {
      const offset = this.#bufferedBytes % BLOCK_BYTES;
      const index = (this.#bufferedBytes - offset) / BLOCK_BYTES;
      const block = (this.#blocks[index] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const copied = part.copy(block, offset, from);
      from += copied;
      this.#bufferedBytes += copied;
    }
  }

  /**
   * Keeps the first block for the next line that arrives in pieces. The memory of the others is free at once, not when
   * their garbage is collected.
   */
  #clear(): void {
    for (const { buffer } of this.#blocks.splice(1)) {
      if (buffer instanceof ArrayBuffer) buffer.transfer(0);
    }
    this.#bufferedBytes = 0;
  }

  /** Reads the line in these bytes of a chunk. Most of the cost of a short line would be views of its bytes. */
  #read(chunk: Buffer, from: number, end: number): void {
    let first = from;
    while (first < end && BLANKS.has(chunk[first] ?? 0)) first += 1;
    if (first === end) return;
    // A byte order mark is kept, so that the JSON parser refuses it instead of dropping it silently.
    const text = chunk.toString("utf8", from, end);
    // Every byte that is not UTF-8 becomes the replacement character, which may also be in the line itself.
    const isValid = !text.includes(REPLACEMENT) || isUtf8(chunk.subarray(from, end));
    if (isValid) this.#handlers.onLine(text);
    else this.#handlers.onUnreadable(NOT_UTF8);
  }
}
