// Rules for definitions that are recognized on a single line, without a grammar.
import type { SymbolKind } from "./definition-rules.ts";

/** A pattern for lines that begin a definition. */
export interface LinePatternRule {
  readonly kind: SymbolKind;
  /** The only group is the name. Must match in linear time on any line. */
  readonly regex: RegExp;
  /** The first words that a matching line can have, after white space. Absent: any. */
  readonly words?: readonly string[];
  /** True if `MODIFIERS` may precede the match. `regex` is then sticky and matched after them. */
  readonly isModified?: true;
  /**
   * What must follow on this or the next lines: a block in braces, or either that or a semicolon. The line
   * must also begin with a name or an attribute.
   */
  readonly leadsTo?: "block" | "block or semicolon";
  /** True: a definition only directly inside a class. False: only outside of classes. */
  readonly isMember?: boolean;
  /** True if the return type may be on the previous line. */
  readonly isTypeAbove?: true;
  /** False for blocks that are not symbols, such as a test. */
  readonly isSymbol?: false;
  /** True for one-line parts of another definition that never become chunks: a column, a key, a field. */
  readonly isInline?: true;
}

/** The line patterns of a language. */
export interface LinePatterns {
  readonly patterns: readonly LinePatternRule[];
  /** True if a definition ends at the next one, independent of indentation. */
  readonly untilNext?: true;
  /**
   * Matches the first lines of code that is no definition by `patterns`, with the flag "g": it shows that a long file is code.
   * Must match in linear time.
   */
  readonly code?: RegExp;
  /** Maximum symbols per file. A file with more is data; further symbols are not indexed. */
  readonly limit?: number;
  /** Splits a name into its owner and its last part. Default: at `::`. */
  readonly split?: (name: string) => { readonly owner: string | undefined; readonly name: string };
}

/** The words that `MODIFIERS` can begin with. Attributes begin with `@`. */
export const MODIFIER_WORDS: readonly string[] =
  "@ export default declare public private protected internal fileprivate static final abstract sealed open override async inline virtual partial readonly data mutating nonisolated convenience required indirect unsafe extern const local pub lazy weak unowned dynamic prefix infix postfix".split(
    " ",
  );

/** Matches modifiers before the keyword of a definition; sticky. */
export const MODIFIERS = new RegExp(
  `\\s*(?:(?:${MODIFIER_WORDS.slice(1).join("|")}|(?:pub|public|internal|fileprivate|private|unowned|nonisolated)\\([^)]*\\)|@\\w+(?:\\([^()]*\\))?)\\s+)*`,
  "y",
);

/** Matches a qualified name. */
export const PATH = "[\\p{L}_][\\p{L}\\p{N}_.]*(?:::[\\p{L}\\p{N}_]+)*";

/** Returns a pattern that is matched at the start of a line. `source` is a regular expression. */
export function linePattern(kind: SymbolKind, source: string, flags = "u"): LinePatternRule {
  return { kind, regex: new RegExp(source, flags) };
}

/** Returns a pattern for one of `words`, after modifiers and followed by `rest`. */
export function linePatternWithModifiers(
  kind: SymbolKind,
  words: string,
  rest: string,
): LinePatternRule {
  const list = words.split(" ");
  const regex = new RegExp(`(?:${list.join("|")})${rest}`, "uy");
  return { kind, regex, words: list, isModified: true };
}
