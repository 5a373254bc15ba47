/** What says that a definition can be used from elsewhere, which those that are listed nearly always can. */
const MODIFIERS = /^(?:(?:export|default|declare|public|pub(?:\([^)]*\))?)\s+)+/;
/** Keywords that say no more than the kind before them. */
const KEYWORDS: Readonly<Record<string, RegExp>> = {
  function: /^(?:function\*?|def|fn|func|fun|sub)\s+/,
  method: /^(?:function\*?|def|fn|func|fun|sub)\s+/,
  class: /^class\s+/,
  type: /^type\s+/,
  constant: /^(?:const|val|final)\s+/,
  module: /^(?:module|namespace|package|mod)\s+/,
};

/** The signature to be shown behind the kind: without what everybody expects. */
export function shortSignature({ kind, signature }: { kind: string; signature: string }): string {
  return withoutModifiers(signature).replace(KEYWORDS[kind] ?? /^(?!)/, "");
}

/** The signature without `export`, `public` and the like. */
export function withoutModifiers(signature: string): string {
  return signature.replace(MODIFIERS, "");
}
