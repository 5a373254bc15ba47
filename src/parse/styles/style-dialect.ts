// The dialects of style sheets.

/** "css": without variables of its own; "scss": Sass; "less". */
export type StyleDialect = "css" | "scss" | "less";

/** How a style sheet is written. */
export interface StyleSyntax {
  readonly dialect: StyleDialect;
  /** Blocks are indented instead of in braces. */
  readonly isIndented: boolean;
}

const CSS: StyleSyntax = { dialect: "css", isIndented: false };
const SYNTAXES: Readonly<Record<string, StyleSyntax>> = {
  css: CSS,
  postcss: CSS,
  pcss: CSS,
  scss: { dialect: "scss", isIndented: false },
  sass: { dialect: "scss", isIndented: true },
  less: { dialect: "less", isIndented: false },
};

/** Returns the syntax of a style sheet by the end of its name, or by the `lang` of its element; undefined if svc does not read it. */
export function styleSyntax(ending: string): StyleSyntax | undefined {
  const known = ending.toLowerCase();
  return Object.hasOwn(SYNTAXES, known) ? SYNTAXES[known] : undefined;
}
