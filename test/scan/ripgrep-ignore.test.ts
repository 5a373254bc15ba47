// Compares `.ignore` files with ripgrep, which reads them as svc should.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { rgPath } from "@vscode/ripgrep";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { walk } from "../../src/scan/walk.ts";
import { plant, tree } from "../helpers/tree.ts";

type Files = Readonly<Record<string, string>>;

function folder(files: Files, { isRepository = false } = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  if (isRepository) execFileSync("git", ["init", "-q"], { cwd: path });
  return path;
}

/**
 * svc's rules: hidden files are included, .gitignore also applies outside a repository, and rules in parent folders do
 * not count.
 */
const LIKE_SVC = ["--hidden", "--no-require-git", "--no-ignore-parent", "--no-ignore-global"];

function byRipgrep(root: string): string[] {
  const { stdout } = spawnSync(rgPath, ["--files", "--no-config", ...LIKE_SVC, "--glob=!.git"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout.split("\n").filter(Boolean).toSorted();
}

function bySvc(root: string): string[] {
  return walk(root).files.map(({ path }) => path);
}

const NAMES = ["a.ts", "b.ts", "b.log", "build", "out", "src", ".dot"] as const;
const PATTERNS = [
  "*",
  "*.log",
  "*.ts",
  "!*.ts",
  "!*.log",
  "!b.log",
  "a.ts",
  "!a.ts",
  "build",
  "build/",
  "!build",
  "!build/",
  "/out",
  "!/out",
  "out/*",
  "!out/a.ts",
  "src/**/b.ts",
  "!src/**/b.ts",
  "**/build/*.log",
  "!**/build/**",
  "!*/",
  "# comment",
  ".dot",
  "[ab].ts",
  "\\!a.ts",
  "a.?s",
] as const;
const PATH = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
const RULES = fc.record({
  folder: fc.array(fc.constantFrom("build", "out", "src"), { maxLength: 2 }),
  name: fc.constantFrom(".gitignore", ".ignore", ".ignore"),
  lines: fc.array(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 5 }),
});

/** One process of ripgrep lists all trees: each has its own rules, and its parent folders have none. */
test("in random trees svc finds the files that ripgrep finds", () => {
  const trees = fc.record({
    paths: fc.array(PATH, { minLength: 3, maxLength: 14 }),
    rules: fc.array(RULES, { minLength: 1, maxLength: 5 }),
    isRepository: fc.boolean(),
  });
  const above = folder({});
  const empty = folder({}, { isRepository: true });
  const planted = fc.sample(trees, { numRuns: 300, seed: 20_261_128 }).map((sample, number) => {
    const root = join(above, String(number));
    mkdirSync(root);
    if (sample.isRepository) cpSync(join(empty, ".git"), join(root, ".git"), { recursive: true });
    for (const names of sample.paths) plantIfPossible(root, names.join("/"), "");
    for (const { folder: at, name, lines } of sample.rules) {
      plantIfPossible(root, [...at, name].join("/"), `${lines.join("\n")}\n`);
    }
    return { root, sample };
  });
  const listed = Map.groupBy(byRipgrep(above), (path) => path.slice(0, path.indexOf("/")));
  for (const [number, { root, sample }] of planted.entries()) {
    const found = (listed.get(String(number)) ?? []).map((path) =>
      path.slice(path.indexOf("/") + 1),
    );
    expect({ ...sample, found: bySvc(root) }).toEqual({ ...sample, found });
  }
});

/** A name may be that of a file and of a folder. */
function plantIfPossible(root: string, path: string, content: string): void {
  try {
    plant(root, { [path]: content });
  } catch {
    // The first one stays.
  }
}

describe.each([false, true])("in a repository: %s", (isRepository) => {
  test("`!name` in .ignore includes files that .gitignore excludes, also from the folder above", () => {
    const root = folder(
      {
        ".gitignore": "*.log\nout/\ndeep/\n",
        ".ignore": "!keep.log\n!out/\n",
        "keep.log": "",
        "other.log": "",
        "out/a.ts": "",
        "out/b.log": "",
        "deep/keep.log": "",
        "src/.gitignore": "*.log\n",
        "src/keep.log": "",
      },
      { isRepository },
    );
    expect(bySvc(root)).toEqual([
      ".gitignore",
      ".ignore",
      "keep.log",
      "out/a.ts",
      "src/.gitignore",
      "src/keep.log",
    ]);
    expect(bySvc(root)).toEqual(byRipgrep(root));
  });
});

test("an .ignore excludes files that git tracks", () => {
  const root = folder({ ".ignore": "a.ts\n", "a.ts": "", "b.ts": "" }, { isRepository: true });
  execFileSync("git", ["add", "."], { cwd: root });
  expect(bySvc(root)).toEqual([".ignore", "b.ts"]);
});

test("a .svcignore comes before an .ignore, and includes nothing that git ignores", () => {
  const root = folder({
    ".gitignore": "c.ts\nd.ts\n",
    ".ignore": "a.ts\n!b.ts\n!d.ts\nc.ts\n",
    "sub/.svcignore": "!a.ts\nb.ts\n!c.ts\n",
    "sub/a.ts": "",
    "sub/b.ts": "",
    "sub/c.ts": "",
    "sub/d.ts": "",
  });
  expect(bySvc(join(root, "sub"))).toEqual([".svcignore", "a.ts", "c.ts", "d.ts"]);
  expect(bySvc(root)).toEqual([".gitignore", ".ignore", "sub/.svcignore", "sub/a.ts", "sub/d.ts"]);
});

test("an .ignore applies from the top level of the repository on, and across the boundary of an inner one", () => {
  const root = folder(
    { ".ignore": "*.log\n", "sub/inner/a.log": "", "sub/inner/b.ts": "", "sub/c.log": "" },
    { isRepository: true },
  );
  expect(bySvc(join(root, "sub"))).toEqual(["inner/b.ts"]);
  execFileSync("git", ["init", "-q"], { cwd: join(root, "sub/inner") });
  expect(bySvc(root)).toEqual([".ignore", "sub/inner/b.ts"]);
});

test("an .ignore includes a folder of dependencies, but nothing below a folder that git ignores", () => {
  const files = {
    ".gitignore": "out/\n",
    ".ignore": "!node_modules/\n!b.ts\n",
    "node_modules/a.ts": "",
    "out/b.ts": "",
    "out/tracked.ts": "",
  };
  const root = folder(files, { isRepository: true });
  execFileSync("git", ["add", "-f", "out/tracked.ts"], { cwd: root });
  expect(bySvc(root)).toEqual([".gitignore", ".ignore", "node_modules/a.ts", "out/tracked.ts"]);
});

test("no .ignore includes secrets, git's own files, links or files out of the root", () => {
  const outside = folder({ "secret.ts": "" });
  const root = folder(
    {
      ".gitignore": ".env\nkey.pem\n",
      ".ignore": "!*\n!.git\n!.git/**\n!.env\n!/key.pem\n!link\n!../**\n!/etc/passwd\n",
      ".env": "",
      "key.pem": "",
      ".ssh/config": "",
      "image.png": "",
      "a.ts": "",
    },
    { isRepository: true },
  );
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "secret.ts"), join(root, "secret.ts"));
  expect(bySvc(root)).toEqual([".gitignore", ".ignore", "a.ts"]);
  expect(walk(root).skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
    ".env secret",
    ".ssh/config secret",
    "image.png binary",
    "key.pem secret",
    "link symbolic-link",
    "secret.ts symbolic-link",
  ]);
});

test("an .ignore that cannot be used closes its folder, with a warning", () => {
  const root = folder({ "sub/a.ts": "", "b.ts": "", rules: "" });
  symlinkSync("../rules", join(root, "sub/.ignore"));
  const { files, skipped, warnings } = walk(root);
  expect(files.map(({ path }) => path)).toEqual(["b.ts", "rules"]);
  expect(skipped).toEqual([{ path: "sub/.ignore", reason: "ignore-rules" }]);
  expect(warnings).toEqual([
    `"${root}/sub/.ignore" is a symbolic link, so svc skips everything in its folder; replace it with a readable file of up to 1 MiB, or remove it.`,
  ]);
});

test("an .ignore distinguishes case, also in a repository that does not", () => {
  const root = folder({ ".ignore": "A.ts\n", "a.ts": "" }, { isRepository: true });
  execFileSync("git", ["config", "core.ignorecase", "true"], { cwd: root });
  expect(bySvc(root)).toEqual([".ignore", "a.ts"]);
  writeFileSync(join(root, ".ignore"), readFileSync(join(root, ".ignore"), "utf8").toLowerCase());
  expect(bySvc(root)).toEqual([".ignore"]);
});
