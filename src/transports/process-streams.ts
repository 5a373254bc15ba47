import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

const BUFFER_BYTES = 64 * 1024;

/**
 * Returns the standard streams of the process, reserved for the protocol. An input chunk is valid until its
 * listeners return.
 */
export function processStreams(): { readonly input: Readable; readonly output: Writable } {
  // oxlint-disable-next-line no-restricted-properties -- this is where the protocol gets it
  return { input: isPipe(0) ? readPipe(0) : process.stdin, output: process.stdout };
}

/** Returns false on Windows, which has no such files. */
function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/**
 * Like `process.stdin`, but with one buffer for all input: for a line of 64 MB, `process.stdin` allocates buffers
 * that are collected only after some 50 MB of them.
 */
function readPipe(fd: number): Readable {
  const pipe: Socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
      callback(bytes, buffer) {
        pipe.emit("data", buffer.subarray(0, bytes));
        return !pipe.isPaused();
      },
    },
  });
  return pipe;
}
