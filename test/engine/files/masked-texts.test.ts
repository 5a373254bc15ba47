import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { chunkFile, needsSyntax } from "../../../src/chunk/chunk.ts";
import { maskedTexts, SECRET_FREE, type RowOf } from "../../../src/engine/files/masked-texts.ts";
import { indexEntry } from "../../../src/engine/indexing/index-entry.ts";
import { FileFlag } from "../../../src/index/types.ts";
import { localTexts } from "../../../src/sources/text/local-texts.ts";
import type { KnownFile } from "../../../src/sources/text/source-text.ts";
import { authorized } from "../../helpers/authorized.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";
import { plantedSecrets } from "../../trust/planted-secrets.ts";

const SECRET = plantedSecrets(1, 5)[0]?.line ?? "";
const HARMLESS = "a".repeat(SECRET.length);
/** The time is restored after each write, as by a program that hides its changes. */
const TIME = 1_700_000_000;

function write(file: string, text: string): void {
  writeFileSync(file, text);
  utimesSync(file, TIME, TIME);
}

/**
 * The data of an index about a file that it reads now, more than two seconds after its last change, and finds free of
 * secrets.
 */
function rowOf(file: string, flags = SECRET_FREE): KnownFile {
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  return { size, mtimeMs, inode: ino, indexedMs: ctimeMs + 2001, flags, hash: "" };
}

async function shown(root: string, row: RowOf): Promise<string> {
  const texts = maskedTexts(localTexts().open(authorized("project"), [sourceAt(root)]), row);
  const result = await texts.read("a.txt");
  return "text" in result ? result.text : result.problem;
}

test("a file without secrets is shown without a search for them, until it changes", async () => {
  const { path: root, dispose } = tree();
  onTestFinished(dispose);
  const file = join(root, "a.txt");
  // The row claims that there is no secret, so that the test shows whether svc trusts it.
  write(file, SECRET);
  const row = rowOf(file);
  expect(await shown(root, async () => row)).toBe(SECRET);
  await delay(20);
  write(file, HARMLESS);
  await delay(20);
  write(file, SECRET);
  expect(await shown(root, async () => row)).not.toContain(SECRET);
});

test.each<[string, (file: string) => RowOf]>([
  ["was found to have one", (file) => async () => rowOf(file, 7)],
  ["was searched by other rules", (file) => async () => rowOf(file, SECRET_FREE + 16)],
  ["was indexed soon after a change", (file) => async () => ({ ...rowOf(file), indexedMs: 0 })],
  ["is not in the index", () => async () => undefined],
  ["has a row that cannot be read", () => () => Promise.reject(new Error("damaged"))],
])("a file that %s is searched for secrets", async (_, row) => {
  const { path: root, dispose } = tree();
  onTestFinished(dispose);
  const file = join(root, "a.txt");
  write(file, SECRET);
  const text = await shown(root, row(file));
  expect(text).not.toContain(SECRET);
  expect(text).toHaveLength(SECRET.length);
});

test("what the index stores of a file says whether it has a secret, and its other facts", () => {
  const flags = [HARMLESS, SECRET].map((text) => {
    const file = { source: 1, path: "examples/a.txt", pathInSource: "examples/a.txt", text };
    const times = { size: text.length, mtimeMs: 0, inode: 1, indexedMs: 0 };
    const read = { ...file, bytes: Buffer.from(text), hash: "", generated: false, times };
    const { state, content } = indexEntry(read, { chunkFile, needsSyntax }, undefined);
    return [state.flags, content.flags];
  });
  const { example } = FileFlag;
  expect(flags).toEqual([
    [SECRET_FREE | example, SECRET_FREE | example],
    [example, example],
  ]);
});
