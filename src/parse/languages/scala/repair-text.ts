// Text of Scala that the grammar cannot parse.

/** `{ name: Type =>` begins a function literal, and also a self type in the body of a class. */
const TYPED_PARAMETER =
  /\{ (?=(?:implicit )?[\p{L}_$][\w$]*: ?[\p{L}_])[^=⇒(){}\n]{1,120}?(?: =>|=> | ⇒ | ⇒\n )/gu;
const ITS_ARROW = / =>$|=> $| ⇒ $| ⇒(?=\n $)/;
/** Arrows of one character, which stand for two. A space next to one gives way. */
const ARROW = /[⇒←] | [⇒←]/g;
/** The head of a class before its body, whose line breaks may be before `extends`, `with` and parameters. */
const TYPE_HEAD = /\b(?:class|trait|object|enum|new|extends|with)\b[^{}]{0,200}$/;
const MAX_HEAD_CHARS = 200;

/**
 * Returns the text with parentheses around the typed parameter of a function literal, and with arrows of two characters. Names
 * stay in their places.
 */
export function repairScalaText(text: string): string {
  const withParentheses = text.replace(TYPED_PARAMETER, (found: string, at: number) => {
    const before = text.slice(Math.max(0, at - MAX_HEAD_CHARS), at);
    return TYPE_HEAD.test(before) ? found : inParentheses(found);
  });
  return withParentheses.replace(ARROW, (found) => (found.includes("⇒") ? "=>" : "<-"));
}

/** Returns `{(name: Type)=>`. If the line ends after a short arrow, the next one has a space less. */
function inParentheses(found: string): string {
  const changed = found.replace("{ ", "{(").replace(ITS_ARROW, ")=>");
  return found.endsWith("\n ") ? changed.slice(0, -1) : changed;
}
