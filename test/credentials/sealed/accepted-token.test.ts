import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import {
  forgetAccepted,
  noteAccepted,
  wasAccepted,
} from "../../../src/credentials/sealed/accepted-token.ts";
import { tree } from "../../helpers/tree.ts";

const SECRET = `svt_${"0".repeat(38)}`;
const LATER = Date.now() + 3_600_000;

function dataDirectory(): string {
  const { path, dispose } = tree({});
  onTestFinished(dispose);
  return path;
}

test("a token is known to work once it was accepted, until it expires or a credential changes", () => {
  const data = dataDirectory();
  expect(wasAccepted(data, SECRET)).toBe(false);
  noteAccepted(data, SECRET, LATER);
  expect(wasAccepted(data, SECRET)).toBe(true);
  expect(wasAccepted(data, SECRET, LATER - 1)).toBe(true);
  expect(wasAccepted(data, SECRET, LATER)).toBe(false);
  forgetAccepted(data);
  expect(wasAccepted(data, SECRET)).toBe(false);
});

test("another token, and the saved one, are not known by it", () => {
  const data = dataDirectory();
  noteAccepted(data, SECRET, LATER);
  expect(wasAccepted(data, SECRET.replace("0", "1"))).toBe(false);
  expect(wasAccepted(data, undefined)).toBe(false);
  noteAccepted(data, undefined, LATER);
  expect([wasAccepted(data, undefined), wasAccepted(data, SECRET)]).toEqual([true, false]);
});

test("the note is private and does not hold the token", () => {
  const data = dataDirectory();
  noteAccepted(data, SECRET, LATER);
  const path = join(data, "accepted-token.json");
  expect(readFileSync(path, "utf8")).not.toContain(SECRET.slice(4));
  const mode = process.platform === "win32" ? 0o600 : statSync(path).mode & 0o777;
  expect(mode).toBe(0o600);
});

test.each(["", "{", "null", "[]", '{"token":"saved"}', '{"token":"saved","expires_at":"soon"}'])(
  "a note of %j says nothing",
  (text) => {
    const data = dataDirectory();
    writeFileSync(join(data, "accepted-token.json"), text);
    expect(wasAccepted(data, undefined)).toBe(false);
  },
);

test("where nothing can be written nothing is noted, and nothing thrown", () => {
  const missing = join(dataDirectory(), "missing");
  noteAccepted(missing, SECRET, LATER);
  forgetAccepted(missing);
  expect(wasAccepted(missing, SECRET)).toBe(false);
});
