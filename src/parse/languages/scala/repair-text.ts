// Text of Scala that the grammar cannot parse.

/** `{ name: Type =>` begins a function literal, and also a self type in the body of a class. */
const TYPED_PARAMETER = /\{ (?:implicit )?[\p{L}_$][\w$]*: ?[\p{L}_][^(){}=\n]{0,100}? =>/gu;
/** The head of a class before its body, whose line breaks may be before `extends`, `with` and parameters. */
const TYPE_HEAD = /\b(?:class|trait|object|enum|new|extends|with)\b[^{}]{0,200}$/;
const MAX_HEAD_CHARS = 200;

/** Returns the text with parentheses around the typed parameter of a function literal, in place of two spaces. */
export function repairText(text: string): string {
  return text.replace(TYPED_PARAMETER, (found: string, at: number) => {
    const before = text.slice(Math.max(0, at - MAX_HEAD_CHARS), at);
    return TYPE_HEAD.test(before) ? found : `{(${found.slice(2, -3)})=>`;
  });
}
