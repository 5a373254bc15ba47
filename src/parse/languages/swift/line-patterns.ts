import { FUNCTION_LINE, INITIALIZER_LINE, TYPE_LINES } from "../common-line-patterns.ts";
import { linePatternWithModifiers, type LinePatterns } from "../line-pattern.ts";

const NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";

export const SWIFT_LINES: LinePatterns = {
  patterns: [
    linePatternWithModifiers("type", "associatedtype", `\\s+(${NAME})`),
    // `class var` and `class func` are members. A variable named `class` must be written in backticks.
    { ...linePatternWithModifiers("function", "class", `\\s+func\\s+(${NAME})`), isMember: true },
    {
      ...linePatternWithModifiers("field", "class", `\\s+(?:var|let)\\s+(${NAME})`),
      isInline: true,
    },
    ...TYPE_LINES,
    FUNCTION_LINE,
    INITIALIZER_LINE,
    linePatternWithModifiers("function", "func", "\\s+([^\\s\\w({]{1,6})\\s*[(<]"),
    { kind: "function", regex: /(subscript)\s*[(<]/y, words: ["subscript"], isModified: true },
    {
      ...linePatternWithModifiers("field", "var let", `\\s+(${NAME})\\s*[:={]`),
      isInline: true,
    },
    {
      ...linePatternWithModifiers("constant", "case", `\\s+(${NAME})`),
      isInline: true,
      isMember: true,
    },
  ],
};
