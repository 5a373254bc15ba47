import * as fc from "fast-check";
import { expect, test } from "vitest";

import { symbolNamesOf, type SymbolNames } from "../../src/index/names/symbol-names.ts";
import {
  abbreviatedNames,
  matchingNames,
  namesWithTypos,
  type NameMatch,
} from "../../src/search/symbol-match.ts";
import { parseSymbolQuery } from "../../src/search/symbol-query.ts";

const FILE = { path: "a.ts", language: "typescript", role: "code", flags: 0 } as const;
const LINES = { startLine: 1, endLine: 1, nameLine: 1 } as const;

function tableOf(names: readonly string[]): SymbolNames {
  const facts = { kind: "function", access: "exported", ...LINES } as const;
  const symbols = names.map((name) => ({ name, qualifiedName: name, ...facts }));
  return symbolNamesOf([{ facts: FILE, symbols }]);
}

type Matcher = typeof matchingNames;

/** Returns `name: match`, with the number of typos if there are any. */
function matches(all: readonly string[], typed: string, by: Matcher = matchingNames): string[] {
  const names = tableOf(all);
  const query = parseSymbolQuery(typed);
  if (query === undefined) throw new Error(`nothing is asked for by ${typed}`);
  return by(names, query).map(({ name, match, distance }: NameMatch) =>
    `${names.name(name)}: ${match} ${distance || ""}`.trim(),
  );
}

const NAMES = [
  "parseConfig",
  "ParseConfig",
  "parse_config",
  "parseConfigFile",
  "ConfigParser",
  "parseUserConfig",
  "NullPointerException",
  "getUser",
  "open",
  "reopen",
  "Größe",
  "名前",
];

test.each<[string, readonly string[]]>([
  [
    "parseConfig",
    [
      "parseConfig: exact",
      "ParseConfig: other case",
      "parse_config: words",
      "parseConfigFile: prefix",
      "parseUserConfig: words",
      "ConfigParser: words",
    ],
  ],
  [
    "parseConf",
    [
      "parseConfig: prefix",
      "ParseConfig: prefix",
      "parseConfigFile: prefix",
      "parse_config: words",
      "ConfigParser: words",
      "parseUserConfig: words",
    ],
  ],
  [
    "parse conf",
    [
      "parseConfig: words",
      "ParseConfig: words",
      "parseConfigFile: words",
      "parse_config: words",
      "ConfigParser: words",
      "parseUserConfig: words",
    ],
  ],
  ["userconf", ["parseUserConfig: words"]],
  ["NPE", ["NullPointerException: acronym"]],
  ["npe", ["NullPointerException: acronym"]],
  ["NPEX", []],
  ["open", ["open: exact"]],
  ["pen", []],
  ["größe", ["Größe: other case"]],
  ["名前", ["名前: exact"]],
  ["zzz", []],
])("%s matches %j", (query, expected) => {
  expect(matches(NAMES, query).toSorted()).toEqual(expected.toSorted());
});

test("words match that are divided elsewhere, and names without letters by their beginning", () => {
  const names = ["task_struct", "taskStructs", "tas_kstruct", "of_task_struct", "xtask_struct"];
  expect(matches(names, "taskstruct").toSorted()).toEqual([
    "of_task_struct: words",
    "tas_kstruct: words",
    "taskStructs: prefix",
    "task_struct: words",
  ]);
  // More names with its first sub-word than are read one by one.
  const many = Array.from({ length: 99 }, (_, at) => `tas_${at}`);
  expect(matches([...many, ...names], "taskstruct").length).toBe(4);
  expect(matches(["_", "_private", "a_", "$el"], "_")).toEqual(["_: exact", "_private: prefix"]);
});

test.each<[string, readonly string[]]>([
  ["gUsr", ["getUser: abbreviation"]],
  ["usr", ["getUser: abbreviation", "parseUserConfig: abbreviation"]],
  [
    "cfg",
    [
      "parseConfig",
      "ParseConfig",
      "parse_config",
      "parseConfigFile",
      "ConfigParser",
      "parseUserConfig",
    ].map((name) => `${name}: abbreviation`),
  ],
  ["us", []],
])("%s abbreviates %j", (query, expected) => {
  expect(matches(NAMES, query, abbreviatedNames).toSorted()).toEqual(expected.toSorted());
});

test.each<[string, readonly string[]]>([
  [
    "parseConfg",
    [
      "parseConfig: misspelt 1",
      "ParseConfig: misspelt 1",
      "parse_config: misspelt 2",
      "parseConfigFile: misspelt 1",
      "ConfigParser: misspelt 1",
      "parseUserConfig: misspelt 1",
    ],
  ],
  ["ConfgiParser", ["ConfigParser: misspelt 1", "parseConfig: misspelt 2"]],
  ["opne", ["open: misspelt 1"]],
  ["onp", []],
  ["gteUser", ["getUser: misspelt 1"]],
])("%s may be meant for %j", (query, expected) => {
  const found = matches(NAMES, query, namesWithTypos);
  expect(found).toEqual(expect.arrayContaining([...expected]));
  expect(found.length === 0).toBe(expected.length === 0);
});

const word = fc.string({
  unit: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  minLength: 2,
  maxLength: 7,
});
const words = fc.array(word, { minLength: 1, maxLength: 4 });
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (parts: readonly string[]): string =>
  parts.map((part, at) => (at === 0 ? part : capital(part))).join("");
const crowd = fc.array(words.map(camel), { maxLength: 30 });

test("among any names, a name is found exactly, in other case, and by its prefix", () => {
  fc.assert(
    fc.property(words, crowd, (parts, others) => {
      const name = camel(parts);
      const all = [...others, name];
      expect(matches(all, name)).toContain(`${name}: exact`);
      const upper = name.toUpperCase();
      fc.pre(upper !== name && !others.includes(upper));
      expect(matches(all, upper)).toContain(`${name}: other case`);
      fc.pre(name.length > 2);
      expect(matches(all, name.slice(0, -1))).toContain(`${name}: prefix`);
    }),
  );
});

test("a name is found by the beginnings of its words in any order", () => {
  fc.assert(
    fc.property(words, crowd, fc.integer({ min: 2, max: 4 }), (parts, others, length) => {
      fc.pre(parts.length > 1);
      const name = camel(parts);
      const query = camel(parts.toReversed().map((part) => part.slice(0, length)));
      const found = matches([...others, name], query);
      expect(found.some((one) => one.startsWith(`${name}: `))).toBe(true);
    }),
  );
});

test("a name with one typo is found, with the number of typos", () => {
  fc.assert(
    fc.property(
      words,
      crowd,
      fc.nat(),
      fc.constantFrom("drop", "swap", "change"),
      (parts, others, at, edit) => {
        const name = camel(parts).toLowerCase();
        fc.pre(name.length >= 5);
        const place = at % (name.length - 1);
        const [one = "", other = ""] = name.slice(place, place + 2);
        const between = { drop: other, swap: other + one, change: `z${other}` }[edit];
        const query = name.slice(0, place) + between + name.slice(place + 2);
        fc.pre(query !== name && query.length > 3);
        expect(matches([...others, name], query, namesWithTypos)).toContain(`${name}: misspelt 1`);
      },
    ),
  );
});
