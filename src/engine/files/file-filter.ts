import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { FileFacts } from "../../index/types.ts";
import { toBinary } from "../../scan/glob.ts";
import {
  isLanguage as isKnownLanguage,
  LANGUAGE_OF_EXTENSION,
  LANGUAGES,
} from "../../scan/languages.ts";
import type { FileLimits, PathLimits } from "../api/request.ts";
import { globAlternatives, requireGlob } from "./require-glob.ts";

/** A predicate for the files that a request is limited to; undefined without a limit. */
export function fileFilter({
  language,
  kinds = [],
  ...paths
}: FileLimits): ((file: FileFacts) => boolean) | undefined {
  const matches = pathFilter(paths);
  const isLanguage = languageFilter(language);
  if (matches === undefined && isLanguage === undefined && kinds.length === 0) return undefined;
  return (file) =>
    (isLanguage === undefined || isLanguage(file.language)) &&
    (kinds.length === 0 || kinds.includes(file.role)) &&
    (matches === undefined || matches(file.path));
}

/** A predicate for the paths that a request is limited to; undefined without a limit. */
export function pathFilter({ path, within }: PathLimits): ((path: string) => boolean) | undefined {
  const matches = allOf(path === undefined ? [] : [path].flat().map(pathMatcher));
  if (within === undefined) return matches;
  const folder = `${within}/`;
  return (one) =>
    (one === within || one.startsWith(folder)) && (matches === undefined || matches(one));
}

/** A predicate that all of these accept; undefined without any. */
function allOf<T>(tests: readonly ((value: T) => boolean)[]): ((value: T) => boolean) | undefined {
  const [first] = tests;
  return tests.length < 2 ? first : (value) => tests.every((test) => test(value));
}

function languageFilter(
  given: FileLimits["language"],
): ((language: string) => boolean) | undefined {
  if (given === undefined) return undefined;
  const [excluded, wanted] = [new Set<string>(), new Set<string>()];
  for (const name of [given].flat()) {
    if (name.startsWith("!")) excluded.add(knownLanguage(name.slice(1)));
    else wanted.add(knownLanguage(name));
  }
  return (language) => !excluded.has(language) && (wanted.size === 0 || wanted.has(language));
}

/** Names of languages that are neither ids nor extensions of their files. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["c#", "csharp"],
  ["golang", "go"],
  ["objective-c", "objc"],
  ["shell", "bash"],
  ["hcl", "terraform"],
]);

/** Takes the extension of a language's files for its name too. Throws INVALID_PARAMS with the nearest name for others. */
function knownLanguage(name: string): string {
  const wanted = name.toLowerCase();
  if (isKnownLanguage(wanted)) return wanted;
  const other = OTHER_NAMES.get(wanted) ?? LANGUAGE_OF_EXTENSION.get(wanted.replace(/^\./, ""));
  if (other !== undefined) return other;
  const close = closestWord(wanted, LANGUAGES);
  throw new SvcError("INVALID_PARAMS", `language: "${name}" is unknown.`, {
    hint:
      close === undefined
        ? "Names are like typescript, python, cpp, csharp, markdown."
        : `Nearest: ${close}.`,
  });
}

/**
 * A predicate for ripgrep's globs: `*.ts` matches in any folder, `src/` and `src` everything below it, `{a,b}` either,
 * `.` everything, a leading `!` negates. Brackets also match themselves, because folders of web frameworks have names like `[id]`.
 * Throws INVALID_PARAMS for a malformed glob.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  if (glob.startsWith("!")) {
    const matches = pathMatcher(glob.slice(1));
    return (path) => !matches(path);
  }
  const relative = glob.replace(/^(?:\.?\/)+/, "");
  if (relative === "." || relative === "") return () => true;
  const globs = globAlternatives(relative).flatMap(anchored).flatMap(withLiteralBrackets);
  const compiled = globs.map((one) => requireGlob("path", one, glob));
  return (path) => {
    const text = toBinary(path);
    return compiled.some((matches) => matches(text));
  };
}

function withLiteralBrackets(glob: string): readonly string[] {
  const literal = glob.replaceAll(/\\.|\[/gs, (part) => (part === "[" ? "\\[" : part));
  return literal === glob ? [glob] : [glob, literal];
}

function anchored(glob: string): readonly string[] {
  const bare = glob.replace(/\/+$/, "");
  const anywhere = bare.includes("/") ? bare : `**/${bare}`;
  return glob.endsWith("/") ? [`${anywhere}/**`] : [anywhere, `${anywhere}/**`];
}
