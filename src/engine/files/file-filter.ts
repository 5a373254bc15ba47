import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { FileFacts } from "../../index/types.ts";
import { toBinary } from "../../scan/glob.ts";
import { isLanguage, LANGUAGES } from "../../scan/languages.ts";
import type { FileLimits, PathLimits } from "../api/request.ts";
import { globAlternatives, requireGlob } from "./require-glob.ts";

/** A predicate for the files that a request is limited to; undefined without a limit. */
export function fileFilter({
  language,
  kinds = [],
  ...paths
}: FileLimits): ((file: FileFacts) => boolean) | undefined {
  const matches = pathFilter(paths);
  if (matches === undefined && language === undefined && kinds.length === 0) return undefined;
  const wanted = language === undefined ? undefined : knownLanguage(language);
  return (file) =>
    (wanted === undefined || file.language === wanted) &&
    (kinds.length === 0 || kinds.includes(file.role)) &&
    (matches === undefined || matches(file.path));
}

/** A predicate for the paths that a request is limited to; undefined without a limit. */
export function pathFilter({ path, within }: PathLimits): ((path: string) => boolean) | undefined {
  const matches = path === undefined ? undefined : pathMatcher(path);
  if (within === undefined) return matches;
  const folder = `${within}/`;
  return (one) =>
    (one === within || one.startsWith(folder)) && (matches === undefined || matches(one));
}

/** Throws INVALID_PARAMS with the nearest name for an unknown language. */
function knownLanguage(name: string): string {
  const wanted = name.toLowerCase();
  if (isLanguage(wanted)) return wanted;
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
 * a leading `!` negates. Throws INVALID_PARAMS for a malformed glob.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  if (glob.startsWith("!")) {
    const matches = pathMatcher(glob.slice(1));
    return (path) => !matches(path);
  }
  const globs = globAlternatives(glob.replace(/^(?:\.?\/)+/, "")).flatMap(anchored);
  const compiled = globs.map((one) => requireGlob("path", one, glob));
  return (path) => {
    const text = toBinary(path);
    return compiled.some((matches) => matches(text));
  };
}

function anchored(glob: string): readonly string[] {
  const bare = glob.replace(/\/+$/, "");
  const anywhere = bare.includes("/") ? bare : `**/${bare}`;
  return glob.endsWith("/") ? [`${anywhere}/**`] : [anywhere, `${anywhere}/**`];
}
