// The names in the bodies of macros, which the grammar of C leaves as text.
import { IN_MACRO, type TextName } from "../../references/text-names.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Longer bodies are tables. */
const MAX_BODY_CHARS = 4000;
const TOKEN =
  /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|\/\/.*|\.?\d[\w.]*|[A-Za-z_]\w*|->|##?|\S/g;
const KEYWORDS = new Set(
  "auto break case char const continue default defined do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while __VA_ARGS__ __VA_OPT__ __func__ __FILE__ __LINE__ __attribute__ NULL".split(
    " ",
  ),
);

/** Returns the names in the body of a `#define` that it does not declare itself. */
export function namesInMacro(node: number, tree: FlatSyntaxTree): readonly TextName[] {
  const body = tree.childInField(node, "value");
  if (body === -1 || tree.end(body) - tree.start(body) > MAX_BODY_CHARS) return [];
  const list = tree.childInField(node, "parameters");
  const parameters = list === -1 ? [] : tree.children(list).map((child) => tree.textOf(child));
  return namesIn(tree.textOf(body), parameters).map((one) => ({
    ...one,
    offset: one.offset + tree.start(body),
  }));
}

interface Token {
  readonly text: string;
  readonly offset: number;
}

/** Returns the bare names in a macro's body, without its parameters, pasted names, members and labels. */
function namesIn(body: string, parameters: readonly string[]): readonly TextName[] {
  const tokens: Token[] = [];
  for (const match of body.matchAll(TOKEN)) {
    const [text] = match;
    if (!/^(?:\/[*/]|\\$)/.test(text)) tokens.push({ text, offset: match.index });
  }
  return tokens.flatMap(({ text, offset }, at): TextName[] => {
    if (!/^[A-Za-z_]/.test(text) || KEYWORDS.has(text) || parameters.includes(text)) return [];
    const before = tokens[at - 1]?.text ?? "";
    const after = tokens[at + 1]?.text ?? "";
    const isPart = /^(?:\.|->|##|#|goto|struct|union|enum)$/.test(before) || after === "##";
    // A label, not a part of `a ? b : c`.
    const isLabel = after === ":" && /^(?:|[;{}])$/.test(before);
    if (isPart || isLabel) return [];
    return [{ name: text, offset, role: after === "(" ? "call" : "value", receiver: IN_MACRO }];
  });
}
