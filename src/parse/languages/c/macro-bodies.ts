// The names in the bodies of macros, which the grammar of C leaves as text.
import { IN_MACRO, MAX_PATH } from "../../../base/receiver-marks.ts";
import type { TextName } from "../../references/text-names.ts";
import { UNKNOWN } from "../../references/steps.ts";
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
const NAME = /^[A-Za-z_]\w*$/;
const ACCESS = /^(?:\.|->)$/;

interface Token {
  readonly text: string;
  readonly offset: number;
}

/** Returns the names in the body of a `#define` that it does not declare itself. */
export function namesInMacro(node: number, tree: FlatSyntaxTree): readonly TextName[] {
  const body = tree.childInField(node, "value");
  if (body === -1 || tree.end(body) - tree.start(body) > MAX_BODY_CHARS) return [];
  const list = tree.childInField(node, "parameters");
  const parameters = list === -1 ? [] : tree.children(list).map((child) => tree.textOf(child));
  const start = tree.start(body);
  const tokens: Token[] = [];
  for (const { 0: text, index } of tree.textOf(body).matchAll(TOKEN)) {
    if (!/^(?:\/[*/]|\\$)/.test(text)) tokens.push({ text, offset: start + index });
  }
  return tokens.flatMap((_, at) => nameAt(tokens, at, parameters));
}

/** Returns the name at a token, unless it is a parameter, a pasted name, a label, or a member of something unknown. */
function nameAt(
  tokens: readonly Token[],
  at: number,
  parameters: readonly string[],
): readonly TextName[] {
  const { text = "", offset = 0 } = tokens[at] ?? {};
  if (!NAME.test(text) || KEYWORDS.has(text) || parameters.includes(text)) return [];
  const before = tokens[at - 1]?.text ?? "";
  if (ACCESS.test(before)) {
    const receiver = pathTo(tokens, at - 2, parameters);
    return receiver === UNKNOWN ? [] : [{ name: text, offset, role: "value", receiver }];
  }
  return bareNameAt(tokens, at, parameters);
}

/** Returns a name that is not a member. */
function bareNameAt(
  tokens: readonly Token[],
  at: number,
  parameters: readonly string[],
): readonly TextName[] {
  const { text: name = "", offset = 0 } = tokens[at] ?? {};
  const before = tokens[at - 1]?.text ?? "";
  const after = tokens[at + 1]?.text ?? "";
  const isPart = /^(?:##?|goto|struct|union|enum)$/.test(before) || after === "##";
  // A label, not a part of `a ? b : c`.
  const isLabel = after === ":" && /^(?:|[;{}])$/.test(before);
  if (isPart || isLabel) return [];
  if (after !== "(") return [{ name, offset, role: "value", receiver: IN_MACRO }];
  const passed = argumentsAt(tokens, at + 1, parameters);
  const isKnown = passed.some((one) => one !== UNKNOWN);
  const call = { name, offset, role: "call", receiver: IN_MACRO } as const;
  return [isKnown ? { ...call, arguments: passed.join(",") } : call];
}

/** Returns `~0.state` for `(strm)->state` that ends at a token, if `strm` is the first parameter; "?" for others. */
function pathTo(tokens: readonly Token[], end: number, parameters: readonly string[]): string {
  let path = "";
  for (let at = end; at >= 0; at -= 2) {
    const isWrapped = tokens[at]?.text === ")" && tokens[at - 2]?.text === "(";
    const text = tokens[isWrapped ? at - 1 : at]?.text ?? "";
    const parameter = parameters.indexOf(text);
    if (parameter !== -1) return `${IN_MACRO}${parameter}${path}`;
    if (isWrapped || !NAME.test(text) || !ACCESS.test(tokens[at - 1]?.text ?? "")) return UNKNOWN;
    path = `.${text}${path}`;
    if (path.length > MAX_PATH) return UNKNOWN;
  }
  return UNKNOWN;
}

/** Returns what a call passes, of the parameters and their members; "?" for others. */
function argumentsAt(
  tokens: readonly Token[],
  open: number,
  parameters: readonly string[],
): readonly string[] {
  const passed: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < tokens.length; at += 1) {
    const text = tokens[at]?.text ?? "";
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    if (depth > 1 || (depth === 1 && text !== ",")) continue;
    passed.push(argumentOf(tokens.slice(start, at), parameters));
    start = at + 1;
    if (depth === 0) return passed;
  }
  return [];
}

function argumentOf(tokens: readonly Token[], parameters: readonly string[]): string {
  const parts = tokens[0]?.text === "&" ? tokens.slice(1) : tokens;
  const isPath = parts.every(({ text }) => NAME.test(text) || /^(?:\.|->|[()])$/.test(text));
  if (!isPath || parts.filter(({ text }) => text === "(").length > 1) return UNKNOWN;
  const path = pathTo(parts, parts.length - 1, parameters);
  const names = parts.filter(({ text }) => NAME.test(text)).length;
  // All of it is the path.
  return path.split(".").length === names ? path : UNKNOWN;
}
