// Definitions as they look in many languages: with braces or without, after modifiers, with types.
import { modified, PATH, pattern, type LinePattern } from "./line-pattern.ts";

export const TYPES: readonly LinePattern[] = [
  modified("class", "class struct object record actor union extension mixin impl", `\\s+(${PATH})`),
  modified("type", "interface trait protocol enum typealias", "\\s+([\\p{L}_][\\p{L}\\p{N}_.]*)"),
  modified("module", "namespace module mod defmodule package", `\\s+(${PATH})\\s*(?:\\{|do\\b|$)`),
];

export const FUNCTION = modified(
  "function",
  "func function\\*? fun fn def defp defmacro sub proc macro",
  "\\s+(?:\\([^)]*\\)\\s*)?([\\p{L}_$][\\p{L}\\p{N}_$.:!?-]*)",
);

/** Comments, and statements that else look like a function after its type. */
const NO_STATEMENT =
  "(?![*/]|(?:return|else|new|throw|await|yield|delete|case|goto|if|for|while|switch|catch|do)\\b)";
const TYPE = "[\\w<>[\\],.*&?:@]+\\s+";
const TYPED_NAME = "[*&]*([\\w:~]+)";

/** `Type name(…) {` as in C, Java, C# and Dart. */
const TYPED_FUNCTION: LinePattern = {
  ...pattern("function", `^\\s*${NO_STATEMENT}(?:${TYPE}){1,9}${TYPED_NAME}\\s*\\([^;]*$`),
  leadsTo: "block",
};

/** `name(…) {` in a class. */
const METHOD: LinePattern = {
  ...pattern(
    "function",
    `^\\s*${NO_STATEMENT}(?!(?:with|function|super)\\b)(?:(?:static|async|get|set)\\s+)*(?:\\*\\s*)?(#?[\\w$]+)(?:<[^()]*>)?\\s*\\([^;]*$`,
  ),
  leadsTo: "block",
  isMember: true,
};

/** A method that is only declared, but no member `type (*name)(…)`, which is a pointer. */
const DECLARED_METHOD: LinePattern = {
  ...pattern("function", `^\\s*${NO_STATEMENT}(?:${TYPE}){1,9}${TYPED_NAME}\\s*\\((?!\\s*\\*)`),
  leadsTo: "block or semicolon",
  isMember: true,
};

const ARROW: LinePattern = {
  ...pattern(
    "function",
    "^\\s*(?:export\\s+)?(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=]*)?=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*(?::[^=]*)?=>|\\w+\\s*=>)",
  ),
  words: ["export", "const", "let", "var"],
};

export const INITIALISER: LinePattern = {
  kind: "function",
  regex: /(init|deinit)\b[?!]?\s*[({<]/y,
  words: ["init", "deinit"],
  isModified: true,
};

/** Languages with braces. */
export const CURLY: readonly LinePattern[] = [
  ...TYPES,
  FUNCTION,
  INITIALISER,
  ARROW,
  TYPED_FUNCTION,
];
/** Languages with braces in which a method needs neither a keyword nor a type. */
export const CURLY_CLASSES: readonly LinePattern[] = [...CURLY, METHOD];

/** The same with types, so that a method may do without a body. */
export const TYPED_CLASSES: readonly LinePattern[] = [
  ...TYPES,
  FUNCTION,
  { ...TYPED_FUNCTION, isMember: false },
  DECLARED_METHOD,
  METHOD,
];

/** A structure only where its members stand: `struct name` is also how its variables begin. */
function structure(kind: "class" | "type", words: string): LinePattern {
  return {
    ...pattern(
      kind,
      `^\\s*(?:template\\s*<.*>\\s*)?(?:typedef\\s+)?(?:${words})\\s+(?:[A-Z_]\\w*(?:\\([^()]*\\))?\\s+)?(\\w+(?:::\\w+)*)(?:<[^{;]*>)?(?:\\s+final)?\\s*(?::[^=;(){]*)?(?:\\{\\s*)?$`,
    ),
    words: ["template", "typedef", "struct", "union", "class", "enum"],
    leadsTo: "block",
  };
}

export const C: readonly LinePattern[] = [
  structure("class", "struct|union|class"),
  structure("type", "enum(?:\\s+(?:class|struct))?"),
  modified("module", "namespace", `\\s+(${PATH})\\s*(?:\\{|$)`),
  { ...pattern("function", "^#\\s*define\\s+(\\w+)\\("), words: ["#"] },
  {
    // Names in capitals are macros that stand for a variable.
    ...pattern(
      "function",
      `^${NO_STATEMENT}(?:${TYPE}){1,9}(?![*&]*[A-Z\\d_]+\\s*\\()${TYPED_NAME}\\s*\\(`,
    ),
    leadsTo: "block or semicolon",
    isTypeAbove: true,
  },
  {
    ...pattern("function", `^${NO_STATEMENT}(?:${TYPE}){0,9}${TYPED_NAME}\\s*\\([^;]*$`),
    leadsTo: "block",
    isTypeAbove: true,
  },
  DECLARED_METHOD,
];
export const CPP: readonly LinePattern[] = [...C, { ...TYPED_FUNCTION, isMember: false }, METHOD];
