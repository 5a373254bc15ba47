import { expect, test } from "vitest";

import {
  boundNames,
  definedIn,
  importsName,
  defines,
  isDistinctive,
  codeWords,
} from "../../../src/engine/drift/code-names.ts";

test.each([
  ["def read_blobs(self, max_bytes=3):", ["read_blobs", "max_bytes"]],
  ["export class Session extends Base {", ["Session"]],
  ["func (s *Server) ListenAll(addr string) error {", ["ListenAll", "addr"]],
  ["pub fn max_depth(mut self) -> Self {", ["max_depth"]],
  ["  async readAll(limit) {", ["readAll"]],
  ["export const MAX_SIZE = 3;", ["MAX_SIZE"]],
  ["    self.open_files = 0", ["open_files"]],
  ["  maxBytes?: number;", ["maxBytes"]],
  ["\tReadTimeout time.Duration", ["ReadTimeout"]],
  ['parser.add_argument("--dry-run", action="store_true")', ["--dry-run"]],
  ['  .long("max-depth")', ["--max-depth"]],
  ['os.environ["APP_TOKEN"]', ["APP_TOKEN"]],
  ["// def commented():", []],
  ["    const local = readAll(limit);", []],
  ["    readAll(limit);", []],
])("%s defines its names", (line, names) => {
  expect([...definedIn(line).keys()].toSorted()).toEqual([...names].toSorted());
});

test("what may be a part of something else is less sure", () => {
  expect(definedIn("def read(limit):").get("read")).toBe("sure");
  expect(definedIn("def read(limit):").get("limit")).toBe("likely");
  expect(definedIn("  maxBytes: 3,").get("maxBytes")).toBe("likely");
});

test("names of examples and words are not distinctive", () => {
  const names = ["readBlobs", "read_blobs", "MAX_SIZE", "HTTPServer"];
  expect(names.filter(isDistinctive)).toEqual(names);
  expect(["read", "Session", "my_view", "MyItem", "fooBar", "a_b"].filter(isDistinctive)).toEqual(
    [],
  );
});

test("words with dashes are found as a whole and in parts", () => {
  expect([...codeWords('add("--max-depth", isOpen?)')]).toEqual(
    expect.arrayContaining(["max-depth", "max", "depth", "isOpen", "add"]),
  );
});

test("example code binds its variables, functions, parameters and imported names", () => {
  const lines = ["import numpy as np", "def view(request):", "    own = 1", "LIMIT_MAX = 3"];
  expect([...boundNames(lines)]).toEqual(expect.arrayContaining(["np", "view", "request", "own"]));
  expect(boundNames(lines).has("LIMIT_MAX")).toBe(false);
});

test("a name that a file imports too is one of another package", () => {
  const text = "from other import Filter as Base\n\n\nclass Filter(Base):\n    pass\n";
  expect([importsName(text, "Filter"), importsName("class Filter:\n", "Filter")]).toEqual([
    true,
    false,
  ]);
});

test("an example in a documentation string defines nothing", () => {
  const text = 'def real():\n    """For example:\n\n    def shown():\n        pass\n    """\n';
  expect([defines(text, ["real"]), defines(text, ["shown"])]).toEqual([true, false]);
});

test("long and strange lines take no time", () => {
  for (const part of ["async ", "a.", "def ", "x: ", "(", '"', "a = ", "--a-"])
    expect(definedIn(part.repeat(100)).size).toBeLessThan(100);
});
