import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { createMachine, type Machine } from "../helpers/cli.ts";

let place: Machine | undefined;
afterEach(() => place?.dispose());

/** The output of `svc` without arguments on this machine. */
async function welcome(on: Machine): Promise<readonly string[]> {
  const { code, out, err } = await on.svc();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  return lines;
}

test("in a project that is not indexed, the first step is to index it", async () => {
  place = createMachine({ "a.ts": "export const a = 1;\n" });
  const [head, first] = await welcome(place);
  expect(head).toBe(`svc searches code and docs. ${place.root} is not indexed yet.`);
  expect(first).toMatch(/^ {2}svc index /);
});

test("in an indexed project and below it, the first step is to search", async () => {
  place = createMachine({ "a.ts": "export const a = 1;\n" });
  expect((await place.svc("index", place.root, "--namespace", "web")).code).toBe(0);
  const [head, first, second] = await welcome(place);
  expect(head).toContain('is indexed as "web"');
  expect(first).toMatch(/^ {2}svc search "QUESTION" /);
  expect(second).toMatch(/^ {2}svc outline /);
});

test("an installed editor is suggested until it has svc", async () => {
  place = createMachine();
  mkdirSync(join(place.home, ".cursor"));
  expect((await welcome(place))[3]).toMatch(/^ {2}svc install cursor +Connect Cursor/);
  expect((await place.svc("install", "cursor")).code).toBe(0);
  expect((await welcome(place))[3]).toMatch(
    /^ {2}svc install +Connect more clients \(connected: Cursor\)/,
  );
});

test("it writes no files and no data", async () => {
  place = createMachine();
  await welcome(place);
  expect((await place.svc("status")).out).toContain("Nothing is indexed yet");
});

test("invalid settings do not prevent it", async () => {
  place = createMachine({}, { SERVICE_LOG_LEVEL: "loud" });
  expect((await place.svc("status")).code).toBe(2);
  await welcome(place);
});
