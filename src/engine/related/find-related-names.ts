// Names of tests: `foo.test.ts`, `test_foo.py`, `FooTest.java`, `foo_test.go`, `spec/foo_spec.rb`, `tests/foo.rs`.

import type { FileTree } from "../../index/port.ts";
import { folderOf, stemOf } from "../../graph/modules/paths.ts";

/** Names of tests of a file; `*` is its name without the extension. */
const PATTERNS = [
  ..."*.test *.spec *.tests *.e2e *.cy *-test *-spec *-tests *_test *_tests *_spec *_unittest *.unit".split(
    " ",
  ),
  ..."test_* tests_* test-* *Test *Tests *TestCase *Spec *Specs *IT Test* * *_suite".split(" "),
];
/** Groups of interchangeable extensions. */
const FAMILIES = [
  "ts tsx mts cts js jsx mjs cjs vue svelte".split(" "),
  "c cc cpp cxx h hh hpp".split(" "),
  "java kt groovy scala".split(" "),
  "ex exs".split(" "),
  "py pyi".split(" "),
  "pl pm t".split(" "),
  "sh bash bats".split(" "),
];
/** Compiled languages whose programs and modules are often tested by scripts, as Redis is in Tcl, and those of the scripts. */
const COMPILED = new Set("c cc cpp cxx h hh hpp rs".split(" "));
const SCRIPTS = "tcl py t pl sh bats rb lua".split(" ");
/** Stems of files that represent their folder. */
const FOLDER_NAMES = new Set(["index", "mod", "__init__", "main", "init", "lib"]);
/** Folder names that describe the kind of files, not their subject. */
const KIND_FOLDERS = new Set(
  (
    "src source lib libs main app java kotlin scala groovy js ts python ruby test tests testing spec specs unit " +
    "unittest unittests integration functional e2e __tests__ __test__ t"
  ).split(" "),
);

export interface NamedTest {
  readonly path: string;
  /** Share of matching folders, 0 to 1; 1 when the test's folder mirrors that of the file. */
  readonly proximity: number;
}

/** Files named like tests of `path`, or of `types` in it. The caller must check that they are tests. */
export function testsNamedAfter(
  tree: Pick<FileTree, "named">,
  path: string,
  types: readonly string[] = [],
): readonly NamedTest[] {
  const found = new Set<string>();
  for (const stem of new Set([...stemsOf(path), ...types])) {
    for (const pattern of PATTERNS) {
      for (const extension of extensionsLike(path)) {
        for (const test of tree.named(`${pattern.replace("*", stem)}${extension}`)) found.add(test);
      }
    }
  }
  found.delete(path);
  return [...found].map((test) => ({ path: test, proximity: proximityOf(path, test) }));
}

/** Whether a file with the role `tests` has the name or the folder of a test; others are helpers. */
export function isTestName(path: string): boolean {
  const stem = stemOf(path);
  return (
    /(?:^|[._-])(?:tests?|specs?|unittests?|e2e|cy)(?:[._-]|$)/i.test(stem) ||
    /[a-z0-9](?:Tests?|TestCase|Specs?|IT)$|^Test[A-Z]/.test(stem) ||
    /\.(?:t|bats)$/.test(path) ||
    /(?:^|\/)(?:__tests__|tests?|specs?)$/.test(folderOf(path))
  );
}

function stemsOf(path: string): readonly string[] {
  const stem = stemOf(path);
  const folder = folderOf(path);
  const own =
    FOLDER_NAMES.has(stem) && folder !== "" ? folder.slice(folder.lastIndexOf("/") + 1) : stem;
  const snake = own.replaceAll("-", "_");
  return [...new Set([own, snake, capitalized(own)])];
}

/** `parse-query` and `parse_query` as `ParseQuery`. */
function capitalized(stem: string): string {
  return stem.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function extensionsLike(path: string): readonly string[] {
  const extension = path.slice(path.lastIndexOf("/") + 1).replace(/^.*\./, "");
  const family = FAMILIES.find((one) => one.includes(extension)) ?? [extension];
  const all = COMPILED.has(extension) ? [...family, ...SCRIPTS] : family;
  return all.map((one) => `.${one}`);
}

function proximityOf(path: string, test: string): number {
  const [own, other] = [partsOf(path), partsOf(test)];
  const length = Math.max(own.length, other.length);
  if (length === 0) return 1;
  let same = 0;
  while (
    same < length &&
    own.at(-1 - same) !== undefined &&
    own.at(-1 - same) === other.at(-1 - same)
  ) {
    same += 1;
  }
  return same / length;
}

function partsOf(path: string): readonly string[] {
  return folderOf(path)
    .split("/")
    .filter((part) => part !== "" && !KIND_FOLDERS.has(part.toLowerCase()));
}
