import { splitQualified } from "../language.ts";
import { pattern, type LinePatterns } from "../line-pattern.ts";

export const JULIA: LinePatterns = {
  patterns: [
    pattern("class", "^\\s*(?:@\\w+\\s+)*(?:mutable\\s+)?struct\\s+(\\w+)"),
    pattern("type", "^\\s*(?:abstract|primitive)\\s+type\\s+(\\w+)"),
    pattern("module", "^\\s*(?:bare)?module\\s+(\\w+)"),
    pattern("function", "^\\s*(?:@\\w+\\s+)*(?:function|macro)\\s+([\\w.!]+)"),
    pattern(
      "function",
      "^\\s*(?:@\\w+\\s+)*([A-Za-z_][\\w.]*!?)(?:\\{[^}]*\\})?\\([^=]*\\)(?:::[\\w.{}, ]+)?(?:\\s+where\\s[^=]*)?\\s*=(?!=)",
    ),
    { ...pattern("constant", "^\\s*(?:global\\s+)?const\\s+(\\w+)\\s*="), isInline: true },
  ],
  // Functions that others own are defined as members of their modules: `Base.show(…) = …`.
  split: splitQualified,
};
