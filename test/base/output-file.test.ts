import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createOutputFile } from "../../src/base/output-file.ts";
import { tree, type Tree } from "../helpers/tree.ts";

const BYTES = new TextEncoder().encode("whole");

function folderOf(files: Readonly<Record<string, string>>): Tree {
  const made = tree(files);
  onTestFinished(() => made.dispose());
  return made;
}

test("a file appears when it is complete, and replaces one of its name", () => {
  const folder = folderOf({ "out.scip": "old" });
  const path = join(folder.path, "out.scip");
  const output = createOutputFile(path);
  output.write(BYTES);
  expect(readFileSync(path, "utf8")).toBe("old");
  output.finish();
  expect(readFileSync(path, "utf8")).toBe("whole");
  expect(readdirSync(folder.path)).toEqual(["out.scip"]);
});

test("what is given up leaves nothing behind", () => {
  const folder = folderOf({});
  const output = createOutputFile(join(folder.path, "out.scip"));
  output.write(BYTES);
  output.discard();
  expect(readdirSync(folder.path)).toEqual([]);
});

test("a link stays one: its target is replaced", () => {
  const folder = folderOf({ "target.scip": "old" });
  const link = join(folder.path, "out.scip");
  symlinkSync("target.scip", link);
  const output = createOutputFile(link);
  output.write(BYTES);
  output.finish();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder.path, "target.scip"), "utf8")).toBe("whole");
});

test.runIf(existsSync("/dev/null"))("a device is written to, not replaced", () => {
  const output = createOutputFile("/dev/null");
  output.write(BYTES);
  output.finish();
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  createOutputFile("/dev/null").discard();
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

test("a folder that does not exist is an error with a remedy", () => {
  const folder = folderOf({});
  const path = join(folder.path, "missing", "out.scip");
  expect(() => createOutputFile(path)).toThrow(`${path} cannot be written`);
  writeFileSync(join(folder.path, "file"), "");
  expect(() => createOutputFile(folder.path)).toThrow("cannot be written");
});
