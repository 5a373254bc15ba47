import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { call, tempLog, type TempLog, writtenLog } from "./temp-log.ts";
import { promise, sized } from "../../../trust/promise.ts";

const LINES = 12;

/** Returns the kind of damage found after `change` altered the lines of the only file; "whole" for none. */
function damageAfter(place: TempLog, change: (lines: string[]) => readonly string[]): string {
  const [path = ""] = place.files();
  const good = readFileSync(path);
  const lines = good.toString("utf8").split("\n").slice(0, -1);
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const result = place.verify();
  writeFileSync(path, good);
  return result?.damage?.kind ?? "whole";
}

test("an unaltered log verifies, and its lines are counted", async () => {
  const place = await writtenLog(LINES);
  expect(place.verify()).toMatchObject({
    damage: undefined,
    parts: 1,
    lines: LINES + 1,
    calls: LINES,
    events: 1,
    first: 1,
    last: LINES + 1,
    notes: [],
  });
});

promise([39], "a deleted, duplicated or moved line is found and reported as such", async () => {
  const place = await writtenLog(LINES);
  for (let at = 1; at <= LINES; at += 1) {
    const isLast = at === LINES;
    expect(damageAfter(place, (lines) => lines.toSpliced(at, 1))).toBe(
      isLast ? "cut off" : "missing",
    );
    expect(damageAfter(place, (lines) => lines.toSpliced(at, 0, lines[at] ?? ""))).toBe("inserted");
    expect(damageAfter(place, (lines) => lines.toSpliced(at, 0, lines[1] ?? ""))).toBe("inserted");
    if (isLast) continue;
    const [one = "", two = ""] = [at, at + 1].map((index) => index);
    const swap = (lines: string[]): string[] =>
      lines.with(Number(one), lines[Number(two)] ?? "").with(Number(two), lines[Number(one)] ?? "");
    expect(damageAfter(place, swap)).toBe("reordered");
  }
  return LINES;
});

test("the position of the first bad line is reported", async () => {
  const place = await writtenLog(LINES);
  const [path = ""] = place.files();
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"request":4,', '"request":5,'));
  expect(place.verify()).toMatchObject({
    lines: 5,
    damage: { part: "audit-000001.jsonl", line: 6, kind: "altered" },
  });
});

promise([39], "no byte can be changed, removed or added anywhere without detection", async () => {
  const place = await writtenLog(6);
  const [path = ""] = place.files();
  const good = readFileSync(path);
  const runs = sized({ quick: 100, full: 2000 });
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(good);
      changed[at] = (changed[at] ?? 0) ^ flip;
      for (const bytes of [
        changed,
        Buffer.concat([good.subarray(0, at), good.subarray(at + 1)]),
        Buffer.concat([good.subarray(0, at), Buffer.of(flip), good.subarray(at)]),
      ]) {
        writeFileSync(path, bytes);
        expect(place.verify()?.damage).toBeDefined();
      }
    }),
    { numRuns: runs },
  );
  return 3 * runs;
});

test("a tail cut off anywhere is detected", async () => {
  const place = await writtenLog(LINES);
  const [path = ""] = place.files();
  const good = readFileSync(path);
  for (let size = 0; size < good.length; size += 13) {
    writeFileSync(path, good.subarray(0, size));
    expect(place.verify()?.damage).toBeDefined();
  }
});

test.each([
  ["the log", (place: TempLog) => rmSync(place.directory, { recursive: true }), "missing"],
  ["the head", (place: TempLog) => rmSync(place.head), "altered"],
  ["the content of the head", (place: TempLog) => truncateSync(place.head, 0), "altered"],
])("%s cannot be removed", async (_name, take, kind) => {
  const place = await writtenLog(LINES);
  take(place);
  expect(place.verify()?.damage?.kind).toBe(kind);
});

test("with another key no line is valid", async () => {
  const place = tempLog();
  const log = place.open({ key: Buffer.alloc(32, 8) });
  log.recordCall(call());
  await log.close();
  expect(place.verify()?.damage).toMatchObject({ line: 1, kind: "altered" });
});

test.each([
  [
    "lines cut off",
    (path: string) => truncateSync(path, readFileSync(path).lastIndexOf("\n", -2) + 1),
  ],
  [
    "a line altered",
    (path: string) =>
      writeFileSync(path, `${readFileSync(path, "utf8").slice(0, -5)}0"}\n`.replace("}\n", "}\n")),
  ],
  ["a line added", (path: string) => writeFileSync(path, '{"seq":99}\n', { flag: "a" })],
  ["a file removed", (path: string) => renameSync(path, `${path}.away`)],
])(
  "after %s the log continues in a new file, reports it, and stays damaged",
  async (_name, damage) => {
    const place = await writtenLog(LINES);
    const [path = ""] = place.files();
    damage(path);
    const log = place.open();
    log.recordCall(call({ request: "after" }));
    await log.close();
    expect(place.warnings.map(({ message }) => message)).toEqual([
      "the audit log was tampered with; logging continues in a new file",
    ]);
    expect(
      readFileSync(place.files().findLast((name) => name.endsWith(".jsonl")) ?? "", "utf8"),
    ).toContain('"request":"after"');
    expect(place.verify()?.damage).toBeDefined();
  },
);
