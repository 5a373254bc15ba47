import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ByteReader, ByteWriter, NumberList } from "../../../src/index/coding/bytes.ts";

type Piece =
  | { readonly varint: number }
  | { readonly raw: Uint8Array }
  | { readonly part: Uint8Array }
  | { readonly text: string; readonly start: number }
  | { readonly byte: number };

const PADDING = Buffer.of(1, 2, 3);

/** Writes the pieces and reads them back. */
function call(pieces: readonly Piece[]): readonly Piece[] {
  const writer = new ByteWriter();
  for (const piece of pieces) {
    if ("varint" in piece) writer.varint(piece.varint);
    else if ("raw" in piece) writer.bytes(piece.raw);
    else if ("part" in piece)
      writer.append(Buffer.concat([PADDING, piece.part, PADDING]), 3, piece.part.length + 3);
    else if ("text" in piece) writer.text(piece.text, piece.start);
    else writer.byte(piece.byte);
  }
  const reader = new ByteReader(writer.finish());
  const back = pieces.map((piece): Piece => {
    if ("varint" in piece) return { varint: reader.varint() };
    if ("raw" in piece) return { raw: Uint8Array.from(reader.bytes(piece.raw.length)) };
    if ("part" in piece) return { part: Uint8Array.from(reader.bytes(piece.part.length)) };
    if ("text" in piece) {
      const { text, start } = piece;
      return { text: text.slice(0, start) + reader.text(), start };
    }
    return { byte: reader.byte() };
  });
  expect(reader.position).toBe(writer.length);
  return back;
}

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ varint: fc.maxSafeNat() }),
  fc.record({ raw: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ part: fc.uint8Array({ maxLength: 100 }) }),
  fc
    .record({
      before: fc.string({ unit: "grapheme", maxLength: 3 }),
      rest: fc.oneof(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.string({ unit: "grapheme-ascii", minLength: 100, maxLength: 150 }),
      ),
    })
    .map(({ before, rest }) => ({ text: before + rest, start: before.length })),
  fc.record({ byte: fc.integer({ min: 0, max: 255 }) }),
);

test("written values are read back", () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(call(pieces)).toEqual(pieces);
    }),
  );
});

test.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])(
  "the varint %i is read back, and takes as few bytes as its bits need",
  (varint) => {
    expect(call([{ varint }])).toEqual([{ varint }]);
    const writer = new ByteWriter();
    writer.varint(varint);
    expect(writer.length).toBe(Math.max(1, Math.ceil(varint.toString(2).length / 7)));
  },
);

test("bytes and numbers are unchanged when their memory grows", () => {
  const writer = new ByteWriter();
  const list = new NumberList();
  for (let at = 0; at < 70_000; at += 1) {
    writer.byte(at & 0xff);
    list.push(2 ** 32 - 1 - at);
  }
  writer.bytes(new Uint8Array(200_000).fill(7));
  const written = writer.finish();
  expect(written.length).toBe(270_000);
  expect([written[65_535], written[65_536], written[69_999], written[269_999]]).toEqual([
    0xff,
    0,
    69_999 & 0xff,
    7,
  ]);
  const numbers = list.finish();
  expect([numbers.length, numbers[0], numbers[4096], numbers[69_999]]).toEqual([
    70_000,
    2 ** 32 - 1,
    2 ** 32 - 4097,
    2 ** 32 - 70_000,
  ]);
});

test("a writer appends what another has, and leaves it as it is", () => {
  const other = new ByteWriter();
  other.text("name");
  const writer = new ByteWriter();
  writer.byte(7);
  writer.copy(other);
  for (let times = 0; times < 600; times += 1) other.byte(1);
  writer.copy(other);
  const name = Buffer.from("\u0004name");
  expect(Buffer.from(writer.finish())).toEqual(
    Buffer.concat([Buffer.of(7), name, name, Buffer.alloc(600, 1)]),
  );
  expect(other.length).toBe(605);
});

test("texts with lengths around the one-byte limit are read back", () => {
  for (const last of ["a", "ß", "字", "😀"]) {
    const pieces = Array.from({ length: 300 }, (_, length) => ({
      text: "x".repeat(length) + last,
      start: 0,
    }));
    expect(call(pieces)).toEqual(pieces);
  }
});

test("reads after the end return 0 or empty values", () => {
  const reader = new ByteReader(Uint8Array.of(0x81));
  expect(reader.left).toBe(1);
  expect(reader.varint()).toBe(1);
  expect([reader.byte(), reader.varint(), reader.text(), reader.bytes(100).length]).toEqual([
    0,
    0,
    "",
    0,
  ]);
  expect(reader.left).toBe(0);
});

test("numbers are read back by index", () => {
  const list = new NumberList();
  for (let at = 0; at < 10_000; at += 1) list.push(at * 3);
  expect([list.length, list.at(0), list.at(9999), list.at(20_000)]).toEqual([10_000, 0, 29_997, 0]);
});
