import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../../../src/base/errors.ts";
import { faultyStorage, type Fault } from "../../../../src/index/embedded/storage/storage-fault.ts";
import { diskStorage } from "../../../../src/index/embedded/storage/storage-disk.ts";
import { memoryStorage } from "../../../../src/index/embedded/storage/storage-memory.ts";
import type { Storage } from "../../../../src/index/embedded/storage/storage.ts";
import { storageContract } from "../../../contract/storage.ts";
import { tree } from "../../../helpers/tree.ts";

storageContract(() => faultyStorage(memoryStorage(), []));

const WHOLE = [1, 2, 3, 4];

/** Storage in memory with one file, and the same storage with faults. */
function call(...faults: readonly Fault[]): { inner: Storage; storage: Storage } {
  const inner = memoryStorage();
  inner.write("old", [Uint8Array.from(WHOLE)]);
  return { inner, storage: faultyStorage(inner, faults) };
}

function read(storage: Storage, name: string): number[] {
  const file = storage.open(name);
  return [...file.read(0, file.sizeBytes)];
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return "no error";
  } catch (thrown) {
    if (thrown instanceof SvcError && thrown.hint !== undefined) return thrown.code;
    throw thrown;
  }
}

test.each(["open", "read", "write", "remove", "list"] as const)(
  "the second %s fails and does nothing; the others succeed",
  (on) => {
    const { inner, storage } = call({ on, nth: 2, fails: "EIO" });
    const operations = {
      open: () => storage.open("old"),
      read: () => storage.open("old").read(0, 1),
      write: () => storage.write("new", [Uint8Array.of(9)]),
      remove: () => storage.remove("new"),
      list: () => storage.list(),
    };
    const run = operations[on];
    expect(codeOf(run)).toBe("no error");
    inner.write("new", [Uint8Array.of(5)]);
    expect(codeOf(run)).toBe("INDEX_UNAVAILABLE");
    expect(read(inner, "new")).toEqual([5]);
    expect(codeOf(run)).toBe("no error");
  },
);

test("a full disk is STORAGE_FULL, like a real one", () => {
  const { inner, storage } = call({ on: "write", fails: "ENOSPC" });
  expect(codeOf(() => storage.write("new", []))).toBe("STORAGE_FULL");
  expect(inner.list()).toEqual(["old"]);
});

test("operations are counted by kind and in total", () => {
  const { storage } = call(
    { on: "any", nth: 3, fails: "EIO" },
    { on: "list", nth: 3, fails: "EACCES" },
  );
  const codes = [1, 2, 3, 4].map(() => codeOf(() => storage.list()));
  expect(codes).toEqual(["no error", "no error", "INDEX_UNAVAILABLE", "no error"]);
});

test("a torn write leaves its beginning under another name, and its own name unchanged", () => {
  const { inner, storage } = call({ on: "write", nth: 1, tearsAfter: 3 });
  const parts = [Uint8Array.of(5, 6), Uint8Array.of(7, 8)];
  expect(codeOf(() => storage.write("old", parts))).toBe("STORAGE_FULL");
  expect(read(inner, "old")).toEqual(WHOLE);
  expect(inner.list()).toHaveLength(2);
  const [torn = ""] = inner.list().filter((name) => name !== "old");
  expect(torn).toMatch(/\.tmp$/);
  expect(read(inner, torn)).toEqual([5, 6, 7]);
});

test("a byte is flipped in exactly the reads that contain it", () => {
  const { storage } = call({ on: "read", flips: 2, mask: 0x0f });
  const file = storage.open("old");
  expect([...file.read(0, 4)]).toEqual([1, 2, 3 ^ 0x0f, 4]);
  expect([...file.read(2, 1)]).toEqual([3 ^ 0x0f]);
  expect([...file.read(0, 2), ...file.read(3, 1)]).toEqual([1, 2, 4]);
});

test("a file can be cut before it is opened or while it is open", () => {
  const short = call({ on: "open", cutsTo: 2 }).storage;
  expect(read(short, "old")).toEqual([1, 2]);
  expect(codeOf(() => short.open("old").read(1, 2))).toBe("INDEX_UNAVAILABLE");
  const later = call({ on: "read", nth: 2, cutsTo: 2 }).storage.open("old");
  const codes = [1, 2, 3].map(() => codeOf(() => later.read(0, 3)));
  expect([later.sizeBytes, codes]).toEqual([4, ["no error", "INDEX_UNAVAILABLE", "no error"]]);
});

test("nested wrappers combine their faults", () => {
  const { inner } = call();
  const faulty = faultyStorage(faultyStorage(inner, [{ on: "read", flips: 0, mask: 0xff }]), [
    { on: "read", flips: 3, mask: 0xff },
  ]);
  expect(read(faulty, "old")).toEqual([254, 2, 3, 251]);
});

function moduleUrl(name: string): string {
  return JSON.stringify(
    new URL(`../../../../src/index/embedded/storage/${name}.ts`, import.meta.url),
  );
}

test.each<[string, Fault, readonly string[]]>([
  ["before a write", { on: "write", nth: 2, kills: "before" }, ["one"]],
  ["after a write", { on: "write", nth: 2, kills: "after" }, ["one", "two"]],
  ["after any operation", { on: "any", nth: 1, kills: "after" }, ["one"]],
])("a kill %s leaves the files written before", (_, fault, left) => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const program = `
    import { faultyStorage } from ${moduleUrl("storage-fault")};
    import { diskStorage } from ${moduleUrl("storage-disk")};
    const storage = faultyStorage(diskStorage(${JSON.stringify(path)}), [${JSON.stringify(fault)}]);
    for (const name of ["one", "two", "three"]) storage.write(name, [Uint8Array.of(1)]);`;
  const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
  expect([signal, readdirSync(path).toSorted()]).toEqual(["SIGKILL", left]);
  expect(diskStorage(path).open("one").sizeBytes).toBe(1);
});
