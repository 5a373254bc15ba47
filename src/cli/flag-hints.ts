// Hints for flags of other programs that svc lacks: they name the flag or the command of svc.

/** Flags of svc, without dashes, by what other programs call them. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    path: "g glob iglob globs include file files glob-pattern",
    language: "t type lang ext extension",
    limit: "m k max max-count max-results top head count num",
    at: "rev ref revision commit branch tag",
    ref: "rev revision commit branch tag",
    namespace: "ns project workspace repo",
    context: "A B after-context before-context",
    "include-secrets": "no-mask unmask",
    all: "everywhere all-namespaces",
    yes: "f force assume-yes no-input",
    "allow-older": "f force downgrade",
    check: "dry-run",
    print: "dry-run",
    full: "long no-truncate",
    "max-tokens": "tokens budget",
    "files-with-matches": "files-only name-only",
    rebuild: "f force full clean reindex",
    follow: "tail watch",
  }).reduce((flags, [flag, names]) => {
    for (const name of names.split(" ")) flags.set(name, [...(flags.get(name) ?? []), flag]);
    return flags;
  }, new Map<string, string[]>()),
);

const DEBUG = "Set SERVICE_DEBUG=true to print what svc does.";
const SILENT = "Redirect the output to discard it; the exit code is 0 for results and 1 for none.";
const NO_COLOR = "Set NO_COLOR=1.";

/** Hints for flags that no command of svc has. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["verbose", DEBUG],
  ["v", DEBUG],
  ["debug", DEBUG],
  ["quiet", SILENT],
  ["q", SILENT],
  ["silent", SILENT],
  ["no-color", NO_COLOR],
  ["no-colour", NO_COLOR],
  ["version", "Run `svc --version`."],
]);

/**
 * The hint for an unknown flag, if other programs have it. `typed` is its name without dashes, `known` the flags of the
 * command, `own` the hints of the command.
 */
export function hintForFlag(
  typed: string,
  known: ReadonlySet<string>,
  own: Readonly<Record<string, string>> = {},
): string | undefined {
  const hint = Object.hasOwn(own, typed) ? own[typed] : undefined;
  if (hint !== undefined) return hint;
  const flag = OTHER_NAMES.get(typed)?.find((name) => known.has(name));
  return flag === undefined ? HINTS.get(typed) : `Did you mean --${flag}?`;
}

/** What to use in place of flags of grep and ripgrep, for `svc grep`. */
export const GREP_FLAG_HINTS: Readonly<Record<string, string>> = hintsFor({
  "n line-number": "svc grep prints line numbers without it; --limit N, or -n N, prints N lines.",
  "r R recursive": "svc grep searches folders without it.",
  "H with-filename": "svc grep prints paths without it.",
  "E P extended-regexp perl-regexp": "PATTERN is a regular expression (RE2 syntax) without it.",
  "e regexp": "Give PATTERN as an argument, after `--` if it begins with a dash.",
  "v invert-match": "svc grep prints only lines that match; use grep or ripgrep for the others.",
  "L files-without-match":
    "svc grep lists only files that match; use grep or ripgrep for the others.",
  "A B after-context before-context": "-C N prints N lines before and after each match.",
  "o only-matching":
    "svc grep prints whole lines; --format '{path}:{line}:{column}' prints places.",
  "x line-regexp": "Write ^PATTERN$.",
  "s S smart-case": "Use -i to ignore case.",
  "q quiet": "Redirect the output to discard it; the exit code is 0 for matches and 1 for none.",
  "U multiline": "svc grep matches within a line.",
});

function hintsFor(table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([names, hint]) => names.split(" ").map((name) => [name, hint])),
  );
}
