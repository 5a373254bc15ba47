import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { expect, test } from "vitest";

import { PROTOCOL_LINES, type ProtocolLine } from "./protocol-checklist.ts";

const tests = join(import.meta.dirname, "..");

/** A title at its beginning: `test("S1, S3 …"`, also of `describe`, `.each(…)`, `promise` and `verifies`. */
const TITLE = /["'`]((?:[SLMTH]\d{1,2}, )*[SLMTH]\d{1,2}) (?![,"'`])/g;

interface Citation {
  readonly id: string;
  readonly wires: readonly ("stdio" | "http")[];
}

function citationsIn(file: string, text: string): Citation[] {
  return [...text.matchAll(TITLE)].flatMap(({ 1: ids = "", index }) => {
    const isBoth = /onBothWires\(\s*$/.test(text.slice(0, index));
    const own = /(?:^|\W)http/.test(file) ? ("http" as const) : ("stdio" as const);
    const wires = isBoth ? (["stdio", "http"] as const) : [own];
    return ids.split(", ").map((id) => ({ id, wires }));
  });
}

const cited = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") && basename(file) !== basename(import.meta.filename))
  .flatMap((file) => citationsIn(file, readFileSync(join(tests, file), "utf8")));

function wiresOf({ wires }: ProtocolLine): string[] {
  // A line of HTTP is also tested where its program is started: its own tests cite it by its id.
  if (wires === "http") return ["any"];
  return wires === "both" ? ["stdio", "http"] : [wires];
}

test("every line of the checklist has its id once, and all of each section are there", () => {
  const counts = { S: 10, L: 5, M: 8, T: 11, H: 13 };
  const ids = Object.entries(counts).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}${at + 1}`),
  );
  expect(PROTOCOL_LINES.map(({ id }) => id)).toEqual(ids);
});

test("every line has a test on each wire that it concerns", () => {
  const missing = PROTOCOL_LINES.flatMap((line) =>
    wiresOf(line)
      .filter(
        (wire) =>
          !cited.some(
            ({ id, wires }) =>
              id === line.id && (wire === "any" || wires.some((one) => one === wire)),
          ),
      )
      .map((wire) => `${line.id} ${wire}`),
  );
  expect(missing).toEqual([]);
});

test("no test cites an unknown line", () => {
  const known = new Set(PROTOCOL_LINES.map(({ id }) => id));
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([]);
});
