// Reads the signature and the first documentation line of a definition from the current text of its file.

import { isValueKind } from "../../base/definition-kinds.ts";
import { languageFamily } from "../../base/language-families.ts";
import { extractComment, extractDocLine, extractSignature } from "../../parse/symbols/signature.ts";
import type { SymbolFacts } from "../../index/types.ts";
import { withFoldedTypeLists } from "../../parse/symbols/type-lists.ts";
import { signatureIn } from "../../search/signature.ts";
import { endOfString, inlineMember, withClosedBrackets } from "./declaration-text.ts";
import { docAfter, partOfType } from "./haskell-lines.ts";
import { operationLines } from "./operation-lines.ts";

/** Maximum lines of a signature, from the line of its name on: formatters give each parameter a line of its own. */
const MAX_SIGNATURE_LINES = 30;
/** The same for values, whose lines are data, and where there is little room. */
const MAX_BRIEF_LINES = 4;
/** How many lines above the name are searched for comments. */
const MAX_COMMENT_LINES = 80;
/** How many lines below the signature are searched for a docstring. */
const MAX_DOC_LINES = 5;

export interface SymbolLines {
  /** One line of up to 200 characters. */
  readonly signature: string;
  /** First line of the documentation, up to 200 characters; "" when there is none. */
  readonly docLine: string;
}

type Described = Pick<
  SymbolFacts,
  "name" | "qualifiedName" | "kind" | "startLine" | "endLine" | "nameLine"
>;

/** Returns the whole documentation of a definition, without the markers of comments; "" when there is none. */
export function symbolComment(
  lines: readonly string[],
  symbol: Described,
  language: string,
): string {
  if (symbol.kind === "section") return "";
  const code = lines.slice(symbol.nameLine - 1, symbol.endLine).slice(0, MAX_SIGNATURE_LINES);
  const { last } = signatureIn(code, symbol.name, MAX_SIGNATURE_LINES) ?? { last: 0 };
  return extractComment(commentOf(lines, symbol, { language, last, maxLines: MAX_COMMENT_LINES }));
}

/** `lines`: all lines of the file. `isBrief`: show `call(…)` for parameters on many lines. */
export function symbolLines(
  lines: readonly string[],
  symbol: Described,
  language: string,
  { isBrief = false } = {},
): SymbolLines {
  const special = specialLines(lines, symbol, language);
  if (special !== undefined) return special;
  const { name, qualifiedName, kind, nameLine } = symbol;
  const lastLine = Math.min(symbol.endLine, nameLine + MAX_SIGNATURE_LINES - 1);
  const code = withFoldedTypeLists(lines.slice(nameLine - 1, lastLine));
  const maxLines = isBrief || isValueKind(kind) ? MAX_BRIEF_LINES : MAX_SIGNATURE_LINES;
  const { first, last } = signatureIn(code, name, maxLines) ?? { first: 0, last: 0 };
  const hasMore = isCallable(symbol) && code[last]?.trimEnd().endsWith("(") === true;
  const signature = declarationIn(code.slice(first, last + 1).join("\n"), symbol, language);
  const comment = commentOf(lines, symbol, { language, last, maxLines: MAX_DOC_LINES });
  return {
    signature: signature === "" ? qualifiedName : `${signature}${hasMore ? "(…)" : ""}`,
    docLine: extractDocLine(comment) ?? "",
  };
}

/** Returns the declaration of a definition on one line, without its body. */
function declarationIn(text: string, symbol: Described, language: string): string {
  const member = inlineMember(text, nameIndexIn(text, symbol));
  const end = Math.min(bodyStart(text, symbol, language), member?.end ?? Infinity);
  const declaration = extractSignature(text, member?.start ?? 0, end)
    // Join parameters that were on separate lines.
    .replace(/(?<=[([]) | (?=[)\]])/g, "")
    .replace(/,(?=[)\]])/g, "");
  return isValueKind(symbol.kind)
    ? withClosedBrackets(declaration, symbol.name, language)
    : declaration;
}

/**
 * Returns the signature of a heading, an operation, a component that is named after its file, or a part of a type of Haskell;
 * undefined for others.
 */
function specialLines(
  lines: readonly string[],
  symbol: Described,
  language: string,
): SymbolLines | undefined {
  const { qualifiedName, kind, nameLine } = symbol;
  if (kind === "section") return { signature: qualifiedName, docLine: "" };
  // The only functions of these languages are operations of OpenAPI.
  const isOperation = kind === "function" && (language === "json" || language === "yaml");
  if (isOperation) return operationLines(lines, symbol);
  const isComponent = kind === "class" && (language === "vue" || language === "svelte");
  if (isComponent && !(lines[nameLine - 1] ?? "").includes(symbol.name)) {
    return { signature: `component ${qualifiedName}`, docLine: "" };
  }
  if (language !== "haskell" || !isValueKind(kind)) return undefined;
  const signature = partOfType(lines[nameLine - 1] ?? "", symbol);
  return signature === "" ? undefined : { signature, docLine: docOf(lines, symbol) };
}

/** Returns the first line of the documentation of a part of a type of Haskell. */
function docOf(lines: readonly string[], symbol: Described): string {
  const above = lastComment(lines.slice(symbol.startLine - 1, symbol.nameLine - 1));
  return extractDocLine(above) ?? docAfter(lines, symbol.nameLine);
}

/**
 * The comment above a definition, or its docstring. `last`: number of lines of the signature after that of the name.
 * `maxLines`: how many lines below it are searched for a docstring.
 */
function commentOf(
  lines: readonly string[],
  { startLine, nameLine }: Described,
  {
    language,
    last,
    maxLines,
  }: { readonly language: string; readonly last: number; readonly maxLines: number },
): string {
  const above = lines.slice(Math.max(startLine, nameLine - MAX_COMMENT_LINES) - 1, nameLine - 1);
  const below = lines.slice(nameLine + last, nameLine + last + maxLines);
  const comment = languageFamily(language) === "python" ? docstring(below) : undefined;
  return comment ?? lastComment(above);
}

/** Offset of the body in a declaration; the length of `text` when the body begins later. */
function bodyStart(text: string, symbol: Described, language: string): number {
  const { kind } = symbol;
  const hasColon = languageFamily(language) === "python" && !isValueKind(kind);
  let depth = 0;
  let hasArguments = false;
  for (let at = afterName(text, symbol); at < text.length; at += 1) {
    if (isValueKind(kind)) at = endOfString(text, at, language);
    const character = text.charAt(at);
    if ("([".includes(character)) depth += 1;
    if (")]".includes(character)) depth -= 1;
    // Below zero, the definition is itself an argument: of a call, or of a macro that is its head.
    if (depth < 0) return isMacroHead(text) ? at + 1 : at;
    if (depth > 0) continue;
    hasArguments ||= character === ")";
    if ("{;".includes(character) || (hasColon && character === ":")) return at;
    if (isCallable(symbol) && beginsBody(text, at, { hasArguments, language })) return at;
  }
  return text.length;
}

/** Returns the end of the name in its declaration, and of the parentheses around an operator: `(<+>) :: …`. */
function afterName(text: string, symbol: Described): number {
  const { name } = symbol;
  const at = nameIndexIn(text, symbol);
  const end = at + name.length;
  const isInParentheses = text.charAt(at - 1) === "(" && text.charAt(end) === ")";
  return isInParentheses && !WORD_CHARACTER.test(name.charAt(0)) ? end + 1 : end;
}

/** Whether the declaration begins like `SYSCALL_DEFINE2(` or `static DEFINE_MUTEX(`. */
function isMacroHead(text: string): boolean {
  return /^\s*(?:(?:static|extern|const)\s+)*[A-Z][A-Z0-9_]{2,}\(/.test(text);
}

/**
 * Where in its declaration a definition is named: at a whole word, and for what can be called preferably outside of
 * brackets. Before the name of a function brackets hold its receiver, an attribute or what it is passed to:
 * `func (Bind) Bind()`, `@Named("open") void open()`.
 */
function nameIndexIn(text: string, symbol: Described): number {
  const { name } = symbol;
  let first: number | undefined;
  let depth = 0;
  let scanned = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    for (; scanned < at; scanned += 1) {
      if ("([{".includes(text.charAt(scanned))) depth += 1;
      if (")]}".includes(text.charAt(scanned))) depth -= 1;
    }
    if (!isWholeWord(text, at, name)) continue;
    if (depth === 0 || !isCallable(symbol)) return at;
    first ??= at;
  }
  return first ?? Math.max(0, text.indexOf(name));
}

const WORD_CHARACTER = /[\p{L}\p{N}_$]/u;

/** A name that begins or ends with another character than words have, as `operator +` does, ends there. */
function isWholeWord(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return (
    !areOneWord(text.charAt(at - 1), name.charAt(0)) &&
    !areOneWord(text.charAt(end), name.charAt(name.length - 1))
  );
}

function areOneWord(one: string, other: string): boolean {
  return WORD_CHARACTER.test(one) && WORD_CHARACTER.test(other);
}

function isCallable({ kind }: Described): boolean {
  return kind === "function" || kind === "method";
}

/** `=> body` of an arrow function, and `= body` of `fun f(): Int = body`. In Haskell, `=>` is in the type. */
function beginsBody(
  text: string,
  at: number,
  { hasArguments, language }: { readonly hasArguments: boolean; readonly language: string },
): boolean {
  if (language === "haskell") return /^ [=|] /.test(text.slice(at - 1, at + 2));
  if (text.charAt(at) !== "=") return false;
  const next = text.charAt(at + 1);
  return next === ">" || (hasArguments && next !== "=");
}

const LINE_COMMENT = /^(?:\/\/|#(?![a-z]+\b|[![])|--|;|%|\{-|<!--)/;
const BLOCK_ENDS = [
  ["/*", "*/"],
  ["{-", "-}"],
  ["<!--", "-->"],
  ["@doc ", '"""'],
  ["@moduledoc ", '"""'],
  ['"""', '"""'],
] as const;

/** The last comment in the lines, without attributes and code. */
function lastComment(lines: readonly string[]): string {
  let comment: string[] = [];
  let end: string | undefined;
  let isAfter = false;
  for (const line of lines) {
    const text = line.trim();
    if (end !== undefined) {
      comment.push(text);
      if (text.includes(end)) end = undefined;
      continue;
    }
    const block = BLOCK_ENDS.find(([begin]) => text.startsWith(begin));
    if (block === undefined && !LINE_COMMENT.test(text)) {
      isAfter = true;
      continue;
    }
    if (isAfter || block !== undefined) comment = [];
    isAfter = false;
    comment.push(text);
    if (block !== undefined && !isClosed(text, block)) [, end] = block;
  }
  return comment.join("\n");
}

function isClosed(text: string, [begin, end]: readonly [string, string]): boolean {
  const rest = text.slice(begin.length);
  if (end !== '"""' || begin === end) return rest.includes(end);
  return rest.split(end).length !== 2;
}

/** The docstring at the beginning of a body; undefined when there is none. */
function docstring(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => line.trim() !== "");
  const quoted = /^\s*[rRuU]?(?:"""|'''|"(?!")|'(?!'))(.*)$/.exec(lines[first] ?? "");
  if (quoted === null) return undefined;
  const rest = lines.slice(first + 1).join("\n");
  const isOne = /^\s*[rRuU]?["'](?!["'])/.test(lines[first] ?? "");
  const text = isOne ? (quoted[1] ?? "") : `${quoted[1] ?? ""}\n${rest}`;
  return text.replace(/(?:"""|'''|["']\s*$)[^]*/, "");
}
