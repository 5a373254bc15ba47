// Parses JSON with comments, with the offset of each part.
import {
  parse,
  type DocumentNode,
  type MemberNode,
  type ObjectNode,
  type Token,
} from "@humanwhocodes/momoa";

import { EditProblem, SyntaxProblem } from "./config-format.ts";

/** Throws `SyntaxProblem`. Allows trailing commas. */
export function documentOf(text: string): DocumentNode {
  try {
    const document = parse(text, {
      mode: "jsonc",
      ranges: true,
      tokens: true,
      allowTrailingCommas: true,
    });
    return {
      ...document,
      tokens: (document.tokens ?? []).map((token) => withCorrectEnd(text, token)),
    };
  } catch (thrown) {
    throw problemOf(thrown);
  }
}

/** Fixes the end of block comments: it is too early by one for each CRLF in them (momoa 3.3.13). */
function withCorrectEnd(text: string, token: Token): Token {
  if (token.type !== "BlockComment") return token;
  const [start] = offsetsOf(token);
  return { ...token, range: [start, text.indexOf("*/", start + 2) + 2] };
}

function problemOf(thrown: unknown): SyntaxProblem {
  const { line, column, message } = Object(thrown);
  if (typeof line !== "number" || typeof column !== "number") {
    // This happens only for about a hundred thousand nested brackets.
    return new SyntaxProblem("it is nested too deeply", { line: 1, column: 1 });
  }
  // The message ends with the position in another format.
  const what = String(message).replace(/ ?\(\d+:\d+\)$/, "");
  return new SyntaxProblem(what.charAt(0).toLowerCase() + what.slice(1).replace(/\.$/, ""), {
    line,
    column,
  });
}

/** Throws `EditProblem`. */
export function requireObject(node: DocumentNode["body"]): ObjectNode {
  if (node.type === "Object") return node;
  throw new EditProblem("it is not an object");
}

/** If a key occurs twice, the last one counts, as in every JSON parser. */
export function memberOf({ members }: ObjectNode, key: string): MemberNode | undefined {
  return members.findLast(({ name }) => (name.type === "String" ? name.value : name.name) === key);
}

/** Returns the tokens between the offsets, including comments. */
export function tokensIn({ tokens = [] }: DocumentNode, start: number, end: number): Token[] {
  return tokens.filter((token) => offsetsOf(token)[0] >= start && offsetsOf(token)[1] <= end);
}

export function isComma({ type }: Token): boolean {
  return type === "Comma";
}

export function isComment({ type }: Token): boolean {
  return type === "LineComment" || type === "BlockComment";
}

/** Returns the start and end offsets. */
export function offsetsOf({
  range,
}: {
  readonly range?: readonly number[];
}): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
