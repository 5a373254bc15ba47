import { FUNCTION } from "../common-lines.ts";
import { pattern, type LinePatterns } from "../line-pattern.ts";

export const BASH: LinePatterns = {
  patterns: [
    FUNCTION,
    pattern("function", "^\\s*([\\w:.+@-]+)\\s*\\(\\)\\s*[{(]?"),
    { ...pattern("function", "^@test\\s+[\"'](.+)[\"']\\s*\\{"), isSymbol: false },
    {
      ...pattern(
        "constant",
        "^(?:(?:export|readonly|(?:declare|typeset)(?:\\s+-\\w+)*)\\s+)?([A-Z][A-Z\\d_]+)=",
      ),
      isInline: true,
    },
  ],
};
