// Reads the statements of Swift.

import { isDeclaration, readDeclaration } from "./declarations.ts";
import { readConditions, readPattern } from "./patterns.ts";
import { addStep, type SwiftFile } from "./swift-file.ts";
import { NAME, WORD } from "./tokens.ts";
import { readValueType } from "./types.ts";

/** Longer patterns of loops are no code. */
const MAX_PATTERN_TOKENS = 200;

/** Reads statements and declarations up to the token with an index. */
export function readStatements(file: SwiftFile, end: number): void {
  while (file.at < end && file.kind !== 0) {
    const before = file.at;
    readStatement(file);
    if (file.at === before) file.at += 1;
  }
}

function readStatement(file: SwiftFile): void {
  if (isDeclaration(file)) {
    readDeclaration(file);
    return;
  }
  if (file.kind !== WORD) {
    // A label before a loop.
    if (file.kind === NAME && file.kindAt(1) === 58) file.at += 2;
    else readAssignment(file);
    return;
  }
  const read = STATEMENTS[file.text];
  if (read === undefined) {
    readAssignment(file);
    return;
  }
  file.at += 1;
  read(file);
}

function readAssignment(file: SwiftFile): void {
  file.read.expression(file);
}

const STATEMENTS: Readonly<Record<string, (file: SwiftFile) => void>> = {
  if: readIf,
  guard: readIf,
  while: readIf,
  for: readFor,
  switch: readSwitch,
  do: readDo,
  defer: readBlock,
  else: readBlock,
  repeat: readBlock,
  catch: readCatch,
  return: readReturn,
  throw: (file) => {
    file.read.expression(file, "@Error");
  },
  break: skipLabel,
  continue: skipLabel,
  fallthrough: () => {},
};

/** Reads `if`, `switch` and `do` as values. */
export function readBranches(file: SwiftFile): void {
  const read = STATEMENTS[file.text];
  file.at += 1;
  read?.(file);
}

/** Reads a block in a scope of its own. */
function readBlock(file: SwiftFile): void {
  if (file.kind !== 123) return;
  const end = file.closer();
  const { isCondition } = file;
  file.isCondition = false;
  file.at += 1;
  file.inScope(() => readStatements(file, end), end);
  file.at = end + 1;
  file.isCondition = isCondition;
}

function skipLabel(file: SwiftFile): void {
  if (file.kind === NAME && !file.isFirstOnLine) file.at += 1;
}

function readReturn(file: SwiftFile): void {
  if (file.kind === 125 || (file.isFirstOnLine && file.kind === WORD)) return;
  file.read.expression(file, file.result);
}

/** `if`, `guard` and `while`. What `guard` binds is visible after it. */
function readIf(file: SwiftFile): void {
  const isGuard = file.is("guard", -1);
  if (isGuard) {
    readConditions(file);
    file.takeWord("else");
    readBlock(file);
    return;
  }
  file.inScope(() => {
    readConditions(file);
    readBlock(file);
  });
  while (file.takeWord("else")) {
    if (file.takeWord("if")) readIf(file);
    else readBlock(file);
  }
}

function readFor(file: SwiftFile): void {
  file.inScope(() => {
    while (file.is("try") || file.is("await")) file.at += 1;
    const isCase = file.takeWord("case");
    const start = file.at;
    // The pattern is read after the value: its names have the type of the elements.
    let depth = 0;
    const limit = start + MAX_PATTERN_TOKENS;
    while (file.kind !== 0 && file.at < limit && !(depth === 0 && file.is("in"))) {
      if (file.kind === 40) depth += 1;
      if (file.kind === 41) depth -= 1;
      if (file.kind === 123) break;
      file.at += 1;
    }
    const { isCondition } = file;
    file.isCondition = true;
    file.takeWord("in");
    const value = file.read.expression(file);
    const end = file.at;
    file.at = start;
    readPattern(file, addStep(value, "[]"), !isCase);
    if (file.take(58)) readValueType(file);
    file.at = end;
    if (file.takeWord("where")) file.read.expression(file);
    file.isCondition = isCondition;
    readBlock(file);
  });
}

function readSwitch(file: SwiftFile): void {
  const { isCondition } = file;
  file.isCondition = true;
  const value = file.read.expression(file);
  file.isCondition = false;
  if (file.kind !== 123) return;
  const end = file.closer();
  file.at += 1;
  while (file.at < end) {
    const before = file.at;
    readSwitchCase(file, value, end);
    if (file.at === before) file.at += 1;
  }
  file.at = end + 1;
  file.isCondition = isCondition;
}

function readSwitchCase(file: SwiftFile, value: string, end: number): void {
  while (file.kind === 64) file.at += 2;
  file.inScope(() => {
    if (file.takeWord("case")) {
      do {
        readPattern(file, value);
        if (file.takeWord("where")) file.read.expression(file);
      } while (file.take(44));
    } else if (!file.takeWord("default")) {
      file.at += 1;
      return;
    }
    file.take(58);
    while (file.at < end && !startsCase(file)) {
      const before = file.at;
      readStatement(file);
      if (file.at === before) file.at += 1;
    }
  });
}

function startsCase(file: SwiftFile): boolean {
  return file.is("case") || (file.is("default") && file.kindAt(1) === 58);
}

function readDo(file: SwiftFile): void {
  if (file.takeWord("throws") && file.kind === 40) file.skipBrackets();
  readBlock(file);
  while (file.takeWord("catch")) readCatch(file);
}

function readCatch(file: SwiftFile): void {
  file.inScope(() => {
    file.declare("error");
    const { isCondition } = file;
    file.isCondition = true;
    while (file.kind !== 123 && file.kind !== 0) {
      const before = file.at;
      readPattern(file, "");
      if (file.takeWord("where")) file.read.expression(file);
      file.take(44);
      if (file.at === before) break;
    }
    file.isCondition = isCondition;
    readBlock(file);
  });
}
