import { spawnSync } from "node:child_process";

import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { walk } from "../../src/scan/walk.ts";
import { tree } from "../helpers/tree.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const GIT_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  LC_ALL: "C.UTF-8",
};

/** The least that git takes for a repository: faster than `git init` for hundreds of them. */
function repositoryFiles(ignoreCase: boolean, exclude: string): Files {
  return {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tignorecase = ${ignoreCase}\n`,
    ".git/objects/": "",
    ".git/refs/heads/": "",
    ".git/info/exclude": exclude,
  };
}

/** Which of `paths` git ignores: with -v a negated rule is reported as well, so it is told by its `!`. */
function ignoredByGit(directory: string, paths: readonly string[]): string[] {
  // It exits with 1 when nothing is ignored; the listing is complete all the same.
  const { stdout } = spawnSync("git", ["check-ignore", "--stdin", "-z", "-v", "-n", "--no-index"], {
    cwd: directory,
    env: GIT_ENVIRONMENT,
    input: paths.join("\0"),
    encoding: "utf8",
  });
  const fields = stdout.split("\0");
  expect(fields).toHaveLength(paths.length * 4 + 1);
  const ignored: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, , pattern, path] = fields.slice(at, at + 4);
    if (source !== "" && pattern?.startsWith("!") === false) ignored.push(path ?? "");
  }
  return ignored;
}

interface Compared {
  readonly git: readonly string[];
  readonly svc: readonly string[];
}

/** The files that stay, by git and by the walk. `files` holds the rule files as well. */
function compare(files: Files, { ignoreCase = false, exclude = "" } = {}): Compared {
  const { path, dispose } = tree({ ...repositoryFiles(ignoreCase, exclude), ...files });
  try {
    const paths = Object.keys(files).filter((name) => !name.endsWith("/"));
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

/** Names that meet as many patterns as possible; a path may not be both file and directory. */
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
  "a\tb",
  "x-y",
  "9",
  "_",
  "debug.log",
  "Debug.LOG",
  "~",
  "a~",
];
const FOLDERS = ["", "dir/", "dir/foo.d/", "Dir/", "a.d/b/c/", "é.d/", "foo.d/bar.d/baz/"];

const NASTY = [
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

// One test a pattern: each starts a git of its own.
describe.each([
  { ignoreCase: false, title: "case-sensitively" },
  { ignoreCase: true, title: "without regard to case when core.ignorecase says so" },
])("a nasty pattern by itself ignores what git ignores, $title", ({ ignoreCase }) => {
  test.each(NASTY.map((pattern) => [JSON.stringify(pattern), pattern]))("%s", (_, pattern) => {
    const gitignore = { ".gitignore": `${pattern}\n` };
    const { path, dispose } = tree({
      ...repositoryFiles(ignoreCase, ""),
      ...PLAIN_TREE,
      ...gitignore,
    });
    onTestFinished(dispose);
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
    "nothing comes back below an ignored folder",
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
    "bytes that are no UTF-8 are matched as bytes",
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
const ruleFile = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));

const segment = fc.constantFrom(
  "a",
  "b",
  "c",
  "ab",
  "A",
  "foo",
  "dir",
  "é",
  "a b",
  ".c",
  "[a]",
  "#a",
  "!a",
);
const filePath = fc
  .tuple(
    fc.array(segment, { maxLength: 3 }),
    fc.constantFrom("a", "b", "foo.c", "A.c", "é", "#", "x*", "a-b", "c "),
  )
  // Folders end in `_`, so that no path is both file and folder.
  .map(([folders, name]) => [...folders.map((folder) => `${folder}_`), name].join("/"));
const ruleFolder = fc.constantFrom("", "", "a_/", "b_/", "a_/b_/", "dir_/", "foo_/a_/");

test("any tree with any ignore files is left with what git leaves", () => {
  fc.assert(
    fc.property(
      fc.array(filePath, { minLength: 3, maxLength: 16 }),
      fc.array(fc.tuple(ruleFolder, ruleFile), { minLength: 1, maxLength: 4 }),
      ruleFile,
      fc.boolean(),
      (paths, rules, exclude, ignoreCase) => {
        const files = Object.fromEntries<string>([
          ...paths.map((path): [string, string] => [path, ""]),
          ...rules.map(([folder, text]): [string, string] => [`${folder}.gitignore`, text]),
        ]);
        const { git, svc } = compare(files, { ignoreCase, exclude });
        expect(svc).toEqual(git);
      },
    ),
    { numRuns: 400, seed: 20_240_611 },
  );
}, 120_000);
