const SIGNATURE_CHARS = 200;
const DOC_CHARS = 200;
/** A signature longer than this in the source is cut before its white space is squeezed. */
const RAW_CHARS = 1200;

/** `[Attribute]`, `#[attribute]` and `@Annotation(…)` before a declaration, but not `@limit 10`. */
const ANNOTATIONS =
  /^(?:(?:\[[^\]\n]*\]|#\[[^\]\n]*\]|@(?!interface|type|opaque|callback)[\w.]+(?:\([^()]*\))?(?=\s+[@[#a-z]))\s*)+/;

/** The declaration on one line, from `start` to where the body begins. */
export function signatureOf(text: string, start: number, bodyStart: number): string {
  const raw = text.slice(start, Math.min(bodyStart, start + RAW_CHARS));
  return clip(
    raw
      .replace(ANNOTATIONS, "")
      .replace(/(?<=[\s:{])(?:#|\/\/|--)\s[^\n]*(?=\n)/g, "")
      .replace(/\s+/g, " ")
      .replace(/(?:\s*(?:\{|=>|->|=|:|;|,|\(|\\|\bdo|\bwhere))+\s*$/, "")
      .trim(),
    SIGNATURE_CHARS,
  );
}

/** First line of prose in a comment, without its markers; undefined when there is none. */
export function docLineOf(comment: string): string | undefined {
  for (const line of comment.split("\n", 40)) {
    const words = line
      .slice(0, RAW_CHARS)
      .replace(
        /^\s*(?:\/\*+!?|\*+\/?|\/\/[/!]?|#+|--+\s*[|^]?|\{-\s*\|?|;+|%+|"""|@(?:module)?doc)\s?/,
        "",
      )
      .replace(/\s*(?:\*+\/|-\}|""")\s*$/, "")
      .replace(/<\/?\w+>/g, "")
      .replace(/^"+/, "")
      .trim();
    if (/^[@[\]<]/.test(words) || !/\p{L}{2}/u.test(words)) continue;
    return clip(words, DOC_CHARS);
  }
  return undefined;
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}
