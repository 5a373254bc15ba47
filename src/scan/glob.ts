// Git's wildmatch with FNM_PATHNAME, on "binary" strings: one character per byte, because git matches bytes
// (`?` is one byte of a UTF-8 name). Two-level backtracking runs in linear time, so that no pattern in an
// indexed tree can slow the walk down the way a backtracking regex can.

import { pathToBytes } from "../base/path-bytes.ts";

/** Whether the whole text matches. Names and paths are binary strings (see `toBinary`). */
export type Glob = (text: string) => boolean;

/** A token is a character code, one of these constants, or the index of a class as `FIRST_CLASS - index`. */
const ANY_CHARACTER = -1;
const STAR = -2;
const GLOBSTAR = -3;
const GLOBSTAR_SLASH = -4;
const FIRST_CLASS = -16;

/** Maximum length of the literal suffix that is compared before the tokens run. */
const MAX_TAIL_LENGTH = 32;
const SLASH = 0x2f;
const SPECIAL = /[*?[\\]/;
const NON_ASCII = /[^\0-\x7f]/; // oxlint-disable-line no-control-regex -- the range is the definition of ASCII

interface Program {
  readonly tokens: readonly number[];
  /** One table of 256 bytes per class: 1 if the byte belongs to the class. */
  readonly classes: readonly Uint8Array[];
}

/**
 * Compiles a pattern without its `!` and its leading and trailing `/`. Undefined if it can match nothing (an
 * unclosed class, a trailing backslash). With `foldCase`, the caller must pass texts through `lowerAscii`.
 */
export function compileGlob(pattern: string, foldCase = false): Glob | undefined {
  const literalLength = literalPrefixLength(pattern);
  const prefix = foldCase
    ? lowerAscii(pattern.slice(0, literalLength))
    : pattern.slice(0, literalLength);
  // Git compares the literal prefix first and runs wildmatch on the rest, so that `a**/b` begins with a real
  // `**`. Compiling the rest separately has the same effect.
  const program = parse(pattern.slice(literalLength), foldCase);
  if (program === undefined) return undefined;
  if (program.tokens.length === 0) return (text) => text === prefix;
  const tail = literalTail(program);
  return (text) =>
    text.length >= prefix.length + tail.length &&
    text.startsWith(prefix) &&
    text.endsWith(tail) &&
    run(program, text, prefix.length);
}

/** The number of characters before the first `*`, `?`, `[` or `\`. */
export function literalPrefixLength(pattern: string): number {
  const at = pattern.search(SPECIAL);
  return at === -1 ? pattern.length : at;
}

/** The bytes of a name as one character each; an ASCII string is returned unchanged. */
export function toBinary(text: string): string {
  return NON_ASCII.test(text) ? pathToBytes(text).toString("latin1") : text;
}

/** Lower-cases ASCII letters only, as git does. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function literalTail({ tokens }: Program): string {
  let start = tokens.length;
  while (start > 0 && tokens.length - start < MAX_TAIL_LENGTH && (tokens[start - 1] ?? -1) >= 0)
    start--;
  return String.fromCharCode(...tokens.slice(start));
}

function parse(pattern: string, foldCase: boolean): Program | undefined {
  const tokens: number[] = [];
  const classes: Uint8Array[] = [];
  let at = 0;
  while (at < pattern.length) {
    const character = pattern.charAt(at);
    if (character === "*") {
      const star = parseStars(pattern, at);
      tokens.push(star.token);
      at = star.next;
    } else if (character === "?") {
      tokens.push(ANY_CHARACTER);
      at++;
    } else if (character === "[") {
      const parsed = parseClass(pattern, at + 1, foldCase);
      if (parsed === undefined) return undefined;
      tokens.push(FIRST_CLASS - classes.length);
      classes.push(parsed.table);
      at = parsed.next;
    } else {
      const isEscaped = character === "\\";
      if (isEscaped) at++;
      if (at === pattern.length) return undefined;
      const code = pattern.charCodeAt(at);
      // Git does not fold an escaped letter of a pattern, so `\A*` matches nothing when case is ignored.
      tokens.push(foldCase && !isEscaped && isUpper(code) ? code + 32 : code);
      at++;
    }
  }
  return { tokens, classes };
}

/** `**` is special only between slashes or ends; elsewhere a run of stars equals one star. */
function parseStars(pattern: string, start: number): { token: number; next: number } {
  let next = start;
  while (pattern[next] === "*") next++;
  const delimited = start === 0 || pattern[start - 1] === "/";
  if (next - start < 2 || !delimited) return { token: STAR, next };
  if (pattern[next] === "/") return { token: GLOBSTAR_SLASH, next: next + 1 };
  if (next === pattern.length || pattern.startsWith("\\/", next)) return { token: GLOBSTAR, next };
  return { token: STAR, next };
}

/** Parses a class; `start` is the index after the `[`. Undefined for a class that git rejects. */
function parseClass(
  pattern: string,
  start: number,
  foldCase: boolean,
): { table: Uint8Array; next: number } | undefined {
  const table = new Uint8Array(256);
  const negated = pattern[start] === "!" || pattern[start] === "^";
  const first = negated ? start + 1 : start;
  let at = first;
  /** The character that a following `-` may start a range from; -1 after a range or a named class. */
  let previous = -1;
  while (at === first || pattern[at] !== "]") {
    const member = parseMember(pattern, at, previous);
    if (member === undefined) return undefined;
    if (typeof member.is === "object") addNamed(table, member.is, foldCase);
    else addRange(table, member.from, member.is, foldCase && member.from !== member.is);
    previous = member.previous;
    at = member.next;
  }
  if (negated) for (let code = 0; code < 256; code++) table[code] = table[code] === 0 ? 1 : 0;
  table[SLASH] = 0;
  return { table, next: at + 1 };
}

interface Member {
  /** The last character of a range (a single character is a range of one), or a named class. */
  readonly is: number | RegExp;
  readonly from: number;
  readonly previous: number;
  readonly next: number;
}

function parseMember(pattern: string, start: number, previous: number): Member | undefined {
  const named = pattern.startsWith("[:", start) ? namedClass(pattern, start) : undefined;
  if (named !== undefined) {
    const is = NAMED_CLASSES.get(named.name);
    return is === undefined ? undefined : { is, from: -1, previous: -1, next: named.next };
  }
  let at = start;
  const afterDash = pattern[at + 1] ?? "]";
  const isRange = pattern[at] === "-" && previous >= 0 && afterDash !== "]";
  if (isRange) at++;
  if (pattern[at] === "\\") at++;
  if (at >= pattern.length) return undefined;
  const is = pattern.charCodeAt(at);
  return { is, from: isRange ? previous : is, previous: isRange ? -1 : is, next: at + 1 };
}

/** Parses `[:name:]`. Undefined if the `:]` is missing, which makes the `[` an ordinary member. */
function namedClass(pattern: string, start: number): { name: string; next: number } | undefined {
  const close = pattern.indexOf("]", start + 2);
  // Git searches for any `]` first and rejects the whole class without one; so does the caller's loop.
  if (close <= start + 2 || pattern[close - 1] !== ":") return undefined;
  return { name: pattern.slice(start + 2, close - 1), next: close + 1 };
}

function addRange(table: Uint8Array, from: number, to: number, foldCase: boolean): void {
  for (let code = from; code <= to; code++) {
    table[code] = 1;
    if (foldCase && isUpper(code)) table[code + 32] = 1;
  }
}

function addNamed(table: Uint8Array, members: RegExp, foldCase: boolean): void {
  for (let code = 1; code < 128; code++) {
    if (members.test(String.fromCharCode(code))) table[code] = 1;
  }
  if (foldCase && members === NAMED_CLASSES.get("upper")) addRange(table, 0x61, 0x7a, false);
}

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** The classes of git's own character table: ASCII only, and `space` without vertical tab and form feed. */
const NAMED_CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[0-9A-Za-z]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  // oxlint-disable-next-line no-control-regex -- control characters are what it names
  ["cntrl", /[\x01-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);

/**
 * Backtracks only to the last `*` and the last `**`: the tokens before them matched at the earliest position,
 * and a later one would leave less text.
 */
function run(program: Program, text: string, start: number): boolean {
  const { tokens } = program;
  let position = start;
  let at = 0;
  let star = -1;
  let starPosition = 0;
  let globstar = -1;
  let globstarPosition = 0;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) {
      if (position === text.length) return true;
    } else if (token === STAR) {
      star = ++at;
      starPosition = position;
      continue;
    } else if (token === GLOBSTAR || token === GLOBSTAR_SLASH) {
      globstar = ++at;
      globstarPosition = position;
      star = -1;
      continue;
    } else if (position < text.length && matchesOne(program, token, text.charCodeAt(position))) {
      at++;
      position++;
      continue;
    }
    if (star !== -1 && starPosition < text.length && text.charCodeAt(starPosition) !== SLASH) {
      position = ++starPosition;
      at = star;
      continue;
    }
    if (globstar === -1) return false;
    globstarPosition = nextGlobstarPosition(tokens[globstar - 1], text, globstarPosition);
    if (globstarPosition === -1) return false;
    position = globstarPosition;
    at = globstar;
    star = -1;
  }
}

function matchesOne({ classes }: Program, token: number, code: number): boolean {
  if (token >= 0) return token === code;
  if (token === ANY_CHARACTER) return code !== SLASH;
  return classes[FIRST_CLASS - token]?.[code] === 1;
}

/** The next position where a globstar can end: any position, or for `**` + `/` only after a slash. */
function nextGlobstarPosition(token: number | undefined, text: string, from: number): number {
  if (token === GLOBSTAR) return from < text.length ? from + 1 : -1;
  const slash = text.indexOf("/", from);
  return slash === -1 ? -1 : slash + 1;
}
