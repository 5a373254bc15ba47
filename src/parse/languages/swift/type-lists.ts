// Tells lists of type arguments in expressions from comparisons.

import type { SwiftFile } from "./swift-file.ts";
import { NAME, NUMBER, OPERATOR, STRING, WORD } from "./tokens.ts";

/** Longer lists are taken for comparisons. */
const MAX_TOKENS = 80;
/** Operators in types. */
const IN_TYPES = /^(?:->|[?!&])$/;
/** Dots, commas, colons and attributes. */
const PUNCTUATION = new Set([46, 44, 58, 64]);

/** Returns whether the `<` at the current token begins a list of type arguments. */
export function hasTypeArguments(file: SwiftFile): boolean {
  let depth = 0;
  for (let offset = 0; offset < MAX_TOKENS; offset += 1) {
    const kind = file.kindAt(offset);
    if (kind === OPERATOR) {
      const change = changeOfDepth(file.textAt(offset));
      if (change === undefined) return false;
      depth += change;
      if (depth <= 0) return followsType(file, offset + 1);
    } else if (kind === 40 || kind === 91) offset = file.closer(file.at + offset) - file.at;
    else if (!isInType(file, offset)) return false;
  }
  return false;
}

/** Returns how many lists an operator opens, or closes if it is negative; undefined if it is in no type. */
function changeOfDepth(operator: string): number | undefined {
  if (operator === "<") return 1;
  if (IN_TYPES.test(operator)) return 0;
  return /^>+[?!]?$/.test(operator) ? -operator.replace(/[^>]/g, "").length : undefined;
}

function isInType(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  if (kind === NAME || PUNCTUATION.has(kind)) return true;
  return file.is("Self", offset) || file.is("throws", offset);
}

/** Whether a token may follow a type in an expression. */
function followsType(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  if (kind === NAME || kind === NUMBER || kind === STRING) return false;
  return kind !== WORD || file.is("as", offset);
}
