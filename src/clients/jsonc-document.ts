// What a text of JSON with comments consists of, with the places of it.
import {
  parse,
  type DocumentNode,
  type MemberNode,
  type ObjectNode,
  type Token,
} from "@humanwhocodes/momoa";

import { EditProblem, SyntaxProblem } from "./config-format.ts";

/** Throws `SyntaxProblem`. Trailing commas are allowed. */
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

/** Block comments end too early by one for each CRLF in them (momoa 3.3.13). */
function withCorrectEnd(text: string, token: Token): Token {
  if (token.type !== "BlockComment") return token;
  const [start] = offsetsOf(token);
  return { ...token, range: [start, text.indexOf("*/", start + 2) + 2] };
}

function problemOf(thrown: unknown): SyntaxProblem {
  const { line, column, message } = Object(thrown);
  if (typeof line !== "number" || typeof column !== "number") {
    // Only a file of a hundred thousand nested brackets does that.
    return new SyntaxProblem("it is nested too deeply", { line: 1, column: 1 });
  }
  // The message ends with the place, in a form of its own.
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

/** The last one counts where a key stands twice, as for every parser of JSON. */
export function memberOf({ members }: ObjectNode, key: string): MemberNode | undefined {
  return members.findLast(({ name }) => (name.type === "String" ? name.value : name.name) === key);
}

/** The tokens that lie between the offsets, comments too. */
export function tokensIn({ tokens = [] }: DocumentNode, start: number, end: number): Token[] {
  return tokens.filter((token) => offsetsOf(token)[0] >= start && offsetsOf(token)[1] <= end);
}

export function isComma({ type }: Token): boolean {
  return type === "Comma";
}

export function isComment({ type }: Token): boolean {
  return type === "LineComment" || type === "BlockComment";
}

/** Offsets of beginning and end. */
export function offsetsOf({
  range,
}: {
  readonly range?: readonly number[];
}): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
