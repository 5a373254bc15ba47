import { Writable } from "node:stream";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { LineWriter } from "../../src/transports/line-writer.ts";

/** A stream that collects writes. While it is held, none is finished. */
function collector(): { stream: Writable; writes: Buffer[]; release: () => void } {
  const writes: Buffer[] = [];
  const held: (() => void)[] = [];
  let isHeld = true;
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk: Buffer, _encoding, done) {
      // Copied when it is written, not when it is queued: a reused buffer would show.
      writes.push(Buffer.from(chunk));
      if (isHeld) held.push(done);
      else done();
    },
  });
  return {
    stream,
    writes,
    release() {
      isHeld = false;
      for (const done of held.splice(0)) done();
    },
  };
}

test("the lines of one turn are one write, after the turn", async () => {
  const { stream, writes } = collector();
  const writer = new LineWriter(stream);
  for (const line of ["one", "zwei ü", "三"]) writer.write(line);
  expect([writes.length, writer.unwrittenBytes]).toEqual([
    0,
    Buffer.byteLength("one\nzwei ü\n三\n"),
  ]);
  await new Promise(setImmediate);
  expect(writes.map(String)).toEqual(["one\nzwei ü\n三\n"]);
});

test("flush writes at once, and nothing a second time", () => {
  const { stream, writes, release } = collector();
  const writer = new LineWriter(stream);
  writer.write("one");
  writer.flush();
  writer.flush();
  expect(writes.map(String)).toEqual(["one\n"]);
  release();
  expect(writer.unwrittenBytes).toBe(0);
});

test("any lines arrive in order and whole, however slowly they are taken", async () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.integer({ min: 1000, max: 70_000 }).map((length) => "é".repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 40 }), async (lines) => {
      const { stream, writes, release } = collector();
      const writer = new LineWriter(stream);
      for (const [text, isEnd] of lines) {
        writer.write(text.toWellFormed().replaceAll("\n", " "));
        // oxlint-disable-next-line no-await-in-loop -- turns of the event loop between lines
        if (isEnd) await new Promise(setImmediate);
      }
      release();
      await new Promise(setImmediate);
      const expected = lines
        .map(([text]) => `${text.toWellFormed().replaceAll("\n", " ")}\n`)
        .join("");
      expect(Buffer.concat(writes).toString()).toBe(expected);
      expect(writer.unwrittenBytes).toBe(0);
    }),
    { numRuns: 50 },
  );
});
