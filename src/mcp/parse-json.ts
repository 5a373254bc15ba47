/** How many lines after a bad one are looked at before they are parsed: floods of garbage come line after line. */
const PRECHECKED_LINES = 1000;
/** In characters: of garbage as long as this there is no flood. */
const MAX_PRECHECKED_LENGTH = 64 * 1024;

let precheckedLinesLeft = 0;

/**
 * The value, or undefined for what is not JSON: no JSON is undefined. `JSON.parse` makes an object for each
 * failure that lives until the next collection of all garbage: a million bad lines grew the process by 170 MB,
 * and by 20 MB with the look before.
 */
export function parseJson(text: string): unknown {
  if (precheckedLinesLeft > 0) {
    precheckedLinesLeft -= 1;
    if (text.length <= MAX_PRECHECKED_LENGTH && !isJson(text)) {
      precheckedLinesLeft = PRECHECKED_LINES;
      return undefined;
    }
  }
  const { stackTraceLimit } = Error;
  // Nobody sees the error.
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(text);
  } catch {
    precheckedLinesLeft = PRECHECKED_LINES;
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Blanks and one token; a string is group 1, any other scalar group 2. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- what a string may not hold
  /[\t\n\r ]*(?:[{}[\],:]|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const BLANKS = /[\t\n\r ]*$/y;

/** Where the next token stands, and what it may be there: S is a string, V another scalar. */
const EXPECTED = {
  value: "SV[{",
  "first value": "SV[{]",
  key: "S",
  "first key": "S}",
  "end of key": ":",
  "end of value": ",]}",
} as const;
type Position = keyof typeof EXPECTED;

/** Whether `JSON.parse` would take the text. Goes through it once, whatever its depth. */
export function isJson(text: string): boolean {
  const open: string[] = [];
  let position: Position | undefined = "value";
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    end = TOKEN.lastIndex;
    const sign = signOf(token);
    if (!EXPECTED[position].includes(sign)) return false;
    position = positionAfter(sign, position, open);
    if (position === undefined) return false;
  }
  BLANKS.lastIndex = end;
  return open.length === 0 && position === "end of value" && BLANKS.test(text);
}

function signOf([matched, string, scalar]: RegExpExecArray): string {
  if (string !== undefined) return "S";
  return scalar === undefined ? matched.slice(-1) : "V";
}

/**
 * Undefined where the token closes, or goes on with, what is not open.
 *
 * @param open Opening brackets, the innermost last; those of the token are added and removed.
 */
function positionAfter(sign: string, position: Position, open: string[]): Position | undefined {
  switch (sign) {
    case "[":
    case "{":
      open.push(sign);
      return sign === "[" ? "first value" : "first key";
    case "]":
      return open.pop() === "[" ? "end of value" : undefined;
    case "}":
      return open.pop() === "{" ? "end of value" : undefined;
    case ":":
      return "value";
    case ",": {
      const innermost = open.at(-1);
      if (innermost === undefined) return undefined;
      return innermost === "[" ? "value" : "key";
    }
    default:
      return position === "key" || position === "first key" ? "end of key" : "end of value";
  }
}
