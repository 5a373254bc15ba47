import { splitQualified } from "../definition-rules.ts";
import { linePattern, type LinePatterns } from "../line-pattern.ts";

export const JULIA_LINES: LinePatterns = {
  patterns: [
    linePattern("class", "^\\s*(?:@\\w+\\s+)*(?:mutable\\s+)?struct\\s+(\\w+)"),
    linePattern("type", "^\\s*(?:abstract|primitive)\\s+type\\s+(\\w+)"),
    linePattern("module", "^\\s*(?:bare)?module\\s+(\\w+)"),
    linePattern("function", "^\\s*(?:@\\w+\\s+)*(?:function|macro)\\s+([\\w.!]+)"),
    linePattern(
      "function",
      "^\\s*(?:@\\w+\\s+)*([A-Za-z_][\\w.]*!?)(?:\\{[^}]*\\})?\\([^=]*\\)(?:::[\\w.{}, ]+)?(?:\\s+where\\s[^=]*)?\\s*=(?![=>])",
    ),
    { ...linePattern("constant", "^\\s*(?:global\\s+)?const\\s+(\\w+)\\s*="), isInline: true },
  ],
  // Functions of other modules are indexed as members of them: `Base.show(…) = …`.
  split: splitQualified,
};
