// Recognises comments, strings, numbers and keywords, to colour them. A passage may begin anywhere, so no tokenizer
// can always be right; the only risk is a wrong colour.
import type { Range } from "./ranges.ts";

export type TokenKind =
  | "comment"
  | "string"
  | "literal"
  | "keyword"
  | "type"
  | "function"
  | "property";

export interface Token extends Range {
  readonly kind: TokenKind;
}

interface Syntax {
  /** Regular expressions that match comments. */
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  /** True when comments may span lines that each begin with `*`. */
  readonly hasBlocks?: boolean;
}

const SLASHES = [String.raw`//[^\n]*`, String.raw`/\*[\s\S]*?(?:\*/|$)`];
const HASH = [String.raw`#[^\n]*`];
const DASHES = [String.raw`--[^\n]*`];
const DOUBLE = String.raw`"(?:\\.|[^"\\\n])*"?`;
const SINGLE = String.raw`'(?:\\.|[^'\\\n])*'?`;
/** For languages in which `'` has other uses than characters. */
const CHARACTER = String.raw`'(?:\\[^\n']{1,10}|[^'\\\n])'`;
/** A passage may end with a backslash. Without it here, each backtick before it would be tried to the end. */
const BACKTICKS = "`(?:\\\\[\\s\\S]|[^`\\\\])*(?:`|\\\\?$)";
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;

const SYNTAXES: readonly (readonly [languages: string, syntax: Syntax])[] = [
  [
    "typescript tsx javascript vue svelte go dart groovy",
    { comments: SLASHES, strings: [BACKTICKS, DOUBLE, SINGLE], hasBlocks: true },
  ],
  [
    "java kotlin c cpp csharp swift objc solidity css shader protobuf thrift prisma verilog d scala php",
    { comments: SLASHES, strings: [TRIPLE, DOUBLE, SINGLE], hasBlocks: true },
  ],
  ["rust zig fsharp", { comments: SLASHES, strings: [DOUBLE, CHARACTER], hasBlocks: true }],
  [
    "python starlark ruby bash yaml toml r perl makefile dockerfile elixir julia powershell awk tcl cmake graphql crystal nim nix",
    { comments: HASH, strings: [TRIPLE, DOUBLE, SINGLE] },
  ],
  ["terraform", { comments: [...HASH, ...SLASHES], strings: [DOUBLE], hasBlocks: true }],
  ["sql lua", { comments: [...DASHES, ...SLASHES.slice(1)], strings: [DOUBLE, SINGLE] }],
  ["haskell", { comments: DASHES, strings: [DOUBLE, CHARACTER] }],
  ["vhdl", { comments: DASHES, strings: [DOUBLE] }],
  ["ocaml", { comments: [String.raw`\(\*[\s\S]*?(?:\*\)|$)`], strings: [DOUBLE, CHARACTER] }],
  ["clojure lisp elisp", { comments: [String.raw`;[^\n]*`], strings: [DOUBLE] }],
  ["ini assembly", { comments: [String.raw`[;#][^\n]*`], strings: [DOUBLE] }],
  ["erlang tex", { comments: [String.raw`%[^\n]*`], strings: [DOUBLE] }],
  ["html xml", { comments: [String.raw`<!--[\s\S]*?(?:-->|$)`], strings: [DOUBLE] }],
  ["json", { comments: SLASHES, strings: [DOUBLE] }],
];

const KEYWORDS = new Set(
  (
    "abstract as assert async await bool boolean break case catch class const constexpr " +
    "continue crate def default defer defmodule del delete do elif else elsif end enum except " +
    "export extends extern fallthrough false final finally fn for foreach from func function " +
    "go goto if impl implements import in include instanceof int interface internal lambda " +
    "let mod move mut namespace new nil none None not null nullptr or and override package " +
    "pass private protected pub public raise readonly require rescue return satisfies self " +
    "Self static string struct super switch template then this throw throws trait true True " +
    "False try type typedef typename typeof undefined unless unsafe until using var virtual " +
    "void volatile when where while with yield SELECT FROM WHERE INSERT INTO VALUES UPDATE " +
    "SET DELETE CREATE TABLE INDEX DROP ALTER JOIN LEFT INNER ON AND OR NOT NULL PRIMARY KEY " +
    "UNIQUE ORDER GROUP BY LIMIT AS"
  ).split(" "),
);

const expressions = new Map<string, { readonly expression: RegExp; readonly syntax: Syntax }>();
for (const [languages, syntax] of SYNTAXES) {
  const expression = new RegExp(
    `(?<comment>${syntax.comments.join("|")})|(?<string>${syntax.strings.join("|")})` +
      String.raw`|(?<literal>(?<![\w$])\d[\w.]*)|(?<word>(?<![\w$.])[A-Za-z_$][\w$]*)`,
    "g",
  );
  for (const language of languages.split(" ")) expressions.set(language, { expression, syntax });
}

/** Returns the coloured tokens of a passage in order; none for an unknown language. */
export function tokensOf(text: string, language: string): readonly Token[] {
  const known = expressions.get(language);
  if (known === undefined) return [];
  const start = known.syntax.hasBlocks === true ? endOfComment(text) : 0;
  const tokens: Token[] = start === 0 ? [] : [{ kind: "comment", start: 0, end: start }];
  const { expression } = known;
  expression.lastIndex = start;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const kind = kindOf(found);
    const end = found.index + found[0].length;
    if (kind !== undefined) tokens.push({ kind, start: found.index, end });
  }
  return tokens;
}

function kindOf({ groups = {} }: RegExpExecArray): TokenKind | undefined {
  if (groups["comment"] !== undefined) return "comment";
  if (groups["string"] !== undefined) return "string";
  if (groups["literal"] !== undefined) return "literal";
  return KEYWORDS.has(groups["word"] ?? "") ? "keyword" : undefined;
}

/** Returns the end of a comment that began before the text; 0 if there is none. */
function endOfComment(text: string): number {
  const end = text.indexOf("*/");
  const start = text.indexOf("/*");
  const isWithin = end >= 0 && (start < 0 || start > end);
  // `*/` may also occur in a glob or a string, so the text must begin with a star, like a line of a comment.
  return isWithin && text.trimStart().startsWith("*") ? end + 2 : 0;
}
