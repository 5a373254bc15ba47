import { writeFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import { pathToBytes } from "../../src/base/path-bytes.ts";
import { walk } from "../../src/scan/walk.ts";
import { ignoredByGit, repository } from "./ignored-by-git.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Compared {
  readonly git: readonly string[];
  readonly svc: readonly string[];
}

/** The files that git and the walk include. `files` also contains the rule files. */
function compare(
  files: Files,
  {
    ignoreCase = false,
    exclude = "",
  }: { ignoreCase?: boolean; exclude?: string | Uint8Array } = {},
): Compared {
  const { path, dispose } = repository(files, ignoreCase, exclude);
  try {
    const paths = Object.keys(files);
    const ignored = new Set(ignoredByGit(path, paths));
    return {
      git: paths.filter((name) => !ignored.has(name)).toSorted(),
      svc: walk(path)
        .files.map((file) => file.path)
        .toSorted(),
    };
  } finally {
    dispose();
  }
}

/** Names that match as many patterns as possible. A path must not be both file and directory. */
const NAMES = [
  "a",
  "b",
  "ab",
  "abc",
  "A",
  "AB",
  "a.b",
  ".a",
  "foo",
  "foo.c",
  "foo.tar.xy",
  "f",
  "o",
  "a b",
  "a ",
  " a",
  "#a",
  "!a",
  "\\a",
  "\\A*",
  "\\A",
  "a\\",
  "[a]",
  "]",
  "[",
  "a*",
  "*",
  "?",
  "-",
  "^",
  "é",
  "aé",
  "éa",
  // Bytes that are not UTF-8, and a character that serves as an escape.
  "\u{10FFFF}",
  "a\u{10FFFF}",
  "\u{10FFE9}a",
  "\u{10FFC3}b",
  "\u{10FFF4}\u{10FF8F}\u{10FFBD}\u{10FF81}",
  "a\tb",
  "x-y",
  "9",
  "_",
  "debug.log",
  "Debug.LOG",
  "~",
  "a~",
];
const FOLDERS = [
  "",
  "dir/",
  "dir/foo.d/",
  "Dir/",
  "a.d/b/c/",
  "é.d/",
  "\u{10FFE9}.d/",
  "foo.d/bar.d/baz/",
];

const EDGE_CASES = [
  "\\A*",
  "\\AB",
  "",
  "#a",
  "\\#a",
  "!a",
  "\\!a",
  "a ",
  "a\\ ",
  "a\\  ",
  "a \\",
  "a\t",
  "\\a",
  "\\\\a",
  "a\\\\",
  "a\\",
  "\\",
  "/",
  "//",
  "!",
  "!/",
  "/a",
  "//a",
  "a/",
  "a//",
  "/a/",
  "./a",
  "dir/../a",
  "dir",
  "dir/",
  "/dir/",
  "dir//",
  "*",
  "/*",
  "*/",
  "/*/",
  "**",
  "/**",
  "**/",
  "/**/",
  "***",
  "***/a",
  "**/a",
  "**/a/**",
  "a/**",
  "dir/**",
  "dir/**/",
  "dir/**/a",
  "dir/**/**/a",
  "dir**/a",
  "dir**",
  "d**/a",
  "**dir/a",
  "dir/**a",
  "dir/a**",
  "dir/**\\/a",
  "**\\/a",
  "dir/*",
  "dir/*/",
  "dir/*/*",
  "dir/?",
  "dir/??",
  "dir?a",
  "dir*a",
  "dir[/]a",
  "dir[!x]a",
  "*/a",
  "*/*/a",
  "/*/a",
  "foo.*",
  "*.c",
  "*.C",
  ".*",
  "*.",
  "*.*",
  "*.tar.xy",
  "*o*",
  "f*o",
  "f*o*c",
  "*a*b*",
  "?",
  "??",
  "???",
  "\\?",
  "\\*",
  "[a]",
  "[!a]",
  "[^a]",
  "[a-c]",
  "[c-a]",
  "[a-]",
  "[-a]",
  "[]]",
  "[]a]",
  "[!]a]",
  "[",
  "[a",
  "[]",
  "[!]",
  "[!",
  "a[",
  "\\[a\\]",
  "[\\]]",
  "[\\a]",
  "[a\\",
  "[a-\\c]",
  "[[:alpha:]]",
  "[[:upper:]]",
  "[![:alpha:]]",
  "[[:alpha:][:digit:]]",
  "[[:bogus:]]",
  "[[:alpha]",
  "[[:]",
  "[[::]]",
  "[:alpha:]",
  "[[:alpha:]-z]",
  "[a-[:alpha:]]",
  "[[:punct:]]",
  "[[:space:]]",
  "[[:xdigit:]]",
  "[[:graph:]]",
  "[[:print:]]",
  "[[:cntrl:]]",
  "[\u{10FF80}-\u{10FFFF}]",
  "[\u{10FFC3}]?",
  "a\u{10FFFF}",
  "\u{10FFE9}*",
  "\u{10FFE9}.d",
  "?.d/a",
  "[[:blank:]]*",
  "*[[:blank:]]*",
  "[[:alnum:]_]",
  "[[:constructor:]]",
  "[^]",
  "[^^]",
  "[--0]",
  "é",
  "?a",
  "??a",
  "a?",
  "a??",
  "[é]",
  "[é]a",
  "[!a]*",
  "é*",
  "\u00e9.d/*",
  "\ufeffa",
  "a\rb",
  "a*b?c",
  "A",
  "[A]",
  "[A-Z]",
  "DEBUG.log",
  "*.LOG",
  "[[:lower:]]",
  "~",
  "*~",
  "x-y",
  "x[--z]y",
  "x[,-.]y",
  "foo.d/bar.d",
  "/foo.d/bar.d/",
  "foo.d/*/baz",
  "foo.d/**/baz",
  "**/bar.d",
  "bar.d/baz",
];

const PLAIN_TREE: Files = Object.fromEntries(
  FOLDERS.flatMap((folder) => NAMES.map((name) => [folder + name, ""])),
);

describe.each([
  { ignoreCase: false, title: "case-sensitively" },
  { ignoreCase: true, title: "regardless of case with core.ignorecase" },
])("a single edge-case pattern ignores what git ignores, $title", ({ ignoreCase }) => {
  // One tree for all patterns: creating it takes longer than git and the walk together.
  let path = "";
  beforeAll(() => {
    const folder = repository(PLAIN_TREE, ignoreCase);
    ({ path } = folder);
    return folder.dispose;
  });

  test.each(EDGE_CASES.map((pattern) => [JSON.stringify(pattern), pattern]))("%s", (_, pattern) => {
    writeFileSync(join(path, ".gitignore"), pathToBytes(`${pattern}\n`));
    const paths = [...Object.keys(PLAIN_TREE), ".gitignore"];
    const ignored = new Set(ignoredByGit(path, paths));
    const left = walk(path).files.map((file) => file.path);
    expect(left).toEqual(paths.filter((name) => !ignored.has(name)).toSorted());
  });
});

test.each([
  ["the last line that matches decides", { ".gitignore": "*.c\n!foo.c\nfoo*\n!foo.tar.xy\n" }],
  [
    "a nested file overrides its parents",
    { ".gitignore": "foo.c\n", "dir/.gitignore": "!foo.c\n" },
  ],
  [
    "no rule includes a file below an ignored folder",
    { ".gitignore": "dir/\n!dir/foo.c\n!dir/\nfoo.d\n!foo.d/bar.d/baz/a\n" },
  ],
  ["a folder kept by ! is walked", { ".gitignore": "/*\n!/dir\n/dir/*\n!/dir/foo.d\n" }],
  [
    "files end in CRLF, or in no line end at all",
    { ".gitignore": "a\r\n\r\n!b\r\nfoo.c\r\n*.log" },
  ],
  ["a byte order mark is skipped", { ".gitignore": "\ufefffoo.c\na\n" }],
  ["a line is cut at NUL", { ".gitignore": "foo.c\0bar\n!a\0\n" }],
  [
    "bytes that are not UTF-8 are matched as bytes",
    { ".gitignore": Buffer.from([0x5b, 0xc3, 0x5d, 0x3f, 0x0a, 0x61, 0xff, 0x0a]) },
  ],
  ["info/exclude comes last", { ".gitignore": "!a\n" }],
  [
    "rules in a folder are relative to it",
    { "foo.d/.gitignore": "/bar.d\nbaz/a\n", "a.d/.gitignore": "b/c/foo.c\n/c\nb/*/a\n" },
  ],
] as const)("%s", (_behaviour, rules: Files) => {
  const { git, svc } = compare({ ...PLAIN_TREE, ...rules }, { exclude: "a\nb\nfoo.d/\n!foo.d/\n" });
  expect(svc).toEqual(git);
});

const piece = fc.constantFrom(
  "a",
  "b",
  "c",
  "A",
  "dir",
  "foo",
  "foo.c",
  ".c",
  "*",
  "*",
  "**",
  "**/",
  "/",
  "/",
  "?",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-c]",
  "[A-B]",
  "[[:alpha:]]",
  "[[:upper:]]",
  "[]",
  "[",
  "]",
  "\\",
  "\\*",
  "!",
  "#",
  " ",
  "\\ ",
  "é",
  "\u{10FFE9}",
  "\u{10FFC3}",
  ".",
  "-",
);
const line = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "!/"),
    fc.array(piece, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "", "/", " ", "\r"),
  )
  .map(([head, pieces, tail]) => head + pieces.join("") + tail);
const ruleFile = fc.array(line, { maxLength: 6 }).map((lines) => pathToBytes(lines.join("\n")));

const segment = fc.constantFrom(
  "a",
  "b",
  "c",
  "ab",
  "A",
  "foo",
  "dir",
  "é",
  "\u{10FFE9}",
  "a b",
  ".c",
  "[a]",
  "#a",
  "!a",
);
const filePath = fc
  .tuple(
    fc.array(segment, { maxLength: 3 }),
    fc.constantFrom("a", "b", "foo.c", "A.c", "é", "\u{10FFC3}", "#", "x*", "a-b", "c "),
  )
  // Folders end in `_`, so that no path is both file and folder.
  .map(([folders, name]) => [...folders.map((folder) => `${folder}_`), name].join("/"));
const ruleFolder = fc.constantFrom("", "", "a_/", "b_/", "a_/b_/", "dir_/", "foo_/a_/");

test("in any tree with any ignore files the walk includes the files that git does", () => {
  fc.assert(
    fc.property(
      fc.array(filePath, { minLength: 3, maxLength: 16 }),
      fc.array(fc.tuple(ruleFolder, ruleFile), { minLength: 1, maxLength: 4 }),
      ruleFile,
      fc.boolean(),
      (paths, rules, exclude, ignoreCase) => {
        const files = Object.fromEntries<string | Uint8Array>([
          ...paths.map((path): [string, string] => [path, ""]),
          ...rules.map(([folder, text]): [string, Uint8Array] => [`${folder}.gitignore`, text]),
        ]);
        const { git, svc } = compare(files, { ignoreCase, exclude });
        expect(svc).toEqual(git);
      },
    ),
    { numRuns: 400, seed: 20_240_611 },
  );
}, 120_000);
