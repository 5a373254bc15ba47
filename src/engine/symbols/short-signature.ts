/** Modifiers of visibility, which are redundant because listed definitions are mostly public. */
const MODIFIERS = /^(?:(?:export|default|declare|public|pub(?:\([^)]*\))?)\s+)+/;
/** Keywords that repeat the kind. */
const KEYWORDS: Readonly<Record<string, RegExp>> = {
  function: /^(?:function\*?|def|fn|func|fun|sub)\s+/,
  method: /^(?:function\*?|def|fn|func|fun|sub)\s+/,
  class: /^class\s+/,
  type: /^type\s+/,
  constant: /^(?:const|val|final)\s+/,
  module: /^(?:module|namespace|package|mod)\s+/,
};

/** The signature to show after the kind, without redundant modifiers and keywords. */
export function shortSignature({ kind, signature }: { kind: string; signature: string }): string {
  return withoutModifiers(signature).replace(KEYWORDS[kind] ?? /^(?!)/, "");
}

/** The signature without `export`, `public` and the like. */
export function withoutModifiers(signature: string): string {
  return signature.replace(MODIFIERS, "");
}
