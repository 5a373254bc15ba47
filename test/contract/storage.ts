import { expect, test } from "vitest";

import { damagedFile } from "../../src/index/damage.ts";
import type { Storage } from "../../src/index/embedded/storage/storage.ts";

function bytes(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

function read(storage: Storage, name: string, offset = 0, length?: number): number[] {
  const file = storage.open(name);
  try {
    return [...file.read(offset, length ?? file.sizeBytes)];
  } finally {
    file.close();
  }
}

/** The error for a damaged file, with the hint that fixes it. */
function damaged(name: string): unknown {
  return expect.objectContaining({
    code: "INDEX_UNAVAILABLE",
    message: expect.stringContaining(name),
    hint: expect.stringContaining("--rebuild"),
  });
}

function* damagedParts(): Generator<Uint8Array> {
  yield bytes(1);
  throw damagedFile("b.words");
}

/** What every Storage promises (src/index/embedded/storage/storage.ts). `make` gives an empty one. */
export function storageContract(make: () => Storage): void {
  const call = (parts: readonly Uint8Array[]): Storage => {
    const storage = make();
    storage.write("a.words", parts);
    return storage;
  };

  test("what was written in parts is read back as one file", () => {
    const storage = call([bytes(1, 2), bytes(), bytes(3)]);
    expect(read(storage, "a.words")).toEqual([1, 2, 3]);
    expect(storage.open("a.words").sizeBytes).toBe(3);
  });

  test("a part is written before the next one is asked for, and the size is returned", () => {
    const part = bytes(0, 0);
    function* changing(): Generator<Uint8Array> {
      for (const value of [1, 2, 3]) yield part.fill(value);
    }
    const storage = make();
    expect(storage.write("a.words", changing())).toBe(6);
    expect(read(storage, "a.words")).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test("parts that cannot all be made leave nothing behind", () => {
    const storage = make();
    expect(() => storage.write("a.words", damagedParts())).toThrow(damaged("b.words"));
    expect(storage.list()).toEqual([]);
  });

  test("thousands of parts are all written", () => {
    const parts = Array.from({ length: 2500 }, (_, at) => bytes(at & 0xff, at >> 8));
    expect(read(call(parts), "a.words")).toEqual(parts.flatMap((part) => [...part]));
  });

  test("a file of no bytes can be written and read", () => {
    expect(read(call([]), "a.words")).toEqual([]);
    expect(read(call([bytes(), bytes()]), "a.words")).toEqual([]);
  });

  test.each([
    [0, 0, []],
    [0, 2, [10, 11]],
    [3, 2, [13, 14]],
    [5, 0, []],
  ])("the range from %i of %i bytes is exact", (offset, length, expected) => {
    expect(read(call([bytes(10, 11, 12, 13, 14)]), "a.words", offset, length)).toEqual(expected);
  });

  test("what is read is the reader's own memory", () => {
    const storage = call([bytes(1, 2, 3)]);
    const file = storage.open("a.words");
    file.read(0, 3).fill(9);
    expect([...file.read(0, 3)]).toEqual([1, 2, 3]);
    file.close();
  });

  test("a range is read into memory that the reader gives", () => {
    const file = call([bytes(10, 11, 12, 13, 14)]).open("a.words");
    const memory = new Uint8Array(4);
    const part = memory.subarray(1, 3);
    expect(file.read(3, 2, part)).toBe(part);
    expect([...memory]).toEqual([0, 13, 14, 0]);
    expect(() => file.read(4, 2, part)).toThrow(damaged("a.words"));
    file.close();
  });

  test("what the writer does to its parts afterwards changes nothing", () => {
    const part = bytes(1, 2, 3);
    const storage = call([part]);
    part.fill(9);
    expect(read(storage, "a.words")).toEqual([1, 2, 3]);
  });

  test.each([
    [0, 4],
    [3, 1],
    [100, 1],
  ])("a read of %i+%i behind the end is INDEX_UNAVAILABLE", (offset, length) => {
    const storage = call([bytes(1, 2, 3)]);
    expect(() => read(storage, "a.words", offset, length)).toThrow(damaged("a.words"));
  });

  test("opening what is not there is INDEX_UNAVAILABLE and says which file", () => {
    expect(() => make().open("nothing.words")).toThrow(damaged("nothing.words"));
  });

  test("a file that was removed cannot be opened any more", () => {
    const storage = call([bytes(1)]);
    storage.remove("a.words");
    expect(() => storage.open("a.words")).toThrow(damaged("a.words"));
  });

  test("the list names every file and nothing else", () => {
    const storage = call([bytes(1)]);
    storage.write("b.words", [bytes(2)]);
    expect([...storage.list()].toSorted()).toEqual(["a.words", "b.words"]);
    storage.remove("a.words");
    expect(storage.list()).toEqual(["b.words"]);
  });

  test("removing what is not there is no error", () => {
    const storage = call([bytes(1)]);
    storage.remove("a.words");
    storage.remove("a.words");
    expect(storage.list()).toEqual([]);
  });

  test("a second write under the same name replaces the whole", () => {
    const storage = call([bytes(1, 2, 3)]);
    storage.write("a.words", [bytes(9)]);
    expect(read(storage, "a.words")).toEqual([9]);
  });

  test("several files are read at once, each at its own offset", () => {
    const storage = call([bytes(1, 2, 3)]);
    storage.write("b.words", [bytes(4, 5, 6)]);
    const files = ["a.words", "b.words", "a.words"].map((name) => storage.open(name));
    expect(files.map((file) => [...file.read(1, 2)])).toEqual([
      [2, 3],
      [5, 6],
      [2, 3],
    ]);
    files[0]?.close();
    expect([...(files[2]?.read(0, 1) ?? [])]).toEqual([1]);
    for (const file of files.slice(1)) file.close();
  });

  test("a file that is open can be read after it was replaced and removed", () => {
    const storage = call([bytes(1, 2, 3)]);
    const file = storage.open("a.words");
    storage.write("a.words", [bytes(9)]);
    storage.remove("a.words");
    expect([...file.read(0, 3)]).toEqual([1, 2, 3]);
    file.close();
  });
}
