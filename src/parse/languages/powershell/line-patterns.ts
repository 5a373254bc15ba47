import { linePattern, type LinePatterns } from "../line-pattern.ts";

export const POWERSHELL_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "function",
      "^\\s*(?:function|filter|workflow)\\s+(?:(?:global|script|local|private):)?([\\w-]+)",
      "iu",
    ),
    linePattern("class", "^\\s*class\\s+(\\w+)", "iu"),
    linePattern("type", "^\\s*enum\\s+(\\w+)", "iu"),
    {
      ...linePattern(
        "function",
        "^\\s*(?:(?:static|hidden)\\s+)*(?:\\[[\\w.[\\]]+\\]\\s*)?(?!(?:if|for|foreach|while|switch|catch|elseif)\\b)(\\w+)\\s*\\([^)]*\\)\\s*(?::[^{]*)?\\{?\\s*$",
        "iu",
      ),
      isMember: true,
    },
  ],
};
