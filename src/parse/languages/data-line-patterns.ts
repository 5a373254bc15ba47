// Line patterns of files without code: keys, selectors, headings.
import { linePattern, type LinePatterns } from "./line-pattern.ts";

/** Maximum symbols per file. Further ones of a style sheet or lock file are not indexed as symbols. */
const MAX_SYMBOLS = 300;

/** Tables, and the top-level keys of each. */
export const TOML_LINES: LinePatterns = {
  patterns: [
    linePattern("section", "^\\s*\\[+\\s*([^[\\]\\s][^\\]]*)\\]"),
    { ...linePattern("section", '^([\\w.-]+|"[^"]+")\\s*=(?!=)'), isInline: true },
  ],
  untilNext: true,
  limit: MAX_SYMBOLS,
};

/** Selectors, mixins, functions, animations, variables and custom properties; also of SCSS and Less. */
export const CSS_LINES: LinePatterns = {
  patterns: [
    linePattern("function", "^[@](?:mixin|function)\\s+([\\w-]+)"),
    linePattern(
      "section",
      "^@(?:-\\w+-)?(?:keyframes|property|layer|container|counter-style)\\s+([\\w.-]+)[^;]*$",
    ),
    { ...linePattern("constant", "^\\s*(--[\\w-]+)\\s*:"), isInline: true },
    { ...linePattern("constant", "^([$@][\\w-]+)\\s*:"), isInline: true },
    { ...linePattern("section", "^(@[^{};]*)\\{"), isSymbol: false },
    linePattern("section", "^([^\\s{}/*@][^{}]*)\\{"),
  ],
  limit: MAX_SYMBOLS,
};

/** Headings, elements with an id, and the blocks and macros of templates. */
export const HTML_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "section",
      "<h[1-6][^>]{0,200}>\\s*(?:<[^>]{0,200}>\\s*){0,9}([^<>\\s][^<>]*)",
      "iu",
    ),
    {
      ...linePattern("section", "<[a-z][\\w-]*\\s(?:[^>]*\\s)?id=[\"']?([\\w:.-]+)", "iu"),
      isInline: true,
    },
    { ...linePattern("function", "\\{%-?\\s*macro\\s+([\\w.]+)"), isInline: true },
    { ...linePattern("section", "\\{%-?\\s*block\\s+([\\w.]+)"), isInline: true },
  ],
  untilNext: true,
  limit: MAX_SYMBOLS,
};
