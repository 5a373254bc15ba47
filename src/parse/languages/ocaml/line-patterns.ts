import { linePattern, type LinePatterns } from "../line-pattern.ts";

export const OCAML_LINES: LinePatterns = {
  patterns: [
    linePattern("module", "^\\s*module\\s+(?:rec\\s+)?(?:type\\s+(?!of\\b))?([A-Z][\\w']*)"),
    linePattern(
      "type",
      "^\\s*(?:type|exception)\\s+(?:nonrec\\s+)?(?:[+-]?'\\w+\\s+|\\([^)]*\\)\\s*)?(?!nonrec\\b)([\\w'.]+)",
    ),
    // Code that runs when the module is loaded. It defines no global names.
    { ...linePattern("function", "^\\s*let\\s+(\\(\\)|_)\\s*="), isSymbol: false },
    linePattern(
      "class",
      "^\\s*class\\s+(?:virtual\\s+|type\\s+)*(?:\\[[^\\]]*\\]\\s*)?([a-z_][\\w']*)",
    ),
    linePattern(
      "function",
      "^\\s*(?:let|and|val|external|method)(?:%\\w+|\\[@[^\\]]*\\])?[!]?\\s+(?:(?:rec|virtual|private|mutable)\\s+)*([a-z_][\\w']*|\\(\\s*[^\\w\\s()'\"]+\\s*\\))(?!\\s*\\.)",
    ),
  ],
};
