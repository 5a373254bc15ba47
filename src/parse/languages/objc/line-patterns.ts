import { C_LINES } from "../common-line-patterns.ts";
import { linePattern, type LinePatterns } from "../line-pattern.ts";

export const OBJC_LINES: LinePatterns = {
  patterns: [
    linePattern("class", "^@(?:interface|implementation|protocol)\\s+(\\w+)[^;]*$"),
    linePattern("type", "^typedef\\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\\s*\\([^,]*,\\s*(\\w+)\\)"),
    linePattern("type", "^typedef\\s[^(]*\\(\\s*\\^\\s*(\\w+)\\s*\\)"),
    { ...linePattern("field", "^@property\\b.*?(\\w+)\\s*;"), isInline: true },
    linePattern("method", "^[-+]\\s*\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)\\s*(\\w+)"),
    ...C_LINES,
  ],
  untilNext: true,
};
