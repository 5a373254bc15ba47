// Line patterns that many languages share: with or without braces, after modifiers, with types.
import {
  linePatternWithModifiers,
  PATH,
  linePattern,
  type LinePatternRule,
} from "./line-pattern.ts";

export const TYPE_LINES: readonly LinePatternRule[] = [
  linePatternWithModifiers(
    "class",
    "class struct object record actor union extension mixin impl",
    `\\s+(${PATH})`,
  ),
  linePatternWithModifiers(
    "type",
    "interface trait protocol enum typealias",
    "\\s+([\\p{L}_][\\p{L}\\p{N}_.]*)",
  ),
  linePatternWithModifiers(
    "module",
    "namespace module mod defmodule package",
    `\\s+(${PATH})\\s*(?:\\{|do\\b|$)`,
  ),
];

export const FUNCTION_LINE = linePatternWithModifiers(
  "function",
  "func function\\*? fun fn def defp defmacro sub proc macro",
  "\\s+(?:\\([^)]*\\)\\s*)?([\\p{L}_$][\\p{L}\\p{N}_$.:!?-]*)",
);

/** Excludes comments, and statements that look like a function after its return type. */
const NO_STATEMENT =
  "(?![*/]|(?:return|else|new|throw|await|yield|delete|case|goto|if|for|while|switch|catch|do)\\b)";
const TYPE = "[\\w<>[\\],.*&?:@]+\\s+";
const TYPED_NAME = "[*&]*([\\w:~]+)";

/** Matches `Type name(…) {` as in C, Java, C# and Dart. */
const TYPED_FUNCTION: LinePatternRule = {
  ...linePattern("function", `^\\s*${NO_STATEMENT}(?:${TYPE}){1,9}${TYPED_NAME}\\s*\\([^;]*$`),
  leadsTo: "block",
};

/** Matches `name(…) {` in a class. */
const METHOD: LinePatternRule = {
  ...linePattern(
    "function",
    `^\\s*${NO_STATEMENT}(?!(?:with|function|super)\\b)(?:(?:static|async|get|set)\\s+)*(?:\\*\\s*)?(#?[\\w$]+)(?:<[^()]*>)?\\s*\\([^;]*$`,
  ),
  leadsTo: "block",
  isMember: true,
};

/** Matches a method without a body. Excludes the function pointer `type (*name)(…)`. */
const DECLARED_METHOD: LinePatternRule = {
  ...linePattern("function", `^\\s*${NO_STATEMENT}(?:${TYPE}){1,9}${TYPED_NAME}\\s*\\((?!\\s*\\*)`),
  leadsTo: "block or semicolon",
  isMember: true,
};

const ARROW: LinePatternRule = {
  ...linePattern(
    "function",
    "^\\s*(?:export\\s+)?(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=]*)?=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*(?::[^=]*)?=>|\\w+\\s*=>)",
  ),
  words: ["export", "const", "let", "var"],
};

export const INITIALIZER_LINE: LinePatternRule = {
  kind: "function",
  regex: /(init|deinit)\b[?!]?\s*[({<]/y,
  words: ["init", "deinit"],
  isModified: true,
};

/** Patterns for languages with braces. */
export const CURLY_LINES: readonly LinePatternRule[] = [
  ...TYPE_LINES,
  FUNCTION_LINE,
  INITIALIZER_LINE,
  ARROW,
  TYPED_FUNCTION,
];
/** Patterns for languages with braces in which a method needs neither a keyword nor a type. */
export const CURLY_CLASS_LINES: readonly LinePatternRule[] = [...CURLY_LINES, METHOD];

/** The same for languages with types, in which a method may have no body. */
export const TYPED_CLASS_LINES: readonly LinePatternRule[] = [
  ...TYPE_LINES,
  FUNCTION_LINE,
  { ...TYPED_FUNCTION, isMember: false },
  DECLARED_METHOD,
  METHOD,
];

/** Matches a structure only with its body, because `struct name` also begins variables of that type. */
function structure(kind: "class" | "type", words: string): LinePatternRule {
  return {
    ...linePattern(
      kind,
      `^\\s*(?:template\\s*<.*>\\s*)?(?:typedef\\s+)?(?:${words})\\s+(?:[A-Z_]\\w*(?:\\([^()]*\\))?\\s+)?(\\w+(?:::\\w+)*)(?:<[^{;]*>)?(?:\\s+final)?\\s*(?::[^=;(){]*)?(?:\\{\\s*)?$`,
    ),
    words: ["template", "typedef", "struct", "union", "class", "enum"],
    leadsTo: "block",
  };
}

export const C_LINES: readonly LinePatternRule[] = [
  structure("class", "struct|union|class"),
  structure("type", "enum(?:\\s+(?:class|struct))?"),
  linePatternWithModifiers("module", "namespace", `\\s+(${PATH})\\s*(?:\\{|$)`),
  { ...linePattern("function", "^#\\s*define\\s+(\\w+)\\("), words: ["#"] },
  {
    // Names in capitals are macros that expand to a variable.
    ...linePattern(
      "function",
      `^${NO_STATEMENT}(?:${TYPE}){1,9}(?![*&]*[A-Z\\d_]+\\s*\\()${TYPED_NAME}\\s*\\(`,
    ),
    leadsTo: "block or semicolon",
    isTypeAbove: true,
  },
  {
    ...linePattern("function", `^${NO_STATEMENT}(?:${TYPE}){0,9}${TYPED_NAME}\\s*\\([^;]*$`),
    leadsTo: "block",
    isTypeAbove: true,
  },
  DECLARED_METHOD,
];
export const CPP_LINES: readonly LinePatternRule[] = [
  ...C_LINES,
  { ...TYPED_FUNCTION, isMember: false },
  METHOD,
];
