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
   * Parts of long lines, and what comes after them. One is written after the other, so that `unwrittenBytes` shows whether
   * the reader reads. The first is being written.
   */
  readonly #parts: Buffer[] = [];
  #partBytes = 0;
  #whenWritten: (() => void) | undefined;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Number of bytes that the system has not taken yet. */
  get unwrittenBytes(): number {
    const waiting = this.#partBytes - (this.#parts[0]?.length ?? 0);
    return this.#output.writableLength + this.#filled + waiting;
  }

  /** Queues a line. It is written in this turn of the event loop. */
  write(line: string): void {
    const maxBytes = line.length * MAX_BYTES_PER_UNIT + 1;
    if (this.#filled + maxBytes > BLOCK_BYTES) this.flush();
    if (maxBytes > BLOCK_BYTES) {
      this.#queue(Buffer.from(`${line}\n`));
      return;
    }
    if (this.#filled === 0) process.nextTick(this.#flush);
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
    if (this.#parts.length > 0) {
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
  async written(): Promise<void> {
    this.flush();
    if (this.#parts.length > 0) await new Promise<void>((resolve) => (this.#whenWritten = resolve));
    await new Promise<void>((resolve) => {
      this.#output.once("close", resolve);
      this.#output.write("", () => resolve());
    });
  }

  #queue(bytes: Buffer): void {
    const isIdle = this.#parts.length === 0;
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      this.#parts.push(bytes.subarray(at, at + BLOCK_BYTES));
    }
    this.#partBytes += bytes.length;
    if (isIdle) this.#writePart();
  }

  #writePart(): void {
    const [part] = this.#parts;
    if (part === undefined) {
      this.#whenWritten?.();
      return;
    }
    this.#output.write(part, (error) => {
      // Nobody reads the rest.
      if (error instanceof Error) this.#parts.length = 1;
      this.#parts.shift();
      this.#partBytes = this.#parts.reduce((sum, { length }) => sum + length, 0);
      this.#writePart();
    });
  }
}
