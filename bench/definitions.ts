// Exported definitions, found in plain text and without svc, and the choice of those that the bench asks about.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A definition at the top level of its file. Lines are 1-based. */
export interface TextDefinition {
  readonly path: string;
  readonly line: number;
}

export interface NamedDefinitions {
  readonly name: string;
  /** Every place with such a definition. */
  readonly places: readonly TextDefinition[];
}

interface Language {
  readonly extensions: RegExp;
  /** An exported definition at the beginning of a line; its first group that matches is the name. */
  readonly exported: RegExp;
  readonly tests: RegExp;
}

/** Rules by language name, as on the command line. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  go: {
    extensions: /\.go$/,
    exported: /^func ([A-Z]\w*)[([]|^type ([A-Z]\w*)[[ ]/gm,
    tests: /_test\.go$|(?:^|\/)(?:testdata|examples?|internal\/test\w*)\//,
  },
  typescript: {
    extensions: /(?<!\.d)\.[cm]?tsx?$/,
    exported:
      /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:class|interface|function\*?|type|enum|const) ([A-Za-z]\w*)/gm,
    tests: /(?:^|\/)(?:tests?|__tests__|benchmarks?|examples?)\/|\.(?:test|spec)\.\w+$/,
  },
  python: {
    extensions: /\.py$/,
    exported: /^(?:async def|def|class) ([A-Za-z]\w*)/gm,
    tests: /(?:^|\/)(?:tests?|examples?)\/|(?:^|\/)(?:test_\w*|\w*_test|conftest)\.py$/,
  },
  rust: {
    extensions: /\.rs$/,
    exported: /^pub (?:const |async |unsafe )*(?:struct|enum|trait|union|type|fn) ([A-Za-z]\w*)/gm,
    tests: /(?:^|\/)(?:tests?|benches|examples)\//,
  },
  java: {
    extensions: /\.java$/,
    exported:
      /^(?:(?:public|abstract|final|sealed) )*(?:class|interface|enum|record|@interface) ([A-Z]\w*)/gm,
    tests: /(?:^|\/)(?:tests?|examples?)\/|Test\w*\.java$/,
  },
};

const MIN_NAME_LENGTH = 3;

/** How names are drawn: those that occur in the most files, or every k-th in alphabetical order. */
export const RULES = ["used", "spread"] as const;
export type Rule = (typeof RULES)[number];

/** `count` names that files of a folder export, outside of tests and examples. Throws for an unknown language. */
export function drawDefinitions(
  folder: string,
  language: string,
  { rule, count }: { readonly rule: Rule; readonly count: number },
): readonly NamedDefinitions[] {
  const rules = LANGUAGES[language];
  if (rules === undefined) throw new Error(`there is no language ${language}`);
  const files = filesBelow(folder)
    .filter((path) => rules.extensions.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
  const places = new Map<string, TextDefinition[]>();
  for (const { path, text } of files) {
    if (rules.tests.test(path)) continue;
    for (const match of text.matchAll(rules.exported)) {
      const name = match.slice(1).find((group) => group !== undefined) ?? "";
      if (name.length < MIN_NAME_LENGTH) continue;
      const line = text.slice(0, match.index).split("\n").length;
      places.set(name, [...(places.get(name) ?? []), { path, line }]);
    }
  }
  const named = Array.from(places, ([name, all]) => ({ name, places: all })).toSorted(
    (one, other) => (one.name < other.name ? -1 : 1),
  );
  if (rule === "spread") return spread(named, count);
  const users = usersOf(
    named.map(({ name }) => name),
    files.map(({ text }) => text),
  );
  // Sorting is stable: names that occur in equally many files stay in alphabetical order.
  return named
    .toSorted((one, other) => (users.get(other.name) ?? 0) - (users.get(one.name) ?? 0))
    .slice(0, count);
}

function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, at) => all[Math.floor(at * step)],
  ).filter((one) => one !== undefined);
}

/** Name -> number of texts that have it as a word. */
function usersOf(names: readonly string[], texts: readonly string[]): ReadonlyMap<string, number> {
  const users = new Map(names.map((name) => [name, 0]));
  for (const text of texts) {
    for (const word of new Set(text.match(/\w+/g))) {
      const known = users.get(word);
      if (known !== undefined) users.set(word, known + 1);
    }
  }
  return users;
}

/** Paths relative to the folder, in order. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}
