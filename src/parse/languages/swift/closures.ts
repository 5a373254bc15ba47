// Reads the function literals of Swift.

import type { SwiftFile } from "./swift-file.ts";
import { NAME, OPERATOR, WORD } from "./tokens.ts";
import { readValueType } from "./types.ts";

/** Longer heads are statements. */
const MAX_HEAD_TOKENS = 120;
const IN_HEAD = new Set(["throws", "rethrows", "inout", "Self", "self", "nil", "as", "try"]);
/** Dots, commas, colons and attributes. */
const PUNCTUATION = new Set([46, 44, 58, 64]);
/** Implicit parameters that are given types. */
const MAX_IMPLICIT = 3;

/** Reads a function literal whose parameters have unknown types. */
export function readClosureValue(file: SwiftFile): void {
  file.read.closure(file, () => "");
}

/** Reads a function literal. `parameter`: the type of each parameter that declares none. */
export function readClosure(file: SwiftFile, parameter: (index: number) => string): void {
  const end = file.closer();
  const { isCondition, result } = file;
  file.isCondition = false;
  file.result = "";
  file.at += 1;
  file.inScope(() => {
    if (hasHead(file, end)) readHead(file, parameter);
    else for (let at = 0; at < MAX_IMPLICIT; at += 1) file.declare(`$${at}`, parameter(at));
    file.read.statements(file, end);
  }, end);
  file.at = end + 1;
  file.isCondition = isCondition;
  file.result = result;
}

/** Whether a literal begins with captures or parameters, which end with `in`. */
function hasHead(file: SwiftFile, end: number): boolean {
  for (let offset = 0; offset < MAX_HEAD_TOKENS && file.at + offset < end; offset += 1) {
    const kind = file.kindAt(offset);
    if (kind === WORD && file.is("in", offset)) return true;
    if (kind === 40 || kind === 91) offset = file.closer(file.at + offset) - file.at;
    else if (!isInHead(file, offset)) return false;
  }
  return false;
}

function isInHead(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  if (kind === WORD) return IN_HEAD.has(file.textAt(offset));
  if (kind === OPERATOR) return /^(?:->|[?!<>&]+|=)$/.test(file.textAt(offset));
  return kind === NAME || PUNCTUATION.has(kind);
}

function readHead(file: SwiftFile, parameter: (index: number) => string): void {
  while (file.kind === 64) {
    file.at += 2;
    if (file.kindAt(0) === 40 && file.isAdjacent()) file.skipBrackets();
  }
  if (file.kind === 91) readCaptures(file);
  if (file.kind === 40) {
    const end = file.closer();
    file.at += 1;
    readParameters(file, end, parameter);
    file.at = end + 1;
  } else readParameters(file, file.tokens.kinds.length, parameter);
  while (!file.is("in") && file.kind === NAME) file.at += 1;
  if (file.takeWord("throws") && file.kind === 40) file.skipBrackets();
  if (file.is("->")) {
    file.at += 1;
    file.result = readValueType(file);
  }
  while (!file.takeWord("in") && file.kind !== 125 && file.kind !== 0) file.at += 1;
}

function readParameters(file: SwiftFile, end: number, parameter: (index: number) => string): void {
  let index = 0;
  while (file.at < end && (file.kind === NAME || file.kind === 40 || file.kind === WORD)) {
    if (file.is("in") || file.is("throws") || file.is("async")) return;
    let name = file.text;
    if (file.kind === 40) {
      file.skipBrackets();
      name = "_";
    } else file.at += 1;
    if (file.kind === NAME && file.kindAt(1) === 58) {
      name = file.text;
      file.at += 1;
    }
    const declared = file.take(58) ? readValueType(file) : parameter(index);
    file.declare(name, declared);
    index += 1;
    if (!file.take(44)) return;
  }
}

/** `[weak self, name = value]` */
function readCaptures(file: SwiftFile): void {
  const end = file.closer();
  file.at += 1;
  while (file.at < end) {
    while (
      file.kind === NAME &&
      (file.kindAt(1) === NAME || file.is("self", 1) || file.kindAt(1) === 40)
    ) {
      file.at += 1;
      if (file.kindAt(0) === 40) file.skipBrackets();
    }
    const { text, at } = file;
    file.at += 1;
    if (file.takeWord("=")) file.declare(text, file.read.expression(file));
    else if (text !== "self" && file.local(text) === undefined) {
      file.addUse(text, at, { role: "value" });
      file.declare(text, text);
    }
    while (file.at < end && file.kind !== 44) file.at += 1;
    file.take(44);
  }
  file.at = end + 1;
}
