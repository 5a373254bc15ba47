// What a definition looks like on one line: the terms in which a language says so.
import type { SymbolKind } from "./definition-rules.ts";

export interface LinePatternRule {
  readonly kind: SymbolKind;
  /** Has one group, the name. Must take linear time on any line. */
  readonly regex: RegExp;
  /** Words of which the line begins with one, after white space. None: with anything. */
  readonly words?: readonly string[];
  /** True when `MODIFIERS` may come before, which `regex` then is to be matched after (it is sticky). */
  readonly isModified?: true;
  /**
   * What must come of what begins on the line: a block in braces, or that or a semicolon. The line
   * then begins with a name or an attribute.
   */
  readonly leadsTo?: "block" | "block or semicolon";
  /** True for what is a definition only directly inside of a class, false for only outside. */
  readonly isMember?: boolean;
  /** True when the type of a function may stand on the line above. */
  readonly isTypeAbove?: true;
  readonly isSymbol?: false;
  /** True for what takes one line of something else and is no chunk: a column, a key, a field. */
  readonly isInline?: true;
}

export interface LinePatterns {
  readonly patterns: readonly LinePatternRule[];
  /** True when a definition goes on to the next one, whatever the indentation. */
  readonly untilNext?: true;
  /** More symbols than this in one file are data: they are left out. */
  readonly limit?: number;
  /** What a name consists of, where `::` is not what stands between its parts. */
  readonly split?: (name: string) => { readonly owner: string | undefined; readonly name: string };
}

/** Words that `MODIFIERS` begins with; attributes begin with `@`. */
export const MODIFIER_WORDS: readonly string[] =
  "@ export default declare public private protected internal fileprivate static final abstract sealed open override async inline virtual partial readonly data mutating nonisolated convenience required indirect unsafe extern const local pub lazy weak unowned dynamic prefix infix postfix".split(
    " ",
  );

/** What may come before a word that says what is defined; sticky. */
export const MODIFIERS = new RegExp(
  `\\s*(?:(?:${MODIFIER_WORDS.slice(1).join("|")}|(?:pub|public|internal|fileprivate|private|unowned|nonisolated)\\([^)]*\\)|@\\w+(?:\\([^()]*\\))?)\\s+)*`,
  "y",
);

/** A name with the names it is in. */
export const PATH = "[\\p{L}_][\\p{L}\\p{N}_.]*(?:::[\\p{L}\\p{N}_]+)*";

/** A pattern that is tried on whole lines. */
export function linePattern(kind: SymbolKind, source: string, flags = "u"): LinePatternRule {
  return { kind, regex: new RegExp(source, flags) };
}

/** One of the words, after modifiers, and `rest` after them. */
export function linePatternWithModifiers(
  kind: SymbolKind,
  words: string,
  rest: string,
): LinePatternRule {
  const list = words.split(" ");
  const regex = new RegExp(`(?:${list.join("|")})${rest}`, "uy");
  return { kind, regex, words: list, isModified: true };
}
