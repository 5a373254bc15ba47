// Pairs of a text that describes a need and the code or prose that answers it, from one file.
import { chunkFile } from "../../src/chunk/chunk.ts";
import type { SymbolDefinition } from "../../src/parse/symbols/symbol-definition.ts";
import type { Grammars } from "../../src/parse/syntax.ts";
import { separateComments } from "./comments.ts";
import { firstParagraph, isProseParagraph } from "./first-paragraph.ts";
import type { SourceFile } from "./sources.ts";
import { wordParts } from "./words.ts";

export interface Pair {
  /** The source of the query: a comment, the name of a function, a heading. */
  readonly kind: "comment" | "name" | "heading";
  readonly question: string;
  /** The answer without the query, up to 1600 characters. */
  readonly answer: string;
}

/** About the length of a chunk in an answer. */
const MAX_ANSWER_CHARACTERS = 1600;
const MIN_CODE_LENGTH = 25;
const MIN_SECTION_LENGTH = 80;
/** A function shorter than this adds little to its name. */
const MIN_NAMED_LINES = 5;

export function pairsOf(file: SourceFile, grammars: Grammars): Pair[] {
  const { symbols } = chunkFile(file, grammars);
  const lines = file.text.split(/\r?\n/);
  return symbols.flatMap((symbol, index) => {
    const pair =
      symbol.kind === "section"
        ? sectionPair(symbol, lines, symbols[index + 1])
        : codePair(symbol, lines, file.language);
    return pair ?? [];
  });
}

function codePair(
  { name, kind, startLine, endLine }: SymbolDefinition,
  lines: readonly string[],
  language: string,
): Pair | undefined {
  const text = lines.slice(startLine - 1, endLine).join("\n");
  const { comments, body } = separateComments(text, language);
  if (body.trim().length < MIN_CODE_LENGTH) return undefined;
  const question = comments.map(firstParagraph).findLast(isProseParagraph);
  if (question !== undefined) {
    return { kind: "comment", question, answer: body.slice(0, MAX_ANSWER_CHARACTERS) };
  }
  const isFunction = kind === "function" || kind === "method";
  if (!isFunction || body.split("\n").length < MIN_NAMED_LINES) return undefined;
  const words = wordParts(name);
  if (words.length < 2 || words[0] === "test" || name.startsWith("__")) return undefined;
  const answer = body.slice(0, MAX_ANSWER_CHARACTERS).replaceAll(name, "_");
  return { kind: "name", question: words.join(" "), answer };
}

/** The two innermost headings, and the text below the last one up to the next. */
function sectionPair(
  { qualifiedName, startLine, endLine }: SymbolDefinition,
  lines: readonly string[],
  next: SymbolDefinition | undefined,
): Pair | undefined {
  const question = qualifiedName.split(" > ").slice(-2).join(" ");
  if (question.length < 6 || question.length > 260) return undefined;
  const end = next === undefined ? endLine : Math.min(endLine, next.startLine - 1);
  const section = lines.slice(startLine - 1, end);
  // Drops the line of the title, and its overline and underline.
  if (isRule(section[0])) section.shift();
  section.shift();
  if (isRule(section[0])) section.shift();
  const answer = section.join("\n").trim().slice(0, MAX_ANSWER_CHARACTERS);
  return answer.length <= MIN_SECTION_LENGTH ? undefined : { kind: "heading", question, answer };
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && /^\s*([^\w\s])\1+\s*$/.test(line);
}
