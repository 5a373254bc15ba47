import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

import { expect, test } from "vitest";

import { ChainKey } from "../../../../src/credentials/audit/chain.ts";
import { decodeHead, encodeHead } from "../../../../src/credentials/audit/local/head.ts";
import { call, KEY, writtenLog } from "./temp-log.ts";

const SMALL = { fileBytes: 1500, files: 1000 };

test("a new file follows a full one, and the chain continues across them", async () => {
  const place = await writtenLog(40, SMALL);
  const files = place.files();
  expect(files.length).toBeGreaterThan(5);
  expect(files.map((path) => basename(path))).toEqual(
    files.map((_, at) => `audit-${String(at + 1).padStart(6, "0")}.jsonl`),
  );
  for (const path of files) expect(statSync(path).size).toBeLessThanOrEqual(SMALL.fileBytes);
  expect(place.verify()).toMatchObject({ damage: undefined, parts: files.length, calls: 40 });
});

test("a line longer than a file gets a file of its own", async () => {
  const place = await writtenLog(3, { fileBytes: 10 });
  expect(place.files()).toHaveLength(4);
  expect(place.verify()).toMatchObject({ damage: undefined, calls: 3 });
});

test("the oldest files are dropped, and the rest verifies without them", async () => {
  const place = await writtenLog(60, { ...SMALL, files: 3 });
  expect(place.files()).toHaveLength(3);
  expect(place.files().map((path) => basename(path))).not.toContain("audit-000001.jsonl");
  const result = place.verify();
  expect(result).toMatchObject({ damage: undefined, parts: 3, last: expect.any(Number) });
  expect(result?.first).toBeGreaterThan(1);
});

test("no file can be removed, emptied or replaced by another", async () => {
  const place = await writtenLog(40, SMALL);
  const files = place.files();
  for (const [at, path] of files.entries()) {
    const good = readFileSync(path);
    rmSync(path);
    expect(place.verify()?.damage).toMatchObject({ part: basename(path), kind: "missing" });
    writeFileSync(path, "", { mode: 0o600 });
    expect(place.verify()?.damage).toBeDefined();
    writeFileSync(path, readFileSync(files[(at + 1) % files.length] ?? ""));
    expect(place.verify()?.damage).toBeDefined();
    writeFileSync(path, good);
  }
  expect(place.verify()?.damage).toBeUndefined();
});

test("lines cut off the end of any file are detected", async () => {
  const place = await writtenLog(40, SMALL);
  for (const path of place.files()) {
    const good = readFileSync(path);
    writeFileSync(path, good.subarray(0, good.lastIndexOf("\n", good.length - 2) + 1));
    expect(place.verify()?.damage).toMatchObject({ part: basename(path), kind: "cut off" });
    writeFileSync(path, good);
  }
});

test("a process killed while it begins a file leaves a log that can continue", async () => {
  const place = await writtenLog(2, SMALL);
  const head = readFileSync(place.head);
  const log = place.open({ fileBytes: 10 });
  log.recordCall(call({ request: "next" }));
  await log.close();
  const [first = "", second = ""] = place.files();
  const before = readFileSync(first);
  const whole = readFileSync(second);
  for (let size = 0; size <= whole.length; size += 9) {
    for (const path of place.files().slice(1)) rmSync(path);
    writeFileSync(first, before);
    writeFileSync(second, whole.subarray(0, size), { mode: 0o600 });
    writeFileSync(place.head, head);
    const again = place.open(SMALL);
    again.recordCall(call({ request: size }));
    await again.close();
    expect(place.verify()?.damage).toBeUndefined();
  }
  expect(place.warnings).toEqual([]);
  expect(readdirSync(place.directory)).toContain("audit-000001.jsonl");
});

/** Makes the head look as if an earlier boot of the machine had written it. */
function asOfEarlierBoot(path: string): void {
  const key = new ChainKey(KEY);
  const head = decodeHead(key, readFileSync(path));
  if (head === undefined) throw new Error("there is no head");
  writeFileSync(path, encodeHead(key, { ...head, boot: "earlier" }));
}

test("a power cut may lose lines of calls that were not yet on disk, and this is reported", async () => {
  const place = await writtenLog(5);
  const [path = ""] = place.files();
  truncateSync(path, readFileSync(path).lastIndexOf("\n", -2) - 20);
  asOfEarlierBoot(place.head);
  const log = place.open();
  log.recordCall(call());
  await log.close();
  expect(place.warnings).toEqual([]);
  expect(place.verify()).toMatchObject({
    damage: undefined,
    notes: [expect.stringContaining("the last 2 lines before the machine stopped were lost")],
  });
});

test("a restart does not excuse the loss of lines that were on disk", async () => {
  const place = await writtenLog(2);
  const log = place.open();
  log.recordEvent([{ event: "key.revoke", credential: "key_0011223344556677" }]);
  await log.close();
  const [path = ""] = place.files();
  truncateSync(path, readFileSync(path).lastIndexOf("\n", -2) + 1);
  asOfEarlierBoot(place.head);
  const again = place.open();
  again.recordCall(call());
  await again.close();
  expect(place.warnings).toHaveLength(1);
  expect(place.verify()?.damage).toMatchObject({ kind: "cut off" });
});
