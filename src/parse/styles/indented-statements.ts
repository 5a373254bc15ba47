// Splits a style sheet of Sass with indentation into statements: a line with deeper ones below it opens a block.

import type { StyleStatement } from "./style-statement.ts";

/** Longer lines are data. */
const MAX_LINE = 2000;

/** Yields the statements of a style sheet without braces. */
export function* indentedStatements(text: string): Generator<StyleStatement> {
  const open: number[] = [];
  let before: { readonly text: string; readonly line: number; readonly indent: number } | undefined;
  let last = 1;
  for (const one of codeLines(text)) {
    const { line, indent } = one;
    // A selector may go on after a comma.
    if (before !== undefined && before.text.endsWith(",") && !before.text.startsWith("@")) {
      const isLong = before.text.length > MAX_LINE;
      before = { ...before, text: isLong ? before.text : `${before.text}\n${one.text}` };
      continue;
    }
    if (before !== undefined) {
      const isOpening = indent > before.indent;
      yield { kind: isOpening ? "open" : "plain", text: withWords(before.text), line: before.line };
      if (isOpening) open.push(before.indent);
    }
    while (open.length > 0 && (open.at(-1) ?? 0) >= indent) {
      open.pop();
      yield { kind: "close", text: "", line: last };
    }
    before = one;
    last = line;
  }
  if (before !== undefined) {
    yield { kind: "plain", text: withWords(before.text), line: before.line };
  }
  for (; open.length > 0; open.pop()) yield { kind: "close", text: "", line: last };
}

function* codeLines(
  text: string,
): Generator<{ readonly text: string; readonly line: number; readonly indent: number }> {
  // The lines below a comment that are indented more belong to it.
  let comment = Number.POSITIVE_INFINITY;
  for (const [at, whole] of text.split("\n").entries()) {
    const code = whole.trim();
    if (code === "" || whole.length > MAX_LINE) continue;
    const indent = whole.length - whole.trimStart().length;
    if (indent > comment) continue;
    comment = /^\/[/*]/.test(code) ? indent : Number.POSITIVE_INFINITY;
    if (comment === indent) continue;
    yield { text: code.replace(/\s\/\/.*$/, ""), line: at + 1, indent };
  }
}

/** `=name` defines a mixin, and `+name` includes one. */
function withWords(text: string): string {
  return text
    .replace(/^=(?=[\w-])/, "@mixin ")
    .replace(/^\+(?=[a-z_][\w-]*(?:\(|$|\.))/i, "@include ");
}
