import { TYPE_LINES } from "../common-line-patterns.ts";
import { linePattern, type LinePatterns } from "../line-pattern.ts";

const MODIFIERS =
  "(?:(?:public|private|protected|static|final|abstract|synchronized|default|native|@\\w+(?:\\([^()]*\\))?)\\s+)*";
const TYPE = "[\\w.<>,?[\\]]+(?:\\s*<[^()]*>)?";
const NO_STATEMENT =
  "(?!(?:return|new|throw|assert|else|case|if|for|while|switch|catch|import|package|in|as)\\b)";

/** A feature of Spock has a title instead of a name. */
export const GROOVY_LINES: LinePatterns = {
  patterns: [
    ...TYPE_LINES,
    {
      ...linePattern(
        "function",
        `^\\s*${MODIFIERS}(?:def|void)\\s+(?:"(?=[^"\\n]*"\\s*\\()|'(?=[^'\\n]*'\\s*\\())([^\\n]+?)["']\\s*\\(`,
      ),
      isSymbol: false,
    },
    {
      ...linePattern(
        "function",
        `^\\s*${MODIFIERS}${NO_STATEMENT}(?:def|<[^()]*>\\s*${TYPE}|${TYPE})\\s+(\\w+)\\s*\\([^;]*$`,
      ),
      leadsTo: "block",
    },
    linePattern(
      "function",
      `^\\s*${MODIFIERS}${NO_STATEMENT}(?:def|${TYPE})\\s+(\\w+)\\s*\\([^;{}]*\\)[^;{}()]*\\{.*\\}\\s*$`,
    ),
    linePattern("function", "^\\s*(?:project\\.)?task\\s+(\\w+)\\b"),
    linePattern(
      "function",
      "^\\s*(?:project\\.)?tasks\\.(?:register|create)\\s*\\(?\\s*[\"'](\\w+)[\"']",
    ),
    {
      ...linePattern(
        "field",
        `^\\s+${MODIFIERS}${NO_STATEMENT}(?:def|final|static|${TYPE})\\s+(\\w+)\\s*(?:=[^=].*)?$`,
      ),
      isInline: true,
      isMember: true,
    },
  ],
};
