const MAX_SIGNATURE_CHARS = 200;
const MAX_DOC_CHARS = 200;
/** A signature longer than this in the source is cut before its white space is squeezed. */
const MAX_RAW_CHARS = 1200;

/** `[Attribute]`, `#[attribute]` and `@Annotation(…)` before a declaration, but not `@limit 10`. */
const ANNOTATIONS =
  /^(?:(?:\[[^\]\n]*\]|#\[[^\]\n]*\]|@(?!interface|type|opaque|callback)[\w.]+(?:\([^()]*\))?(?=\s+[@[#a-z]))\s*)+/;

/** The declaration on one line, from `start` to where the body begins. */
export function extractSignature(text: string, start: number, bodyStart: number): string {
  const raw = text
    .slice(start, Math.min(bodyStart, start + MAX_RAW_CHARS))
    .replace(ANNOTATIONS, "");
  // The last line has no end here, and a comment on it is none that the declaration goes on after.
  const lastLine = raw.lastIndexOf("\n") + 1;
  const words = (
    raw.slice(0, lastLine).replace(/(?<=[\s:{])(?:#|\/\/|--)\s[^\n]*(?=\n)/g, "") +
    raw.slice(lastLine)
  )
    .replace(/\s+/g, " ")
    .trim();
  return clip(words.slice(0, headEnd(words)), MAX_SIGNATURE_CHARS);
}

/** Where what only leads over to the body begins: an opening bracket, an arrow, `do`. */
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

/** First line of prose in a comment, without its markers; undefined when there is none. */
export function extractDocLine(comment: string): string | undefined {
  for (const line of comment.split("\n", 40)) {
    const text = line
      .slice(0, MAX_RAW_CHARS)
      .replace(
        /^\s*(?:\/\*+!?|\*+\/?|\/\/[/!]?|#+|--+\s*[|^]?|\{-\s*\|?|;+|%+|"""|@(?:module)?doc)\s?/,
        "",
      )
      .trimEnd();
    const words = withoutEnd(text)
      .replace(/<\/?\w+>/g, "")
      .replace(/^"+/, "")
      .trim();
    if (/^[@[\]<]/.test(words) || !/\p{L}{2}/u.test(words)) continue;
    return clip(words, MAX_DOC_CHARS);
  }
  return undefined;
}

/** The line without what ends a comment. */
function withoutEnd(line: string): string {
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
