// The names in the code of a template.

import { MAX_PATH } from "../../base/receiver-marks.ts";

/** A name that code uses. */
export interface CodeName {
  readonly name: string;
  /** In the text, in UTF-16 code units. */
  readonly offset: number;
  readonly isCall: boolean;
  /** Whether "=" follows, as after a variable or the name of an argument. */
  readonly isAssigned: boolean;
  /**
   * The names before the dots in front of it, `order.lines()` for `count` in `order.lines().count`. Undefined if there is no
   * dot, "" if something else is in front of it, or a path that is too long.
   */
  readonly before: string | undefined;
}

/** Words that no template language uses for definitions, and those that all use for other things. */
const KEYWORDS = new Set(
  (
    "if else elif elsif elseif endif unless then case when switch default end endfor endblock endwith endforeach endif for foreach each in " +
    "of do while until loop break continue return yield let var const new not and or is as with without from import include extends " +
    "block set load true false True False null nil None undefined this self super async await function def class empty isset lang " +
    "range define template else typeof instanceof track section endsection csrf method"
  ).split(" "),
);
/** Text in quotes, a number, or a name with what tells its meaning: a sigil in front, a colon or a bracket behind it. */
const TOKEN =
  /"(?:[^"\\]|\\.){0,1000}(?:"|$)|'(?:[^'\\]|\\.){0,1000}(?:'|$)|\d[\w.]*|(?<sigil>[@$]+|(?<!:):)?(?<name>[A-Za-z_]\w*(?:[?!](?![\w=.]))?)(?<after>\s*\(|:(?!:)|\\|\s*=(?![=~>]))?/g;
const DOTS = /(?:\.|->|::|[?&]\.|\?->|!\.)\s*$/;

/**
 * Yields the names in a part of a text, from left to right. Names of variables with a sigil, such as `$post` and `@post`, symbols
 * and names of arguments are left out.
 */
export function* codeNames(text: string, start: number, end: number): Generator<CodeName> {
  const code = text.slice(start, end);
  let path: string | undefined;
  let last = 0;
  for (const match of code.matchAll(TOKEN)) {
    const { sigil, name, after = "" } = match.groups ?? {};
    const between = code.slice(Math.max(last, match.index - 8), match.index);
    const isMember = DOTS.test(between);
    const before = isMember ? pathBefore(path, between) : undefined;
    last = match.index + match[0].length;
    path = undefined;
    if (name === undefined) continue;
    const isCall = after.endsWith("(");
    path = pathOf(before, { name, isMember, isPlain: sigil === undefined });
    // A key is before a colon, and a part of a namespace before a backslash.
    if (sigil !== undefined || after === ":" || after === "\\" || name.length === 1) continue;
    if (!isMember && KEYWORDS.has(name)) continue;
    yield { name, offset: start + match.index, isCall, isAssigned: after.endsWith("="), before };
  }
}

/** Returns the path in front of the dots of a name; "" if more than brackets is between them. */
function pathBefore(path: string | undefined, between: string): string {
  if (path === undefined || path === "") return "";
  const brackets = between.replace(DOTS, "").replaceAll(/\s/g, "");
  if (brackets === "") return path;
  // The bracket that opens a call belongs to the name.
  return brackets === ")" ? `${path}()` : "";
}

function pathOf(
  before: string | undefined,
  { name, isMember, isPlain }: { name: string; isMember: boolean; isPlain: boolean },
): string {
  if (!isPlain || before === "" || (before?.length ?? 0) > MAX_PATH) return "";
  return isMember ? `${before ?? ""}.${name}` : name;
}
