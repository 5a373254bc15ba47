import { compileGlob, literalPrefixLength, lowerAscii, toBinary, type Glob } from "./glob.ts";

/** One compiled ignore file. All its texts are binary strings (see glob.ts). */
export interface IgnoreRules {
  /** Whether rules match regardless of case. */
  readonly foldCase: boolean;
  /** For each rule, whether it begins with `!`. */
  readonly negated: readonly boolean[];
  /** Literal names, and `*.ext` rules by `.ext`: one lookup each, for any number of rules. */
  readonly names: ReadonlyMap<string, LastLines>;
  readonly extensions: ReadonlyMap<string, LastLines>;
  /** The other rules without a slash, last first. */
  readonly nameGlobs: readonly GlobRule[];
  /** Literal paths, by their directory (`a/b/`, or the empty string) and then by name. */
  readonly paths: ReadonlyMap<string, ReadonlyMap<string, LastLines>>;
  /** The other rules with a slash, last first. */
  readonly pathGlobs: readonly GlobRule[];
}

/** The last rule that applies to any entry, and the last that applies only to directories; -1 for none. */
interface LastLines {
  any: number;
  directory: number;
}

interface GlobRule {
  readonly matches: Glob;
  readonly line: number;
  readonly directoryOnly: boolean;
}

/** The rules of one ignore file, applied in one directory at or below it. */
interface Level {
  readonly rules: IgnoreRules;
  /** Path of the directory relative to the ignore file: empty, or ending in `/`. */
  readonly directory: string;
  readonly paths: ReadonlyMap<string, LastLines> | undefined;
}

/** All rules for the entries of one directory, the nearest ignore file first. */
export type DirectoryRules = readonly Level[];

export const NO_RULES: DirectoryRules = [];

/** Compiles the bytes of an ignore file, given as a latin1 string. */
export function compileIgnoreFile(bytes: string, foldCase = false): IgnoreRules {
  const negated: boolean[] = [];
  const names = new Map<string, LastLines>();
  const extensions = new Map<string, LastLines>();
  const paths = new Map<string, Map<string, LastLines>>();
  const nameGlobs: GlobRule[] = [];
  const pathGlobs: GlobRule[] = [];
  for (const pattern of patternsOf(bytes)) {
    const line = negated.length;
    const rule = parsePattern(pattern);
    negated.push(rule.negated);
    const text = foldCase ? lowerAscii(rule.text) : rule.text;
    const isLiteral = literalPrefixLength(text) === text.length;
    if (isLiteral && rule.hasSlash) {
      const nameStart = text.lastIndexOf("/") + 1;
      const directory = text.slice(0, nameStart);
      const inDirectory = paths.get(directory) ?? new Map<string, LastLines>();
      paths.set(directory, inDirectory);
      record(inDirectory, text.slice(nameStart), line, rule.directoryOnly);
    } else if (isLiteral) {
      record(names, text, line, rule.directoryOnly);
    } else if (!rule.hasSlash && /^\*\.[^.*?[\\]+$/.test(text)) {
      record(extensions, text.slice(1), line, rule.directoryOnly);
    } else {
      const matches = compileGlob(rule.text, foldCase);
      if (matches === undefined) continue;
      (rule.hasSlash ? pathGlobs : nameGlobs).push({
        matches,
        line,
        directoryOnly: rule.directoryOnly,
      });
    }
  }
  nameGlobs.reverse();
  pathGlobs.reverse();
  return { foldCase, negated, names, extensions, nameGlobs, paths, pathGlobs };
}

/** Adds the ignore file of the directory itself; its rules come before all others. */
export function withRules(directory: DirectoryRules, rules: IgnoreRules): DirectoryRules {
  if (rules.negated.length === 0) return directory;
  return [{ rules, directory: "", paths: rules.paths.get("") }, ...directory];
}

/** The rules that the sub-directory `name` inherits. */
export function enterDirectory(parent: DirectoryRules, name: string): DirectoryRules {
  if (!parent.some(dependsOnDirectory)) return parent;
  return parent.map((level) => {
    if (!dependsOnDirectory(level)) return level;
    const { rules } = level;
    const directory = `${level.directory}${keyOf(rules, name)}/`;
    return { rules, directory, paths: rules.paths.get(directory) };
  });
}

/**
 * Returns true if the rules ignore the entry, false if a `!` rule keeps it, undefined if no rule matches. As in
 * git, the nearest file with a matching rule decides, and within a file the last line.
 */
export function matchRules(
  rules: DirectoryRules,
  name: string,
  isDirectory: boolean,
): boolean | undefined {
  for (const level of rules) {
    const line = lastMatch(level, keyOf(level.rules, name), isDirectory);
    if (line !== -1) return level.rules.negated[line] === false;
  }
  return undefined;
}

function dependsOnDirectory({ rules }: Level): boolean {
  return rules.paths.size > 0 || rules.pathGlobs.length > 0;
}

function keyOf({ foldCase }: IgnoreRules, name: string): string {
  const binary = toBinary(name);
  return foldCase ? lowerAscii(binary) : binary;
}

function lastMatch({ rules, directory, paths }: Level, name: string, isDirectory: boolean): number {
  let line = lineOf(rules.names.get(name), isDirectory);
  if (rules.extensions.size > 0) {
    const dot = name.lastIndexOf(".");
    if (dot !== -1) {
      line = Math.max(line, lineOf(rules.extensions.get(name.slice(dot)), isDirectory));
    }
  }
  if (paths !== undefined) line = Math.max(line, lineOf(paths.get(name), isDirectory));
  line = lastGlob(rules.nameGlobs, name, isDirectory, line);
  if (rules.pathGlobs.length > 0) {
    line = lastGlob(rules.pathGlobs, directory + name, isDirectory, line);
  }
  return line;
}

function lineOf(lines: LastLines | undefined, isDirectory: boolean): number {
  if (lines === undefined) return -1;
  return isDirectory ? Math.max(lines.any, lines.directory) : lines.any;
}

function lastGlob(
  globs: readonly GlobRule[],
  text: string,
  isDirectory: boolean,
  best: number,
): number {
  for (const glob of globs) {
    if (glob.line < best) return best;
    if ((isDirectory || !glob.directoryOnly) && glob.matches(text)) return glob.line;
  }
  return best;
}

function record(
  into: Map<string, LastLines>,
  key: string,
  line: number,
  directoryOnly: boolean,
): void {
  const lines = into.get(key) ?? { any: -1, directory: -1 };
  into.set(key, lines);
  if (directoryOnly) lines.directory = line;
  else lines.any = line;
}

/** The pattern lines of a file, trimmed like git does: no comments, line ends or trailing spaces. */
function patternsOf(bytes: string): string[] {
  const text = bytes.startsWith("\u00ef\u00bb\u00bf") ? bytes.slice(3) : bytes;
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => trimTrailingSpaces(untilNul(line.endsWith("\r") ? line.slice(0, -1) : line)));
}

/** Git stores lines as C strings. */
function untilNul(line: string): string {
  const nul = line.indexOf("\0");
  return nul === -1 ? line : line.slice(0, nul);
}

/** Keeps a space after a backslash, and keeps the whole line if it ends in a backslash. */
function trimTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") continue;
    if (line[at] === "\\" && ++at === line.length) return line;
    end = at + 1;
  }
  return line.slice(0, end);
}

function parsePattern(pattern: string): {
  text: string;
  negated: boolean;
  directoryOnly: boolean;
  hasSlash: boolean;
} {
  const negated = pattern.startsWith("!");
  let text = negated ? pattern.slice(1) : pattern;
  const directoryOnly = text.endsWith("/");
  if (directoryOnly) text = text.slice(0, -1);
  const hasSlash = text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  return { text, negated, directoryOnly, hasSlash };
}
