import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  readConfig,
  readToml,
  asStrings,
  tomlField,
  tomlString,
} from "../../../src/graph/modules/config-text.ts";

test("JSON may have comments, trailing commas and a byte order mark; strings that look like them are kept", () => {
  const text = `\uFEFF{ // one
    "a": "http://x/*y*/", /* two */ "b": [1, 2, ], "c,": ",}",
  }`;
  expect(readConfig(text)).toEqual({ a: "http://x/*y*/", b: [1, 2], "c,": ",}" });
});

test.each([undefined, "", "{", "[1]", "null", '"text"'])("%s is not an object", (text) => {
  expect(readConfig(text)).toEqual({});
});

test("plain JSON, also after a comment, is read as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(readConfig(text)).toEqual(JSON.parse(text));
      expect(readConfig(`// a comment\n${text}`)).toEqual(JSON.parse(text));
    }),
  );
});

test("a string is read as a list of one, and a list as its strings", () => {
  expect(asStrings("a")).toEqual(["a"]);
  expect(asStrings(["a", 1, "b", null])).toEqual(["a", "b"]);
  expect(asStrings({ a: "b" })).toEqual([]);
});

test("tables of TOML", () => {
  const tables = readToml(`top = 1
[package] # about
name = "own-core"   # its name
edition.workspace = true

[[bin]]
path = 'src/bin/a.rs'
[target.'cfg(unix)'.dependencies]
"quoted" = { path = "../a", version = "1" }
features = [
  "x",
]
`);
  expect(tables.map(({ name }) => name)).toEqual([
    "",
    "package",
    "bin",
    "target.cfg(unix).dependencies",
  ]);
  const [, about, bin, dependencies] = tables;
  expect(tomlString(about?.values.get("name"))).toBe("own-core");
  expect(about?.values.get("edition.workspace")).toBe("true");
  expect(tomlString(bin?.values.get("path"))).toBe("src/bin/a.rs");
  expect(tomlField(dependencies?.values.get("quoted") ?? "", "path")).toBe("../a");
  expect(tomlField(dependencies?.values.get("quoted") ?? "", "git")).toBeUndefined();
  expect(tomlString("1")).toBeUndefined();
});
