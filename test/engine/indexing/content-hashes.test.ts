import { createHash } from "node:crypto";
import { symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ContentHasher } from "../../../src/engine/indexing/content-hashes.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";

test("the hash is that of all bytes, also of a file that needs several reads", () => {
  const contents = ["", "a", "x".repeat(1 << 20), "y".repeat((1 << 20) + 1), "z".repeat(5 << 19)];
  const { path, dispose } = tree(Object.fromEntries(contents.map((text, at) => [`${at}`, text])));
  onTestFinished(dispose);
  const hasher = new ContentHasher();
  for (const [at, text] of contents.entries()) {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
    expect(hasher.hashOf(sourceAt(path), `${at}`, text.length)).toBe(hash);
  }
});

test("a file that is not as the scan has found it, or leads out of its source, has no hash", () => {
  const outside = tree({ secret: "12345" });
  const { path, dispose } = tree({ a: "12345", b: "12345", "c/": "" });
  onTestFinished(dispose);
  onTestFinished(outside.dispose);
  symlinkSync(join(outside.path, "secret"), join(path, "link"));
  truncateSync(join(path, "b"), 3);
  const hasher = new ContentHasher();
  const names = ["a", "b", "c", "gone", "link"];
  const hashed = names.filter((name) => hasher.hashOf(sourceAt(path), name, 5) !== undefined);
  expect(hashed).toEqual(["a"]);
});
