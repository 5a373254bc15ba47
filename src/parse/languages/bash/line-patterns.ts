import { FUNCTION_LINE } from "../common-line-patterns.ts";
import { linePattern, type LinePatterns } from "../line-pattern.ts";

export const BASH_LINES: LinePatterns = {
  patterns: [
    FUNCTION_LINE,
    linePattern("function", "^\\s*([\\w:.+@-]+)\\s*\\(\\)\\s*[{(]?"),
    { ...linePattern("function", "^@test\\s+[\"'](.+)[\"']\\s*\\{"), isSymbol: false },
    {
      ...linePattern(
        "constant",
        "^(?:(?:export|readonly|(?:declare|typeset)(?:\\s+-\\w+)*)\\s+)?([A-Z][A-Z\\d_]+)=",
      ),
      isInline: true,
    },
  ],
};
