import { C } from "../common-lines.ts";
import { pattern, type LinePatterns } from "../line-pattern.ts";

export const OBJC: LinePatterns = {
  patterns: [
    pattern("class", "^@(?:interface|implementation|protocol)\\s+(\\w+)[^;]*$"),
    pattern("type", "^typedef\\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\\s*\\([^,]*,\\s*(\\w+)\\)"),
    pattern("type", "^typedef\\s[^(]*\\(\\s*\\^\\s*(\\w+)\\s*\\)"),
    { ...pattern("constant", "^@property\\b.*?(\\w+)\\s*;"), isInline: true },
    pattern("method", "^[-+]\\s*\\([^)]*\\)\\s*(\\w+)"),
    ...C,
  ],
  untilNext: true,
};
