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

test("a long line is taken part by part, and what comes after it stays behind it", async () => {
  const { stream, writes, release } = collector();
  let rooms = 0;
  const writer = new LineWriter(stream, () => (rooms += 1));
  const long = "x".repeat(200_000);
  writer.write(long);
  writer.write("after");
  const finished = writer.finish();
  expect([Buffer.concat(writes).length, writer.unwrittenBytes]).toEqual([64 * 1024, 200_007]);
  expect(rooms).toBe(0);
  release();
  await finished;
  expect(Buffer.concat(writes).toString()).toBe(`${long}\nafter\n`);
  expect(writer.unwrittenBytes).toBe(0);
  expect(rooms).toBeGreaterThan(0);
});

test("there is room after the last part, however short it is", async () => {
  const { stream, release } = collector();
  const left: number[] = [];
  const writer = new LineWriter(stream, () => left.push(writer.unwrittenBytes));
  writer.write("x".repeat(70_000));
  release();
  await writer.finish();
  expect(left.at(-1)).toBe(0);
});

test("a line that is written at once comes after the queued ones", async () => {
  const { stream, writes } = collector();
  const writer = new LineWriter(stream);
  writer.write("queued");
  writer.writeNow("now");
  expect(writes.map(String)).toEqual(["queued\nnow\n"]);
  await new Promise(setImmediate);
  expect(writes.length).toBe(1);
});

test("a reader that goes away in the middle of a long line ends the writing", async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error("EPIPE"));
    },
  });
  stream.on("error", () => undefined);
  const writer = new LineWriter(stream);
  writer.write("x".repeat(200_000));
  await writer.finish();
  expect(writer.unwrittenBytes).toBe(0);
});
