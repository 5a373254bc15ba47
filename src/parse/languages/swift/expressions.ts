// Reads the expressions of Swift: returns their values, and adds the uses in them.

import { labelsAhead, readArguments, readTrailing, labelsOf, type Callee } from "./calls.ts";
import { readClosureValue } from "./closures.ts";
import { bounded, receiverOf, addStep, type SwiftFile } from "./swift-file.ts";
import {
  NAME,
  NUMBER,
  OPERATOR,
  OPEN_INTERPOLATION,
  CLOSE_INTERPOLATION,
  REGEX,
  STRING,
  WORD,
} from "./tokens.ts";
import { hasTypeArguments } from "./type-lists.ts";
import { readTypeArguments, readValueType, typeWithArguments } from "./types.ts";

const BOOL = "@Bool";
/** Operators of the standard library. Others may be of the project. */
const STANDARD = new Set(
  "= + - * / % += -= *= /= %= == != === !== < > <= >= && || ! ?? ... ..< & | ^ ~ << >> &+ &- &* &= |= ^= <<= >>= ~= -> &&= ||= &<< &>>".split(
    " ",
  ),
);
const COMPARISONS = new Set("== != === !== < > <= >= ~= && ||".split(" "));
/** Words before an expression. */
const BEFORE = new Set(["await", "consume", "copy", "each", "repeat"]);
const BUILT_IN_MACROS = new Set(
  `file fileID filePath line column function dsohandle selector keyPath colorLiteral imageLiteral fileLiteral isolation
   externalMacro Preview expect require`.split(/\s+/),
);
const META = new Set(["self", "Type", "Protocol"]);

/** A value whose name may still be called. */
interface Value extends Callee {
  /** The name that the value ends with, which is not yet a use. Its index is -1 if there is none. */
  readonly name: string;
  readonly index: number;
  readonly receiver: string;
}

const UNKNOWN: Value = { expression: "", name: "", index: -1, receiver: "" };

/** Reads an expression with its operators. */
export function readExpression(file: SwiftFile, expected = ""): string {
  return file.nested(() => readOperators(file, expected)) ?? "";
}

function readOperators(file: SwiftFile, expected: string): string {
  let value = readOperand(file, expected);
  // What is compared: in `a && b == .c`, only `b`.
  let last = value;
  for (;;) {
    const { at } = file;
    if (file.takeWord("as")) {
      if (file.is("?") || file.is("!")) file.takeCharacter();
      value = readValueType(file);
    } else if (file.takeWord("is")) {
      readValueType(file);
      value = BOOL;
    } else if (file.is("?") && !file.isAdjacent()) {
      value = readTernary(file, expected);
    } else if (isBinary(file)) ({ value, last } = readBinary(file, value, last));
    if (file.at === at) return value;
  }
}

function readTernary(file: SwiftFile, expected: string): string {
  file.at += 1;
  const first = readExpression(file, expected);
  if (!file.take(58)) return first;
  return readExpression(file, expected) && first;
}

/** Whether the current token is an operator between two values. */
function isBinary(file: SwiftFile): boolean {
  if (file.kind !== OPERATOR) return false;
  const isSpacedBefore = !file.isAdjacent();
  const isSpacedAfter = !file.isAdjacent(1);
  return isSpacedBefore === isSpacedAfter;
}

/** `last`: the last operand of `left`. */
function readBinary(
  file: SwiftFile,
  left: string,
  last: string,
): { readonly value: string; readonly last: string } {
  const { text: operator, at } = file;
  file.at += 1;
  if (!STANDARD.has(operator)) file.addUse(operator, at, { role: "call" });
  const right = readOperand(file, last);
  if (operator === "??") {
    const value = left === "" ? right : left;
    return { value, last: value };
  }
  return { value: COMPARISONS.has(operator) ? BOOL : "", last: right };
}

/** Reads a value with its prefixes. */
function readOperand(file: SwiftFile, expected: string): string {
  for (;;) {
    if (file.takeWord("try")) {
      if (file.begins("?") || file.begins("!")) file.takeCharacter();
    } else if (file.kind === NAME && BEFORE.has(file.text) && startsValue(file, 1)) file.at += 1;
    else if (file.kind === OPERATOR && !file.isAdjacent(1)) {
      file.at += 1;
      return "";
    } else if (file.kind === OPERATOR) file.at += 1;
    else return readPostfix(file, readPrimary(file, expected));
  }
}

function startsValue(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  const isSameLine = file.tokens.lines[file.at + offset] === file.line;
  return (
    isSameLine &&
    (kind === NAME || kind === WORD || kind === 40 || kind === 46 || kind === 91) &&
    !(kind === 40 && file.isAdjacent(offset)) &&
    !(kind === 46 && file.isAdjacent(offset)) &&
    !file.is("as", offset) &&
    !file.is("is", offset) &&
    !file.is("in", offset) &&
    !file.is("else", offset)
  );
}

/** Adds the name of a value that nothing calls as a use. */
function finish(file: SwiftFile, value: Value, passed?: string): string {
  const { name, index, receiver } = value;
  if (index === -1) return value.expression;
  const role = passed === undefined ? "value" : "call";
  file.addUse(name, index, { role, receiver, passed });
  return value.expression;
}

function readPostfix(file: SwiftFile, start: Value): string {
  let value = start;
  for (;;) {
    const next = readNext(file, value);
    if (next === undefined) return finish(file, value);
    value = next;
  }
}

/** Reads what follows a value; undefined if nothing does. */
function readNext(file: SwiftFile, value: Value): Value | undefined {
  if (file.kind === 46) return readMember(file, value);
  if (file.isFirstOnLine) return undefined;
  if (file.kind === 40) return readCall(file, value);
  if (file.kind === 91 && file.isAdjacent()) return readElement(file, value);
  if (file.kind === 123) return isCalledWithBlock(file, value) ? readCall(file, value) : undefined;
  if (file.kind !== OPERATOR || !file.isAdjacent()) return undefined;
  return readSuffix(file, value);
}

/** Reads an operator after a value, or its type arguments. */
function readSuffix(file: SwiftFile, value: Value): Value | undefined {
  if (file.is("?") || file.is("!")) {
    file.takeCharacter();
    return { ...value };
  }
  if (file.is("<") && hasTypeArguments(file)) {
    const passed = readTypeArguments(file);
    const isType = /^\p{Lu}[\w.]*$/u.test(value.expression) && file.kind === 40;
    return isType
      ? { ...value, expression: bounded(typeWithArguments(`@${value.expression}`, passed)) }
      : { ...value };
  }
  const isSuffix = !isBinary(file) && (!STANDARD.has(file.text) || file.is("..."));
  if (!isSuffix) return undefined;
  file.at += 1;
  finish(file, value);
  return UNKNOWN;
}

function isCalledWithBlock(file: SwiftFile, { name, expression }: Value): boolean {
  if (file.isCondition) return false;
  return name !== "" || expression.endsWith(")") || expression === "";
}

function readMember(file: SwiftFile, value: Value): Value | undefined {
  const kind = file.kindAt(1);
  if (kind === NUMBER) {
    finish(file, value);
    file.at += 2;
    return UNKNOWN;
  }
  if (kind !== NAME && kind !== WORD) {
    file.at += 1;
    finish(file, value);
    return UNKNOWN;
  }
  const name = file.textAt(1);
  file.at += 2;
  if (META.has(name)) return { ...value };
  const object = finish(file, value);
  const isBase = object.endsWith(".super");
  const receiver = isBase ? `${object}^` : receiverOf(object);
  if (name === "init")
    return { ...UNKNOWN, expression: object, name, index: file.at - 1, receiver };
  return { expression: addStep(object, `.${name}`), name, index: file.at - 1, receiver };
}

function readCall(file: SwiftFile, value: Value): Value {
  const labels = file.kind === 40 ? labelsOf(file) : undefined;
  if (labels !== undefined) {
    file.skipBrackets();
    finishNamed(file, value, labels);
    return UNKNOWN;
  }
  const callee =
    value.index === -1 ? { expression: "" } : { ...calleeOf(value), labels: labelsAhead(file) };
  const passed: string[] = [];
  const start = file.at;
  if (file.kind === 40) readArguments(file, callee, passed);
  if (!file.isCondition) readTrailing(file, callee, passed);
  if (file.at === start) file.at += 1;
  finish(file, value, passed.join(","));
  const { name, expression } = value;
  if (name === "init") return { ...UNKNOWN, expression: constructed(expression) };
  return { ...UNKNOWN, expression: addStep(expression, callStep(passed)) };
}

/** The step of a call with its labels. Blocks after the brackets have ":" before theirs. */
function callStep(passed: readonly string[]): string {
  return `(${passed.join(",").replaceAll("&", ":")})`;
}

function calleeOf(value: Value): Callee {
  if (value.name !== "init") return { expression: value.expression };
  return { expression: value.expression, object: value.receiver };
}

/** An object of the type whose `init` is called. */
function constructed(type: string): string {
  return /^[\w.]+$/.test(type) ? addStep(type, "()") : type;
}

/** Adds a use such as `open(_:mode:)`, which calls nothing. */
function finishNamed(file: SwiftFile, { name, index, receiver }: Value, labels: string): void {
  if (index !== -1) file.addUse(name, index, { role: "value", receiver, passed: labels });
}

function readElement(file: SwiftFile, value: Value): Value {
  const object = finish(file, value);
  readArguments(file, { expression: "" }, []);
  return { ...UNKNOWN, expression: addStep(object, "[]") };
}

function readPrimary(file: SwiftFile, expected: string): Value {
  switch (file.kind) {
    case NAME:
      return readName(file);
    case WORD:
      return readWord(file);
    case NUMBER: {
      const isFraction = file.text.includes(".");
      file.at += 1;
      return { ...UNKNOWN, expression: isFraction ? "@Double" : "@Int" };
    }
    case STRING:
      return readString(file);
    case REGEX:
      file.at += 1;
      return UNKNOWN;
    case 40:
      return readParentheses(file, expected);
    case 91:
      return readLiteral(file, expected);
    case 123:
      readClosureValue(file);
      return UNKNOWN;
    case 46:
      return readImplicitMember(file, expected);
    case 92:
      return readKeyPath(file);
    case 35:
      return readMacro(file);
    default:
      return UNKNOWN;
  }
}

function readName(file: SwiftFile): Value {
  const { text, at: index } = file;
  const isPrefix =
    (text === "any" || text === "some") && startsValue(file, 1) && file.kindAt(1) === NAME;
  file.at += 1;
  if (isPrefix) return readName(file);
  const local = file.local(text);
  if (local !== undefined) return { ...UNKNOWN, expression: local.type };
  if (text === "_") return UNKNOWN;
  // What a property wrapper of the property gives.
  if (text.startsWith("$")) {
    file.addUse(text.slice(1), index, { role: "value" });
    return UNKNOWN;
  }
  return { expression: text, name: text, index, receiver: "" };
}

function readWord(file: SwiftFile): Value {
  const { text } = file;
  switch (text) {
    case "self":
    case "Self":
      file.at += 1;
      return { ...UNKNOWN, expression: file.local("self")?.type ?? file.self };
    case "super":
      file.at += 1;
      return { ...UNKNOWN, expression: addStep(file.self, ".super") };
    case "true":
    case "false":
      file.at += 1;
      return { ...UNKNOWN, expression: BOOL };
    case "nil":
      file.at += 1;
      return UNKNOWN;
    case "if":
    case "switch":
    case "do":
      file.read.branches(file);
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function readString(file: SwiftFile): Value {
  file.at += 1;
  while (file.kind === OPEN_INTERPOLATION) {
    readArguments(file, { expression: "" }, []);
    file.take(CLOSE_INTERPOLATION);
    file.take(STRING);
  }
  return { ...UNKNOWN, expression: "@String" };
}

function readParentheses(file: SwiftFile, expected: string): Value {
  const end = file.closer();
  let values = 0;
  let only = "";
  file.at += 1;
  file.inBrackets(() => {
    while (file.at < end) {
      if (file.kindAt(1) === 58) file.at += 2;
      only = readExpression(file, expected);
      values += 1;
      while (file.at < end && file.kind !== 44) file.at += 1;
      file.take(44);
    }
  });
  file.at = end + 1;
  return { ...UNKNOWN, expression: values === 1 ? only : "" };
}

/** Reads an array or a dictionary. Of a dictionary, the values count. */
function readLiteral(file: SwiftFile, expected: string): Value {
  const end = file.closer();
  let first: string | undefined;
  file.at += 1;
  file.inBrackets(() => {
    while (file.at < end) {
      let value = readExpression(file, addStep(expected, "[]"));
      if (file.take(58)) value = readExpression(file, addStep(expected, "[]"));
      first ??= value;
      while (file.at < end && file.kind !== 44) file.at += 1;
      file.take(44);
    }
  });
  file.at = end + 1;
  const isType = /^\p{Lu}[\w.]*$/u.test(first ?? "");
  const element = isType && file.kind === 40 ? `@${first}` : (first ?? "");
  const called = isType && file.kind === 40;
  if (called) readArguments(file, { expression: "" }, []);
  return { ...UNKNOWN, expression: addStep(element, "*") };
}

/** `.name`, a member of the expected type. */
function readImplicitMember(file: SwiftFile, expected: string): Value {
  const kind = file.kindAt(1);
  if (kind !== NAME && kind !== WORD) {
    file.at += 1;
    return UNKNOWN;
  }
  const name = file.textAt(1);
  file.at += 2;
  const value = { name, index: file.at - 1, receiver: receiverOf(expected) };
  const expression = name === "init" ? expected : addStep(expected, `.${name}`);
  return { ...value, expression };
}

/** `\Type.member` */
function readKeyPath(file: SwiftFile): Value {
  file.at += 1;
  let value = "";
  if (file.kind === NAME) {
    const { text, at } = file;
    value = file.local(text)?.type ?? text;
    if (file.local(text) === undefined) file.addUse(text, at, { role: "type" });
    file.at += 1;
    readTypeArguments(file);
  }
  for (;;) {
    if (file.kind === 46 && (file.kindAt(1) === NAME || file.kindAt(1) === WORD)) {
      const name = file.textAt(1);
      file.at += 2;
      if (META.has(name)) continue;
      file.addUse(name, file.at - 1, { role: "value", receiver: receiverOf(value) });
      value = addStep(value, `.${name}`);
    } else if ((file.is("?") || file.is("!")) && file.isAdjacent()) file.takeCharacter();
    else if (file.kind === 91 && file.isAdjacent()) {
      readArguments(file, { expression: "" }, []);
      value = addStep(value, "[]");
    } else return UNKNOWN;
  }
}

/** `#selector(…)`, `#available(…)`, `#line`, `#Predicate { … }` */
function readMacro(file: SwiftFile): Value {
  file.at += 1;
  if (file.kind !== NAME && file.kind !== WORD) return UNKNOWN;
  const { text, at: index } = file;
  file.at += 1;
  if (text === "available" || text === "unavailable") {
    if (file.kindAt(0) === 40) file.skipBrackets();
    return UNKNOWN;
  }
  const isKnown = BUILT_IN_MACROS.has(text);
  const value = isKnown ? UNKNOWN : { ...UNKNOWN, name: text, index, receiver: "" };
  if (file.is("<") && file.isAdjacent()) readTypeArguments(file);
  if (isKnown && file.kindAt(0) === 40 && !file.isFirstOnLine)
    return readCall(file, { ...UNKNOWN });
  return value;
}
