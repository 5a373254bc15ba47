// Reads functions, variables and the cases of enums.

import type { Declared, SwiftFile } from "./swift-file.ts";
import { readParameters } from "./parameters.ts";
import { readPattern } from "./patterns.ts";
import { NAME, OPERATOR, WORD } from "./tokens.ts";
import { FUNCTION_TYPE, readType, readTypeParameters, readValueType, readWhere } from "./types.ts";

const ACCESSORS = new Set(
  "get set willSet didSet _read _modify unsafeAddress unsafeMutableAddress init".split(" "),
);
/** Accessors with an implicit parameter. */
const IMPLICIT: Readonly<Record<string, string>> = {
  set: "newValue",
  willSet: "newValue",
  didSet: "oldValue",
  init: "newValue",
};
const EFFECTS = new Set(["async", "throws", "rethrows", "reasync"]);

/** What is known of a declaration before its name. */
export type DeclarationHead = Pick<Declared, "access" | "start" | "head">;

/** Adds the symbol of a declaration; -1 where it is local. */
function addSymbol(file: SwiftFile, declared: Declared): number {
  return file.isInFunction ? -1 : file.addSymbol(declared);
}

/** Reads a part of a declaration, whose uses belong to its symbol. */
function within(file: SwiftFile, number: number, read: () => void): void {
  const { owner } = file;
  if (number !== -1) file.owner = number;
  read();
  file.owner = owner;
}

/** Reads a function after `func`. */
export function readFunction(file: SwiftFile, head: DeclarationHead): void {
  const { text: name, at: nameIndex } = file;
  file.at += 1;
  // `func ==<T>(…)`
  let operator = name;
  if (
    file.tokens.kinds[nameIndex] === OPERATOR &&
    name.length > 1 &&
    name.endsWith("<") &&
    file.kind === NAME
  ) {
    operator = name.slice(0, -1);
    file.at -= 1;
    file.tokens.starts[nameIndex] = (file.tokens.ends[nameIndex] ?? 0) - 1;
  }
  if (file.isInFunction) file.declare(operator);
  readCallable(file, { ...head, name: operator, nameIndex, kind: functionKind(file) }, "result");
}

/** Reads `init`, `deinit` or `subscript`. */
export function readSpecial(file: SwiftFile, head: DeclarationHead): void {
  const { text: name, at: nameIndex } = file;
  file.at += 1;
  while (file.is("?") || file.is("!")) file.takeCharacter();
  const declared: Declared = { ...head, name, nameIndex, kind: functionKind(file) };
  readCallable(file, declared, name === "init" ? "own" : "result");
}

function functionKind({ container }: SwiftFile): "method" | "function" {
  return container.kind === "none" ? "function" : "method";
}

/** `returns`: "own" if it returns an object of the type around. */
function readCallable(file: SwiftFile, declared: Declared, returns: "own" | "result"): void {
  const number = addSymbol(file, declared);
  within(file, number, () => {
    file.inScope(() => {
      readTypeParameters(file);
      const parameters = readParameters(file);
      const result = readResult(file);
      readWhere(file);
      if (number !== -1) {
        file.signatures[number] = parameters;
        file.types[number] = returns === "own" ? file.self : result;
        file.endHead(number);
      }
      readBody(file, result);
    });
  });
  file.endSymbol(number);
}

/** Reads `async throws -> Type`. Returns the type. */
function readResult(file: SwiftFile): string {
  while (EFFECTS.has(file.text) && (file.kind === NAME || file.kind === WORD)) {
    file.at += 1;
    if (file.kindAt(0) === 40) {
      file.at += 1;
      readType(file);
      file.take(41);
    }
  }
  if (!file.is("->")) return "";
  file.at += 1;
  return readValueType(file);
}

/** Reads the body of a function, of a subscript or of a property. */
function readBody(file: SwiftFile, result: string, isProperty = false): void {
  if (file.kind !== 123) return;
  const end = file.closer();
  const outer = {
    result: file.result,
    isInFunction: file.isInFunction,
    isCondition: file.isCondition,
  };
  file.result = result;
  file.isInFunction = true;
  file.isCondition = false;
  file.at += 1;
  file.inScope(() => {
    if (isAccessor(file)) readAccessors(file, end, result);
    else if (isProperty && file.container.kind === "protocol") file.at = end;
    else file.read.statements(file, end);
  }, end);
  file.at = end + 1;
  Object.assign(file, outer);
}

function isAccessor(file: SwiftFile): boolean {
  let offset = 0;
  while (file.kindAt(offset) === 64) offset += 2;
  while (/^(?:mutating|nonmutating|private|internal|fileprivate)$/.test(file.textAt(offset)))
    offset += 1;
  if (!ACCESSORS.has(file.textAt(offset))) return false;
  const next = file.kindAt(offset + 1);
  return (
    next === 123 ||
    next === 125 ||
    (next === 40 && file.isAdjacent(offset + 1)) ||
    EFFECTS.has(file.textAt(offset + 1)) ||
    ACCESSORS.has(file.textAt(offset + 1)) ||
    file.is("mutating", offset + 1) ||
    file.is("nonmutating", offset + 1)
  );
}

function readAccessors(file: SwiftFile, end: number, type: string): void {
  while (file.at < end) {
    const { text } = file;
    file.at += 1;
    if (!ACCESSORS.has(text)) continue;
    file.inScope(() => {
      const implicit = IMPLICIT[text];
      if (implicit !== undefined) file.declare(implicit, type);
      if (file.kind === 40) {
        file.declare(file.textAt(1), type);
        file.skipBrackets();
      }
      while (file.kind !== 123 && file.at < end && !ACCESSORS.has(file.text)) file.at += 1;
      if (file.kind !== 123) return;
      const close = file.closer();
      const { result } = file;
      file.result = text === "get" ? type : "";
      file.at += 1;
      file.read.statements(file, close);
      file.result = result;
      file.at = close + 1;
    });
  }
}

/** Reads the names after `let` and `var`. */
export function readVariables(file: SwiftFile, head: DeclarationHead): void {
  let { start } = head;
  for (;;) {
    if (file.kind === NAME) readVariable(file, { ...head, start });
    else if (file.kind === 40) readTuple(file, { ...head, start });
    else return;
    if (file.kindAt(0) !== 44) return;
    file.at += 1;
    start = file.at;
  }
}

function readVariable(file: SwiftFile, head: DeclarationHead): void {
  const { text: name, at: nameIndex } = file;
  const kind = file.container.kind === "none" ? "constant" : "field";
  const number = addSymbol(file, { ...head, name, nameIndex, kind });
  file.at += 1;
  let type = "";
  within(file, number, () => {
    const declared = file.take(58) ? readType(file) : "";
    type = declared.startsWith(FUNCTION_TYPE) ? "" : declared;
    if (number !== -1 && declared !== type) file.signatures[number] = declared;
    if (number !== -1 && type !== "") file.types[number] = type;
    if (file.takeWord("=")) {
      file.endHead(number);
      const outer = file.isInFunction;
      file.isInFunction = true;
      file.inScope(() => {
        const value = file.read.expression(file, type);
        if (declared === "") type = value;
      });
      file.isInFunction = outer;
      if (number !== -1) file.types[number] = type;
    }
    if (file.kind === 123) {
      file.endHead(number);
      readBody(file, type, true);
    }
  });
  if (file.isInFunction) file.declare(name, type);
  file.endSymbol(number);
}

/** `let (a, b) = …` */
function readTuple(file: SwiftFile, head: DeclarationHead): void {
  const end = file.closer();
  for (let index = file.at + 1; index < end && !file.isInFunction; index += 1) {
    if (file.tokens.kinds[index] !== NAME) continue;
    const kind = file.container.kind === "none" ? "constant" : "field";
    file.addSymbol({ ...head, name: file.tokens.textOf(index), nameIndex: index, kind });
  }
  const start = file.at;
  file.at = end + 1;
  if (file.take(58)) readType(file);
  if (file.takeWord("=")) file.read.expression(file);
  const after = file.at;
  file.at = start;
  if (file.isInFunction) readPattern(file, "", true);
  file.at = after;
}

/** Reads the cases after `case` in an enum. */
export function readCases(file: SwiftFile, head: DeclarationHead): void {
  let { start } = head;
  while (file.kind === NAME || file.kind === WORD) {
    const { text: name, at: nameIndex } = file;
    const number = addSymbol(file, { ...head, start, name, nameIndex, kind: "constant" });
    file.at += 1;
    within(file, number, () => {
      const isWithParts = file.kind === 40;
      const parameters = isWithParts ? readParameters(file, { isCase: true }) : "";
      if (number !== -1) {
        file.signatures[number] = parameters;
        file.types[number] = file.self;
      }
      if (file.takeWord("=")) file.read.expression(file);
    });
    file.endSymbol(number);
    if (!file.take(44)) return;
    start = file.at;
  }
}
