import { FUNCTION, INITIALISER, TYPES } from "../common-lines.ts";
import { modified, type LinePatterns } from "../line-pattern.ts";

const NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";

export const SWIFT: LinePatterns = {
  patterns: [
    modified("type", "associatedtype", `\\s+(${NAME})`),
    // `class var` and `class func` are members; a variable named `class` needs its accents.
    { ...modified("function", "class", `\\s+func\\s+(${NAME})`), isMember: true },
    { ...modified("constant", "class", `\\s+(?:var|let)\\s+(${NAME})`), isInline: true },
    ...TYPES,
    FUNCTION,
    INITIALISER,
    modified("function", "func", "\\s+([^\\s\\w({]{1,6})\\s*[(<]"),
    { kind: "function", regex: /(subscript)\s*[(<]/y, words: ["subscript"], isModified: true },
    { ...modified("constant", "var let", `\\s+(${NAME})\\s*[:={]`), isInline: true },
    { ...modified("constant", "case", `\\s+(${NAME})`), isInline: true, isMember: true },
  ],
};
