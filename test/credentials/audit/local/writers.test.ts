import { execFile, spawn } from "node:child_process";
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { call, tempLog, type TempLog, writtenLog } from "./temp-log.ts";
import { promise, sized } from "../../../trust/promise.ts";

const WRITER = join(import.meta.dirname, "fixtures", "append-lines.ts");

function requestsOf(place: TempLog): string[] {
  return place.lines().flatMap(({ event, request }) => (event === "call" ? [String(request)] : []));
}

/** Starts a writer, kills it after that many lines, and returns the lines it printed. */
function killedWriter(place: TempLog, name: string, after: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [WRITER, place.root, name, "Infinity", "20000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split("\n").length > after) child.kill("SIGKILL");
  });
  return new Promise((resolve) => {
    child.once("close", () => resolve(text.split("\n").slice(0, -1)));
  });
}

test("8 processes that write 200 lines each at the same time lose none, and the chain is whole", async () => {
  const place = tempLog();
  const names = Array.from({ length: 8 }, (_, at) => `p${at}`);
  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [WRITER, place.root, name, "200"])),
  );
  expect(place.verify()).toMatchObject({ damage: undefined, calls: 1600, notes: [] });
  const wanted = names.flatMap((name) => Array.from({ length: 200 }, (_, at) => `${name}-${at}`));
  expect(requestsOf(place).toSorted()).toEqual(wanted.toSorted());
}, 60_000);

promise(
  [39],
  "writers killed at any moment lose no written line, and the chain stays intact",
  async () => {
    const place = tempLog();
    const printed: string[] = [];
    const rounds = sized({ quick: 4, full: 34 });
    for (let round = 0; round < rounds; round += 1) {
      const writers = [1, 2, 3].map((at) =>
        killedWriter(place, `r${round}w${at}`, 20 + ((round * 7 + at * 5) % 30)),
      );
      printed.push(...(await Promise.all(writers)).flat());
    }
    expect(printed.length).toBeGreaterThan(200);
    expect(place.verify()?.damage).toBeUndefined();
    const log = place.open();
    log.recordCall(call({ request: "last" }));
    await log.close();
    expect(place.verify()?.damage).toBeUndefined();
    const found = new Set(requestsOf(place));
    expect(printed.filter((request) => !found.has(request))).toEqual([]);
    return 3 * rounds;
  },
);

/** A head and a file from two moments, as a process killed in between leaves them. */
async function killedBeforeHead(): Promise<{
  place: TempLog;
  path: string;
  before: number;
  after: Buffer;
}> {
  const place = await writtenLog(3);
  const [path = ""] = place.files();
  const head = readFileSync(place.head);
  const before = statSync(path).size;
  const log = place.open();
  log.recordCall(call({ request: "unanchored" }));
  await log.close();
  writeFileSync(place.head, head);
  return { place, path, before, after: readFileSync(path) };
}

test("a kill at any byte between the append and the head leaves a log that is undamaged and continues", async () => {
  const { place, path, before, after } = await killedBeforeHead();
  const head = readFileSync(place.head);
  for (let size = before; size <= after.length; size += 1) {
    writeFileSync(path, after.subarray(0, size));
    writeFileSync(place.head, head);
    expect(place.verify()?.damage).toBeUndefined();
    const log = place.open();
    log.recordCall(call({ request: `from ${size}` }));
    await log.close();
    const result = place.verify();
    expect(result?.damage).toBeUndefined();
    const isHalf = size > before && size < after.length;
    expect(result?.notes).toHaveLength(isHalf ? 1 : 0);
    expect(requestsOf(place).includes("unanchored")).toBe(size === after.length);
  }
  expect(place.warnings).toEqual([]);
});

test("a line forged after the head is not accepted", async () => {
  const { place, path, before } = await killedBeforeHead();
  truncateSync(path, before);
  const forged = { seq: 5, time: "", event: "call", request: "forged", mac: "0".repeat(64) };
  appendFileSync(path, `${JSON.stringify(forged)}\n`);
  const log = place.open();
  log.recordCall(call());
  await log.close();
  expect(place.warnings).toHaveLength(1);
  expect(place.verify()?.damage).toMatchObject({ line: 5, kind: "inserted" });
});

test("two writers of one process share the log", () => {
  const place = tempLog();
  const [one, two] = [place.open(), place.open()];
  for (const [at, log] of [one, two, one, two, two, one].entries()) {
    log.recordCall(call({ request: at }));
    log.flush();
  }
  expect(requestsOf(place)).toEqual(["0", "1", "2", "3", "4", "5"]);
  expect(place.verify()?.damage).toBeUndefined();
});
