import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { SymbolFacts } from "../../../src/index/types.ts";
import { symbolNamesOf } from "../../../src/index/names/symbol-names.ts";
import { letterMask, subWords } from "../../../src/index/names/sub-words.ts";

function symbol(qualifiedName: string, more: Partial<SymbolFacts> = {}): SymbolFacts {
  const name = qualifiedName.split(".").at(-1) ?? "";
  const lines = { startLine: 1, endLine: 1, nameLine: 1 };
  return { name, qualifiedName, kind: "function", access: "exported", ...lines, ...more };
}

function file(path: string) {
  return { path, language: "typescript", role: "code", flags: 0 } as const;
}

test.each<[string, string]>([
  ["parseConfig", "parse config"],
  ["ConfigParser", "config parser"],
  ["parse_user_config", "parse user config"],
  ["parse-user-config", "parse user config"],
  ["HTTPServer", "http server"],
  ["getURLs", "get ur ls"],
  ["MAX_SIZE", "max size"],
  ["utf8Decode", "utf8 decode"],
  ["base64encode", "base64 encode"],
  ["__init__", "init"],
  ["$el", "el"],
  ["Getting started", "getting started"],
  ["größeÄndern", "größe ändern"],
  ["名前", "名前"],
  ["İstanbulFoo", "i̇stanbul foo"],
  ["", ""],
  ["_", ""],
])("the sub-words of %j are %j", (name, words) => {
  expect(subWords(name).join(" ")).toBe(words);
});

test("the mask of a substring is a subset of the whole string's", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, part, after) => {
      expect(letterMask(part) & ~letterMask(before + part + after)).toBe(0);
    }),
  );
});

test("a table returns the symbols that were added", () => {
  const names = symbolNamesOf([
    {
      facts: file("a.ts"),
      symbols: [symbol("Session", { kind: "class" }), symbol("Session.open")],
    },
    { facts: file("empty.ts"), symbols: [] },
    {
      facts: file("b.ts"),
      symbols: [
        symbol("net.Session.open", { kind: "method", access: "private" }),
        symbol("odd", { name: "other" }),
      ],
    },
    { facts: file("last.ts"), symbols: [] },
  ]);
  const listed = Array.from({ length: names.size }, (_, name) =>
    [...names.symbolsOf(name)].map((one) => [
      names.file(names.fileOf(one)).path,
      names.numberInFile(one),
      names.ownerOf(one) + names.name(name),
      names.kindOf(one),
      names.accessOf(one),
    ]),
  );
  // Names are in code unit order.
  expect(listed).toEqual([
    [["a.ts", 0, "Session", "class", "exported"]],
    [
      ["a.ts", 1, "Session.open", "function", "exported"],
      ["b.ts", 0, "net.Session.open", "method", "private"],
    ],
    [["b.ts", 1, "other", "function", "exported"]],
  ]);
  expect(names.fileCount).toBe(4);
  expect(() => names.file(4)).toThrow("no file 4");
});

test("the symbols of a file are numbered by line, outer definitions first", () => {
  const names = symbolNamesOf([
    {
      facts: file("a.ts"),
      symbols: [
        symbol("last", { startLine: 9, endLine: 9 }),
        symbol("inner"),
        symbol("outer", { endLine: 5 }),
      ],
    },
  ]);
  expect(
    ["outer", "inner", "last"].map((name) => [...names.symbolsOf(names.table.firstName(name))]),
  ).toEqual([[0], [1], [2]]);
});

test("each name is found by each of its sub-words, in its original case", () => {
  const text = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 60 });
  fc.assert(
    fc.property(text, (given) => {
      const symbols = given.map((name) => symbol(name, { name }));
      const names = symbolNamesOf([{ facts: file("a.ts"), symbols }]);
      const all = Array.from({ length: names.size }, (_, at) => names.name(at));
      expect(all).toEqual([...new Set(given)].toSorted());
      for (const [at, name] of all.entries()) {
        for (const word of subWords(name)) expect([...names.table.namesWith(word)]).toContain(at);
      }
    }),
  );
});
