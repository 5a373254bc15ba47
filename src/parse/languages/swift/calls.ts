// Reads what calls of Swift pass.

import { receiverOf, withStep, type SwiftFile } from "./swift-file.ts";
import { NAME, WORD } from "./tokens.ts";

/** What is called. `object`: the type whose `init` is called. */
export interface Callee {
  /** "" if it is unknown. */
  readonly expression: string;
  readonly object?: string;
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
  file.inBrackets(() => {
    while (file.at < end) {
      const isNamed = file.kindAt(1) === 58 && (file.kind === NAME || file.kind === WORD);
      const label = isNamed ? file.text : "_";
      if (isNamed) file.at += 2;
      const key = isNamed ? label : String(plain);
      if (!isNamed) plain += 1;
      readArgument(file, callee, key);
      passed.push(label);
      while (file.at < end && file.kind !== 44) file.at += 1;
      file.take(44);
    }
  });
  file.at = end + 1;
}

function readArgument(file: SwiftFile, callee: Callee, key: string): void {
  const called = calledText(callee);
  if (file.kind !== 123) file.read.expression(file, withStep(called, `{${key}}`));
  else file.read.closure(file, parameterOf(called, key));
}

/** Reads the function literals after the brackets of a call. */
export function readTrailing(file: SwiftFile, callee: Callee, passed: string[]): void {
  const called = calledText(callee);
  if (file.kind === 123 && !file.isFirstOnLine) {
    file.read.closure(file, parameterOf(called, "_"));
    passed.push("&");
    while (file.kindAt(0) === NAME && file.kindAt(1) === 58 && file.kindAt(2) === 123) {
      const { text } = file;
      file.at += 2;
      file.read.closure(file, parameterOf(called, text));
      passed.push(`&${text}`);
    }
  }
}

/** The type of a parameter of a function that is passed. */
function parameterOf(called: string, key: string): (index: number) => string {
  const [each] = EACH.exec(called) ?? [];
  if (each !== undefined) {
    const element = withStep(called.slice(0, -each.length), "[]");
    return (index) => (index === 0 || each === ".sorted" || each === ".sort" ? element : "");
  }
  return (index) => withStep(called, `{${key}/${index}}`);
}

function calledText({ expression, object }: Callee): string {
  if (object === undefined) return expression;
  return receiverOf(object) === "?" ? "" : object.replace(/\^$/, "");
}
