// Reads what calls of Swift pass.

import { receiverOf, addStep, type SwiftFile } from "./swift-file.ts";
import { NAME, WORD } from "./tokens.ts";

/** What is called. `object`: the type whose `init` is called. */
export interface Callee {
  /** "" if it is unknown. */
  readonly expression: string;
  readonly object?: string;
  /** The labels of the call, as in a step of an expression. */
  readonly labels?: string;
}

/** Returns the labels of a call before it is read. Blocks after the brackets have ":" before theirs. */
export function labelsAhead(file: SwiftFile): string {
  const labels: string[] = [];
  let index = file.at;
  const { kinds } = file.tokens;
  if (kinds[index] === 40) {
    const end = file.closer(index);
    let isFirst = true;
    for (index += 1; index < end; index += 1) {
      if (isFirst) labels.push(kinds[index + 1] === 58 ? file.tokens.textOf(index) : "_");
      isFirst = kinds[index] === 44;
      if (!isFirst && file.tokens.closers.has(index)) index = file.closer(index);
    }
    index = end + 1;
  }
  if (file.isCondition || kinds[index] !== 123) return labels.join(",");
  labels.push(":");
  for (
    index = file.closer(index) + 1;
    kinds[index] === NAME && kinds[index + 1] === 58 && kinds[index + 2] === 123;
  ) {
    labels.push(`:${file.tokens.textOf(index)}`);
    index = file.closer(index + 2) + 1;
  }
  return labels.join(",");
}

/** The step to the parameter with a key, in the overload that has the labels of the call. */
function parameterStep({ labels }: Callee, key: string): string {
  return labels === undefined ? `{${key}}` : `{${key}@${labels}}`;
}

/** Methods of collections that pass elements to a function. */
const EACH =
  /\.(?:(?:compact|flat)?[mM]ap|forEach|filter|first|last|contains|allSatisfy|sorted|sort|min|max|removeAll|drop|prefix|firstIndex|lastIndex|partition|mapValues|compactMapValues|count|sink|asyncMap|concurrentMap)$/;

/** Returns the labels of `open(_:mode:)` if the brackets have nothing else; undefined otherwise. */
export function labelsOf(file: SwiftFile): string | undefined {
  const end = file.closer();
  const count = end - file.at - 1;
  if (count === 0 || count % 2 === 1) return undefined;
  const labels: string[] = [];
  for (let offset = 1; offset < count; offset += 2) {
    const kind = file.kindAt(offset);
    if ((kind !== NAME && kind !== WORD) || file.kindAt(offset + 1) !== 58) return undefined;
    labels.push(file.textAt(offset));
  }
  return labels.join(",");
}

/**
 * Reads arguments in brackets. Adds their labels to `passed`, "_" for one without a label. `callee`: what they are passed
 * to.
 */
export function readArguments(file: SwiftFile, callee: Callee, passed: string[]): void {
  const end = file.closer();
  file.at += 1;
  let plain = 0;
  let value = "";
  file.inBrackets(() => {
    while (file.at < end) {
      const isNamed = file.kindAt(1) === 58 && (file.kind === NAME || file.kind === WORD);
      const label = isNamed ? file.text : "_";
      if (isNamed) file.at += 2;
      const key = isNamed ? label : String(plain);
      if (!isNamed) plain += 1;
      value = readArgument(file, callee, key, value);
      passed.push(label);
      while (file.at < end && file.kind !== 44) file.at += 1;
      file.take(44);
    }
  });
  file.at = end + 1;
}

/** Functions whose first arguments have one type. */
function isComparison({ expression }: Callee): boolean {
  return /^XCTAssert(?:Not)?Equal$/.test(expression);
}

/** `before`: the value of the argument before. Returns that of the argument. */
function readArgument(file: SwiftFile, callee: Callee, key: string, before: string): string {
  const called = calledText(callee);
  if (file.kind !== 123) {
    return file.read.expression(
      file,
      isComparison(callee) ? before : addStep(called, parameterStep(callee, key)),
    );
  }
  file.read.closure(file, parameterOf(callee, called, key));
  return "";
}

/** Reads the function literals after the brackets of a call. */
export function readTrailing(file: SwiftFile, callee: Callee, passed: string[]): void {
  const called = calledText(callee);
  if (isBlock(file)) {
    file.read.closure(file, parameterOf(callee, called, "_"));
    passed.push("&");
    while (file.kindAt(0) === NAME && file.kindAt(1) === 58 && file.kindAt(2) === 123) {
      const { text } = file;
      file.at += 2;
      file.read.closure(file, parameterOf(callee, called, text));
      passed.push(`&${text}`);
    }
  }
}

/** Whether a brace begins a function literal that a call passes, perhaps on the next line, and not the observers of a property. */
function isBlock(file: SwiftFile): boolean {
  return file.kind === 123 && !/^(?:willSet|didSet|get|set)$/.test(file.textAt(1));
}

/** The type of a parameter of a function that is passed. */
function parameterOf(callee: Callee, called: string, key: string): (index: number) => string {
  const [each] = EACH.exec(called) ?? [];
  if (each !== undefined) {
    const element = addStep(called.slice(0, -each.length), "[]");
    return (index) => (index === 0 || each === ".sorted" || each === ".sort" ? element : "");
  }
  return (index) => addStep(called, parameterStep(callee, `${key}/${index}`));
}

function calledText({ expression, object }: Callee): string {
  if (object === undefined) return expression;
  return receiverOf(object) === "?" ? "" : object.replace(/\^$/, "");
}
