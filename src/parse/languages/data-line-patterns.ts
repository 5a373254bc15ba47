// Line patterns of files without code: keys, selectors.
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
