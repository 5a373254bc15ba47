const MAX_SIGNATURE_CHARS = 200;
const MAX_DOC_CHARS = 200;
/** In UTF-16 code units. A longer declaration is cut before its white space is collapsed. */
/** Maximum lines of a comment. */
const MAX_COMMENT_LINES = 40;
const MAX_RAW_CHARS = 1200;

/** Matches `[Attribute]`, `#[attribute]` and `@Annotation(…)` before a declaration, but not `@limit 10`. */
const ANNOTATIONS =
  /^(?:(?:\[[^\]\n]*\]|#\[[^\]\n]*\]|@(?!interface|type|opaque|callback)[\w.]+(?:\([^()]*\))?(?=\s+[@[#a-z]))\s*)+/;

/** Returns the declaration on one line of up to `maxChars`, from `start` to the start of the body. */
export function extractSignature(
  text: string,
  start: number,
  bodyStart: number,
  maxChars: number = MAX_SIGNATURE_CHARS,
): string {
  const maxRawChars = Math.max(MAX_RAW_CHARS, 2 * maxChars);
  const raw = text.slice(start, Math.min(bodyStart, start + maxRawChars)).replace(ANNOTATIONS, "");
  // The last line has no line feed here, and the declaration does not continue after a comment on it.
  const lastLine = raw.lastIndexOf("\n") + 1;
  const words = (
    raw.slice(0, lastLine).replace(/(?<=[\s:{])(?:#|\/\/|--)\s[^\n]*(?=\n)/g, "") +
    raw.slice(lastLine)
  )
    .replace(/\s+/g, " ")
    .trim();
  return clip(words.slice(0, headEnd(words)), maxChars);
}

/**
 * Returns the end of the text without the tokens that only introduce the body: an opening bracket, an arrow,
 * `do`.
 */
function headEnd(words: string): number {
  let end = words.length;
  for (;;) {
    while (words[end - 1] === " ") end -= 1;
    const opener = /(?:[{=:;,(\\]|=>|->|\bdo|\bwhere)$/.exec(
      words.slice(Math.max(0, end - 6), end),
    );
    if (opener === null) return end;
    end -= opener[0].length;
  }
}

/** Returns the first line of prose in a comment, without its markers; undefined if there is none. */
export function extractDocLine(comment: string): string | undefined {
  for (const line of comment.split("\n", MAX_COMMENT_LINES)) {
    const words = withoutMarkers(line)
      .replace(/<\/?\w+>/g, "")
      .replace(/^"+/, "")
      .trim();
    if (line.trimStart().startsWith("{-#")) continue;
    if (/^[@[\]<]/.test(words) || !/\p{L}{2}/u.test(words)) continue;
    return clip(words, MAX_DOC_CHARS);
  }
  return undefined;
}

/** Returns the lines of a comment without its markers, and without empty lines around them. */
export function extractComment(comment: string): string {
  return comment
    .split("\n", MAX_COMMENT_LINES)
    .map(withoutMarkers)
    .join("\n")
    .replace(/^\s*\n|\s+$/g, "");
}

/** Returns the line without what begins or ends a comment. */
function withoutMarkers(line: string): string {
  const text = line
    .slice(0, MAX_RAW_CHARS)
    .replace(
      /^\s*(?:\/\*+!?|\*+\/?|\/\/[/!]?|#+|--+\s*[|^]?|\{-\s*\|?|;+|%+|"""|@(?:module)?doc)\s?/,
      "",
    )
    .trimEnd();
  return withoutCommentEnd(text);
}

/** Returns the line without the end of a comment. */
function withoutCommentEnd(line: string): string {
  if (line.endsWith("-}")) return line.slice(0, -2).trimEnd();
  if (line.endsWith('"""')) return line.slice(0, -3).trimEnd();
  if (!line.endsWith("*/")) return line;
  let end = line.length - 1;
  while (line[end - 1] === "*") end -= 1;
  return line.slice(0, end).trimEnd();
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}
