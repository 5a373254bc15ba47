// The static checks, and which of them a set of changed files needs.

export interface Check {
  readonly name: string;
  /** Path below the repository of the script that Node runs. */
  readonly script: string;
  readonly args?: readonly string[];
  /** The files that can change its result; absent for a check that always runs. */
  readonly inputs?: RegExp;
  /** True if it checks each file separately: with a list of files it checks only those that match `inputs`. */
  readonly isPerFile?: boolean;
}

/** The checks that `npm run check -- --changed` runs, and those that it leaves out. */
export interface Plan {
  readonly checks: readonly Check[];
  /** Names of checks. */
  readonly leftOut: readonly string[];
}

const TYPESCRIPT = "node_modules/typescript/bin/tsc";
/** The versions of all tools, and their configuration. */
const TOOLS = String.raw`package(?:-lock)?\.json|tsconfig\.json|\.oxlintrc\.json|\.oxfmtrc\.json`;

export const CHECKS: readonly Check[] = [
  {
    name: "format",
    script: "node_modules/oxfmt/bin/oxfmt",
    args: ["--check", "--no-error-on-unmatched-pattern"],
    inputs: /\.(?:[cm]?[jt]s|json|md|ya?ml|css|html)$/,
    isPerFile: true,
  },
  {
    name: "lint",
    script: "node_modules/oxlint/bin/oxlint",
    args: ["--type-aware", "--no-error-on-unmatched-pattern"],
    inputs: /\.[cm]?[jt]s$/,
    isPerFile: true,
  },
  { name: "types", script: TYPESCRIPT, args: ["--noEmit"] },
  { name: "types of web", script: TYPESCRIPT, args: ["--noEmit", "-p", "src/web"] },
  ofProject("layers", "scripts/check-layers.ts", {
    inputs: String.raw`src/|scripts/layers\.ts$`,
  }),
  ofProject("names", "scripts/check-names.ts", {
    inputs: String.raw`(?:src|test|bench|scripts)/.*\.ts$`,
  }),
  ofProject("words", "scripts/check-words.ts", {
    inputs: String.raw`(?:src|docs|man|scripts|bench|test|\.github)/|[^/]*\.md$`,
  }),
  ofProject("test names", "scripts/check-test-names.ts", {
    inputs: String.raw`(?:src|test|bench|scripts)/.*\.m?ts$`,
  }),
  ofProject("test clocks", "scripts/check-test-clocks.ts", {
    inputs: String.raw`test/.*\.ts$`,
  }),
  ofProject("unused code", "node_modules/knip/bin/knip.js", {
    inputs: String.raw`(?:src|test|bench|scripts)/|knip\.json$|[^/]*\.m?[jt]s$`,
  }),
  ofProject("generated files", "scripts/generate.ts", {
    args: ["--check"],
    inputs: "(?:src|docs|man|test|bench|scripts)/|THIRD_PARTY_NOTICES$",
  }),
];

/** A check of the whole project. `inputs` is the beginning of a regular expression for paths. */
function ofProject(
  name: string,
  script: string,
  { inputs, args = [] }: { readonly inputs: string; readonly args?: readonly string[] },
): Check {
  return { name, script, args, inputs: new RegExp(`^(?:${inputs}|${script}$)`) };
}

/**
 * The checks that these changed files need. A change of the tools or their configuration affects every file, so then no
 * check is left out. `exists` is false for a removed file, which no check can read.
 */
export function planOf(
  changed: readonly string[],
  exists: (file: string) => boolean = () => true,
): Plan {
  const hasNewTools = changed.some((file) => new RegExp(`^(?:${TOOLS})$`).test(file));
  if (hasNewTools) return { checks: CHECKS, leftOut: [] };
  const checks = CHECKS.flatMap((check): readonly Check[] => {
    const { inputs: files, isPerFile = false, args = [] } = check;
    if (files === undefined) return [check];
    const own = changed.filter((file) => files.test(file));
    if (!isPerFile) return own.length > 0 ? [check] : [];
    const there = own.filter(exists);
    return there.length > 0 ? [{ ...check, args: [...args, ...there] }] : [];
  });
  const names = new Set(checks.map(({ name }) => name));
  return { checks, leftOut: CHECKS.map(({ name }) => name).filter((name) => !names.has(name)) };
}
