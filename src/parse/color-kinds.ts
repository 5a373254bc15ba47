/** What a colored piece of code is. Its number is its index here. */
export const COLOR_KINDS = [
  "comment",
  "string",
  "literal",
  "keyword",
  "type",
  "function",
  "property",
] as const;
