import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { readAsset } from "../../src/base/assets.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { component } from "./helpers.ts";

const FOLDER = path.join(import.meta.dirname, "../../assets/embeddings");
const SHA256 = "a64f4f32c16b4f0d572c6029d0e12c1a44a6a3795cf67236bc73e275525316cb";

test("the table is the one that its notice describes", () => {
  const bytes = readAsset("embedding-table");
  expect(bytes).toHaveLength(4_919_940);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(SHA256);
  const notice = readFileSync(path.join(FOLDER, "NOTICE.md"), "utf8");
  expect(notice).toContain(SHA256);
  expect(notice).toContain("4,919,940 bytes");
});

test("the notice lists every package once", () => {
  const lines = readFileSync(path.join(FOLDER, "packages.tsv"), "utf8").trimEnd().split("\n");
  const names = lines.map((line) => line.split("\t").slice(0, 2).join(" "));
  expect(new Set(names).size).toBe(5028);
  expect(names).toHaveLength(5028);
  expect(names.filter((name) => !/^(?:debian-[a-z]+|npm) \S+$/.test(name))).toEqual([]);
});

const table = readEmbeddingTable(readAsset("embedding-table"));

function dot(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

function cosine(one: string, other: string): number {
  const [a, b] = [one, other].map((word) => {
    const rows = table.rowsOf(word);
    return Array.from({ length: table.dimensions }, (_, at) =>
      rows.reduce((sum, row) => sum + component(table, row, at), 0),
    );
  });
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test("its id contains its dimensions and the checksum of its content", () => {
  expect(table).toMatchObject({ id: "svce1-256-62ad03fa", dimensions: 256 });
  expect(table.matrix).toMatchObject({ rows: 34_288, bits: 4 });
});

test.each([
  ["delete", "remove", "open"],
  ["throttle", "ratelimit", "render"],
  ["async", "coroutine", "pixel"],
  ["mutexLock", "acquire_semaphore", "renderTemplate"],
])("%s is more similar to %s than to %s", (word, near, far) => {
  expect(cosine(word, near)).toBeGreaterThan(cosine(word, far) + 0.2);
});

test("an unknown word is split into known words", () => {
  expect(table.rowsOf("unmarshaljsonresponse")).toEqual(table.rowsOf("unmarshalJsonResponse"));
});
