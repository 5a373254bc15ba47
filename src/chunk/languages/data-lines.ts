// What is defined in files that hold no code: keys, selectors, headings.
import { pattern, type LinePatterns } from "./line-pattern.ts";

/** Of one file; a style sheet or a lock file with more is looked through as text. */
const MOST_SYMBOLS = 300;

/** Tables, and the keys of the outermost level of each. */
export const TOML: LinePatterns = {
  patterns: [
    pattern("section", "^\\s*\\[+\\s*([^[\\]\\s][^\\]]*)\\]"),
    { ...pattern("section", '^([\\w.-]+|"[^"]+")\\s*=(?!=)'), isInline: true },
  ],
  untilNext: true,
  limit: MOST_SYMBOLS,
};

/** Selectors, mixins, functions, animations, variables and custom properties; also of SCSS and Less. */
export const CSS: LinePatterns = {
  patterns: [
    pattern("function", "^[@](?:mixin|function)\\s+([\\w-]+)"),
    pattern(
      "section",
      "^@(?:-\\w+-)?(?:keyframes|property|layer|container|counter-style)\\s+([\\w.-]+)[^;]*$",
    ),
    { ...pattern("constant", "^\\s*(--[\\w-]+)\\s*:"), isInline: true },
    { ...pattern("constant", "^([$@][\\w-]+)\\s*:"), isInline: true },
    { ...pattern("section", "^(@[^{};]*)\\{"), isSymbol: false },
    pattern("section", "^([^\\s{}/*@][^{}]*)\\{"),
  ],
  limit: MOST_SYMBOLS,
};

/** Headings, elements with an id, and the blocks and macros of templates. */
export const HTML: LinePatterns = {
  patterns: [
    pattern("section", "<h[1-6][^>]{0,200}>\\s*(?:<[^>]{0,200}>\\s*){0,9}([^<>\\s][^<>]*)", "iu"),
    {
      ...pattern("section", "<[a-z][\\w-]*\\s(?:[^>]*\\s)?id=[\"']?([\\w:.-]+)", "iu"),
      isInline: true,
    },
    { ...pattern("function", "\\{%-?\\s*macro\\s+([\\w.]+)"), isInline: true },
    { ...pattern("section", "\\{%-?\\s*block\\s+([\\w.]+)"), isInline: true },
  ],
  untilNext: true,
  limit: MOST_SYMBOLS,
};
