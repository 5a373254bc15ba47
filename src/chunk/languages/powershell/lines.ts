import { pattern, type LinePatterns } from "../line-pattern.ts";

export const POWERSHELL: LinePatterns = {
  patterns: [
    pattern(
      "function",
      "^\\s*(?:function|filter|workflow)\\s+(?:(?:global|script|local|private):)?([\\w-]+)",
      "iu",
    ),
    pattern("class", "^\\s*class\\s+(\\w+)", "iu"),
    pattern("type", "^\\s*enum\\s+(\\w+)", "iu"),
    {
      ...pattern(
        "function",
        "^\\s*(?:(?:static|hidden)\\s+)*(?:\\[[\\w.[\\]]+\\]\\s*)?(?!(?:if|for|foreach|while|switch|catch|elseif)\\b)(\\w+)\\s*\\([^)]*\\)\\s*(?::[^{]*)?\\{?\\s*$",
        "iu",
      ),
      isMember: true,
    },
  ],
};
