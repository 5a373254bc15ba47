// Reads the patterns and conditions of Swift, and declares the names that they bind.

import { receiverOf, addStep, type SwiftFile } from "./swift-file.ts";
import { NAME, WORD } from "./tokens.ts";
import { readTypeArguments, readValueType } from "./types.ts";

/** Reads a pattern. `value`: what it matches, as an expression. `binds`: whether names are declared: after `let`. */
export function readPattern(file: SwiftFile, value: string, binds = false): void {
  file.nested(() => readPatternWithin(file, value, binds));
  while ((file.is("?") || file.is("!")) && file.isAdjacent()) file.takeCharacter();
}

function readPatternWithin(file: SwiftFile, value: string, binds: boolean): void {
  if (file.is("let") || file.is("var")) {
    file.at += 1;
    readPatternWithin(file, value, true);
    return;
  }
  if (file.takeWord("is")) {
    readValueType(file);
    return;
  }
  if (file.kind === 40) readParts(file, () => "", binds);
  else if (file.kind === 46) readCase(file, value, binds);
  else if (isBinding(file, binds)) readBinding(file, value);
  else if (file.kind === NAME && isChain(file)) readCasePath(file, binds);
  else file.read.expression(file, value);
  if (file.is("as") && (file.kindAt(1) === NAME || file.kindAt(1) === 91)) {
    file.at += 1;
    readValueType(file);
  }
}

function isBinding(file: SwiftFile, binds: boolean): boolean {
  if (file.is("self")) return true;
  if (file.kind !== NAME || !(binds || file.is("_"))) return false;
  return file.kindAt(1) !== 46 && (file.kindAt(1) !== 40 || !file.isAdjacent(1));
}

function readBinding(file: SwiftFile, value: string): void {
  const { text } = file;
  file.at += 1;
  if (text === "self") return;
  let type = value;
  if (file.is("as") && file.kindAt(1) !== 0) {
    file.at += 1;
    type = readValueType(file);
  }
  file.declare(text, type);
}

/** Whether a name leads to a case with parts: `Shape.circle(let radius)`. */
function isChain(file: SwiftFile): boolean {
  let offset = 1;
  while (file.kindAt(offset) === 46 && file.kindAt(offset + 1) === NAME) offset += 2;
  return offset > 1 && file.kindAt(offset) === 40 && file.isAdjacent(offset);
}

/** `Shape.circle(let radius)` */
function readCasePath(file: SwiftFile, binds: boolean): void {
  let value = file.text;
  const local = file.local(value);
  if (local === undefined) file.addUse(value, file.at, { role: "value" });
  else value = local.type;
  file.at += 1;
  while (file.kind === 46 && file.kindAt(2) === 46) {
    file.addUse(file.textAt(1), file.at + 1, { role: "value", receiver: receiverOf(value) });
    value = addStep(value, `.${file.textAt(1)}`);
    file.at += 2;
  }
  if (file.kind === 46) readCase(file, value, binds);
}

/** `.circle(let radius)` of the type of a value. */
function readCase(file: SwiftFile, value: string, binds: boolean): void {
  const name = file.textAt(1);
  const index = file.at + 1;
  if (file.kindAt(1) !== NAME && file.kindAt(1) !== WORD) {
    file.at += 1;
    return;
  }
  file.at += 2;
  readTypeArguments(file);
  if (file.kind !== 40 || !file.isAdjacent()) {
    file.addUse(name, index, { role: "value", receiver: receiverOf(value) });
    // `.name.member`, `.name...`
    while (file.kind === 46 && file.kindAt(1) === NAME) {
      file.addUse(file.textAt(1), file.at + 1, { role: "value", receiver: "?" });
      file.at += 2;
      if (file.kindAt(0) === 40 && file.isAdjacent()) readParts(file, () => "", binds);
    }
    return;
  }
  file.addUse(name, index, { role: "call", receiver: receiverOf(value) });
  const parts = addStep(value, `.${name}`);
  readParts(file, (key) => addStep(parts, `{${key}}`), binds);
}

function readParts(file: SwiftFile, valueOf: (key: string) => string, binds: boolean): void {
  const end = file.closer();
  file.at += 1;
  let index = 0;
  file.inBrackets(() => {
    while (file.at < end) {
      const isNamed = file.kind === NAME && file.kindAt(1) === 58;
      const key = isNamed ? file.text : String(index);
      if (isNamed) file.at += 2;
      readPattern(file, valueOf(key), binds);
      index += 1;
      while (file.at < end && file.kind !== 44) file.at += 1;
      file.take(44);
    }
  });
  file.at = end + 1;
}

/** Reads the conditions of `if`, `guard` and `while`, up to the block or `else`. */
export function readConditions(file: SwiftFile): void {
  const { isCondition } = file;
  file.isCondition = true;
  for (;;) {
    readCondition(file);
    if (!file.take(44)) break;
  }
  file.isCondition = isCondition;
}

function readCondition(file: SwiftFile): void {
  if (file.takeWord("case")) {
    // The value follows the pattern, and its type is needed before.
    const value = valueAfterPattern(file);
    readPattern(file, value);
    if (file.takeWord("=")) file.read.expression(file);
    return;
  }
  if (!file.is("let") && !file.is("var")) {
    file.read.expression(file);
    return;
  }
  file.at += 1;
  const { text, at, kind } = file;
  if (kind !== NAME) {
    readPattern(file, "", true);
    if (file.takeWord("=")) file.read.expression(file);
    return;
  }
  file.at += 1;
  const declared = file.take(58) ? readValueType(file) : "";
  if (file.takeWord("=")) {
    const value = file.read.expression(file, declared);
    file.declare(text, declared === "" ? value : declared);
    return;
  }
  // `if let name`
  const known = file.local(text);
  if (known !== undefined) return;
  file.addUse(text, at, { role: "value" });
  file.declare(text, text);
}

/** Returns the value that the pattern at the current token is compared with, if it is a simple name or member. */
function valueAfterPattern(file: SwiftFile): string {
  const { kinds } = file.tokens;
  let offset = 0;
  for (; offset < 60; offset += 1) {
    const kind = kinds[file.at + offset];
    if (kind === 40) offset = file.closer(file.at + offset) - file.at;
    else if (file.is("=", offset)) break;
    else if (kind === 123 || kind === 125 || kind === 0) return "";
  }
  return simpleValue(file, offset + 1);
}

/** Returns the value of a chain of names. */
function simpleValue(file: SwiftFile, start: number): string {
  let offset = start;
  let value = "";
  if (file.is("self", offset)) value = file.self;
  else if (file.kindAt(offset) === NAME) {
    const name = file.textAt(offset);
    const local = file.local(name);
    value = local === undefined ? name : local.type;
  }
  for (offset += 1; ; offset += 1) {
    if ((file.is("?", offset) || file.is("!", offset)) && file.isAdjacent(offset)) continue;
    if (file.kindAt(offset) !== 46) break;
    offset += 1;
    value = addStep(value, `.${file.textAt(offset)}`);
  }
  const next = file.kindAt(offset);
  const isWhole =
    next === 123 ||
    next === 44 ||
    file.is("else", offset) ||
    file.is("where", offset) ||
    file.is("&&", offset);
  return isWhole ? value : "";
}
