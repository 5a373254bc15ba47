import { pattern, type LinePatterns } from "../line-pattern.ts";

export const OCAML: LinePatterns = {
  patterns: [
    pattern("module", "^\\s*module\\s+(?:rec\\s+)?(?:type\\s+(?!of\\b))?([A-Z][\\w']*)"),
    pattern(
      "type",
      "^\\s*(?:type|exception)\\s+(?:nonrec\\s+)?(?:[+-]?'\\w+\\s+|\\([^)]*\\)\\s*)?(?!nonrec\\b)([\\w'.]+)",
    ),
    // What runs when the module is loaded; its names are local.
    { ...pattern("function", "^\\s*let\\s+(\\(\\)|_)\\s*="), isSymbol: false },
    pattern(
      "class",
      "^\\s*class\\s+(?:virtual\\s+|type\\s+)*(?:\\[[^\\]]*\\]\\s*)?([a-z_][\\w']*)",
    ),
    pattern(
      "function",
      "^\\s*(?:let|and|val|external|method)(?:%\\w+)?[!]?\\s+(?:(?:rec|virtual|private|mutable)\\s+)*([a-z_][\\w']*|\\(\\s*[^\\w\\s()'\"]+\\s*\\))(?!\\s*\\.)",
    ),
  ],
};
