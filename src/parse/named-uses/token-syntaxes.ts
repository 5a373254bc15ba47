// Comments, texts and names that several languages write alike.

/** Sources of regular expressions. All match in linear time, and an unclosed one matches to the end of its line or of the text. */
export const HASH_COMMENT = "#[^\\n]*";
export const SLASH_COMMENT = "//[^\\n]*|/\\*[^]*?(?:\\*/|$)";
export const SEMICOLON_COMMENT = ";[^\\n]*";
export const PERCENT_COMMENT = "%[^\\n]*";
export const DASH_COMMENT = "--[^\\n]*|/\\*[^]*?(?:\\*/|$)";
/** In double quotes, on one line. */
export const TEXT = '"[^"\\\\\\n]*(?:\\\\[^][^"\\\\\\n]*)*"?';
/** In double quotes, on several lines. */
export const LONG_TEXT = '"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?';
/** In single quotes, on one line. */
export const SINGLE_TEXT = "'[^'\\\\\\n]*(?:\\\\[^][^'\\\\\\n]*)*'?";
/** In double quotes, which are doubled inside. */
export const DOUBLED_TEXT = '"(?:[^"\\n]|"")*"?';
/** The same in single quotes. */
export const DOUBLED_SINGLE_TEXT = "'(?:[^'\\n]|'')*'?";
export const TRIPLE_TEXT = '"""[^]*?(?:"""|$)';
export const TRIPLE_SINGLE_TEXT = "'''[^]*?(?:'''|$)";
/** `'a'`, `'\\n'`: not the quote of a type parameter or of a name. */
export const CHARACTER = "'(?:\\\\[^][^'\\n]{0,8}|[^'\\\\\\n])'";
export const PLAIN_NAME = "[\\p{L}_][\\p{L}\\p{N}_]*";
