import type { Readable, Writable } from "node:stream";

/** The standard streams of the process, for the protocol alone. */
export function processStreams(): { readonly input: Readable; readonly output: Writable } {
  // oxlint-disable-next-line no-restricted-properties -- this is where the protocol gets it
  return { input: process.stdin, output: process.stdout };
}
