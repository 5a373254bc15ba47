// Helpers for the text of a declaration: strings in it, brackets that it leaves open, and members on the line of their type.

const QUOTES = "\"'`";
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** In these a single quote also begins a lifetime, or ends a name. */
const WITH_OTHER_QUOTES: ReadonlySet<string> = new Set([
  "rust",
  "haskell",
  "scala",
  "ocaml",
  "lisp",
]);

/** Returns the offset of the last character of a string that begins at an offset; the same offset if none begins there. */
export function endOfString(text: string, start: number, language: string): number {
  const quote = text.charAt(start);
  if (quote === "" || !QUOTES.includes(quote)) return start;
  if (quote === "'" && WITH_OTHER_QUOTES.has(language)) return start;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return start;
}

/** Returns the text without what follows a bracket of the value that stays open: `a = [1, 2` becomes `a = […]`. */
export function withClosedBrackets(text: string, name: string, language: string): string {
  const open: number[] = [];
  for (let at = Math.max(0, text.indexOf(name)); at < text.length; at += 1) {
    at = endOfString(text, at, language);
    if (text.charAt(at) in CLOSERS) open.push(at);
    else if (")]}".includes(text.charAt(at))) open.pop();
  }
  const [first] = open;
  if (first === undefined) return text;
  const bracket = text.charAt(first);
  return `${text.slice(0, first + 1)}…${CLOSERS[bracket] ?? ""}`;
}

/**
 * Returns the part of a line that declares a member, if its type is on the same line: `b: string` of `type A = { b: string }`.
 * Undefined if no bracket is open before the name.
 */
export function inlineMember(
  text: string,
  nameAt: number,
): { readonly start: number; readonly end: number } | undefined {
  const start = memberStart(text, nameAt);
  return start === undefined ? undefined : { start, end: memberEnd(text, nameAt) };
}

/** Returns the offset after the bracket or the member before a name; undefined if no bracket is open there. */
function memberStart(text: string, nameAt: number): number | undefined {
  const open: number[] = [];
  for (let at = 0; at < nameAt; at += 1) {
    const character = text.charAt(at);
    if (character === "{") open.push(at + 1);
    if (character === "}") open.pop();
    const isSeparator =
      character === ";" || (character === "," && /^,\s*[\w$]+\??[:(]/.test(text.slice(at)));
    if (isSeparator && open.length > 0) open[open.length - 1] = at + 1;
  }
  return open.at(-1);
}

function memberEnd(text: string, nameAt: number): number {
  let depth = 0;
  for (let at = nameAt; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ("({[<".includes(character)) depth += 1;
    else if (")}]>".includes(character) && text[at - 1] !== "=") depth -= 1;
    if (depth < 0 || (depth === 0 && ",;\n".includes(character))) return at;
  }
  return text.length;
}
