import type { Writable } from "node:stream";

const BLOCK_BYTES = 64 * 1024;
/** Shorter writes are copied out of the block, because a pending write would keep the whole block in use. */
const MIN_BLOCK_WRITE_BYTES = BLOCK_BYTES / 4;
const MAX_FREE_BLOCKS = 16;
/** Bytes of UTF-8 per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Writes lines to a stream. Lines of one event-loop turn are written together, because each write costs a system
 * call and a buffer. Buffers are reused: the garbage collector does not keep up with thousands of dropped buffers
 * per second.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #flush = (): void => this.flush();
  readonly #free: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  /**
   * The rest of a long line, and what comes after it. One part is written after the other, so that `unwrittenBytes` shows
   * whether the reader continues to read.
   */
  readonly #parts: Buffer[] = [];
  #partBytes = 0;
  #isWritingPart = false;
  #onPartsWritten: (() => void) | undefined;
  readonly #onRoom: () => void;

  /** `onRoom` is called when `unwrittenBytes` has become less after a write that the system did not take at once. */
  constructor(output: Writable, onRoom: () => void = () => {}) {
    this.#output = output;
    this.#onRoom = onRoom;
    output.on("drain", onRoom);
  }

  /** Number of bytes that the system has not taken yet. */
  get unwrittenBytes(): number {
    return this.#output.writableLength + this.#filled + this.#partBytes;
  }

  /** Queues a line. It is written in this turn of the event loop. */
  write(line: string): void {
    if (this.#filled === 0) process.nextTick(this.#flush);
    this.#add(line);
  }

  /** Writes a line at once, after the queued ones. */
  writeNow(line: string): void {
    this.#add(line);
    this.flush();
  }

  #add(line: string): void {
    const maxBytes = line.length * MAX_BYTES_PER_UNIT + 1;
    if (this.#filled + maxBytes > BLOCK_BYTES) this.flush();
    if (maxBytes > BLOCK_BYTES) {
      this.#queue(Buffer.from(`${line}\n`));
      return;
    }
    const block = (this.#block ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES));
    this.#filled += block.write(line, this.#filled);
    this.#filled += block.write("\n", this.#filled);
  }

  /** Writes the queued lines now. */
  flush(): void {
    const block = this.#block;
    if (block === undefined || this.#filled === 0) return;
    const bytes = block.subarray(0, this.#filled);
    this.#filled = 0;
    if (this.#isWritingPart) {
      this.#queue(Buffer.from(bytes));
      return;
    }
    if (bytes.length < MIN_BLOCK_WRITE_BYTES) {
      this.#output.write(Buffer.from(bytes));
      return;
    }
    this.#block = undefined;
    this.#output.write(bytes, () => {
      if (this.#free.length < MAX_FREE_BLOCKS) this.#free.push(block);
    });
  }

  /** Writes the queued lines, and resolves when the system has taken all of them, or the output is closed. */
  async finish(): Promise<void> {
    this.flush();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#output.once("close", resolve);
    const writeLast = (): void => void this.#output.write("", () => resolve());
    if (this.#isWritingPart) this.#onPartsWritten = writeLast;
    else writeLast();
    await promise;
  }

  #queue(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      this.#parts.push(bytes.subarray(at, at + BLOCK_BYTES));
    }
    this.#partBytes += bytes.length;
    if (!this.#isWritingPart) this.#writePart();
  }

  #writePart(): void {
    const part = this.#parts.shift();
    this.#isWritingPart = part !== undefined;
    if (part === undefined) {
      this.#onPartsWritten?.();
      return;
    }
    this.#partBytes -= part.length;
    this.#output.write(part, (error) => {
      const isReaderGone = error instanceof Error;
      if (isReaderGone) {
        this.#parts.length = 0;
        this.#partBytes = 0;
      }
      this.#writePart();
      if (!isReaderGone) this.#onRoom();
    });
  }
}
