// Parses the expressions of references.ts.

import { parseNarrowing, type Narrowing } from "./narrowing.ts";

/** The start of an expression: a symbol of the file, a value of a type, or a name. */
export type Base =
  | { readonly kind: "own"; readonly symbol: number }
  /** If `layers` is 0, the first steps may still be part of the type's qualified name. */
  | { readonly kind: "instance"; readonly name: string; readonly layers: number }
  | { readonly kind: "name"; readonly name: string }
  /** A value of the type of a type parameter. `bound`: the expression of its bound, "" if it has none. */
  | { readonly kind: "parameter"; readonly key: string; readonly bound: string };

/** A member access, a call, or an element access. */
export type Step =
  | { readonly kind: "member"; readonly name: string }
  /** `count`: the number of arguments, 0 also if unknown. `classes`: the names of classes that are passed, "" for others. */
  | { readonly kind: "call"; readonly count: number; readonly classes: readonly string[] }
  | { readonly kind: "element" }
  /** A collection of it. */
  | { readonly kind: "several" }
  /** The type arguments of a type, or the arguments of a call: see `argumentsIn`. */
  | { readonly kind: "applied"; readonly passed: readonly string[] }
  /** The type of a parameter. `key`: its index, or its name if it is passed by name. */
  | { readonly kind: "parameter"; readonly index: number; readonly key: string }
  /** The type for which a function tests its argument. */
  | { readonly kind: "tested" }
  /** What a condition says of the value. */
  | { readonly kind: "narrowed"; readonly condition: Narrowing };

/** A parsed expression; see `Use.receiver` for its text. */
export interface Expression {
  readonly base: Base;
  readonly steps: readonly Step[];
}

const OWN = /^#(\d+)/;
/** Type names may be qualified. */
const INSTANCE = /^@([^*()[\]{}#@?]+)(\**)/;
const NAME = /^[^.()[\]{}#@?*]+/;
/** The same in languages in which names have no type arguments, as `formatter<int>` of C++. */
const PLAIN_INSTANCE = /^@([^*()[\]{}#@?<>]+)(\**)/;
const PLAIN_NAME = /^[^.()[\]{}#@?*<>]+/;
const PARAMETER = /^'([cf]\d)(?:=([^']*))?'/;
/** Names of operators have any of these characters. */
const STEP =
  /\.((?:operator)?[<>=*!+\-/%&|^~]+|[^.()[\]{}<*]+)|\(([\w,:]*)\)|(\[\])|\{(&?\w+(?:\/\d+)?(?:@[\w,:]*)?)\}|\{([^{}]+)\}|(\*)/y;

/** Returns the expression, or undefined if the text is not one. `isGeneric`: whether `<` begins type arguments. */
export function parseExpression(text: string, isGeneric = false): Expression | undefined {
  const base = readBase(text, isGeneric);
  if (base === undefined) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = base.length;
  while (STEP.lastIndex < text.length) {
    if (isGeneric && text[STEP.lastIndex] === "<") {
      const end = endOfArguments(text, STEP.lastIndex);
      if (end === -1) return undefined;
      steps.push({ kind: "applied", passed: argumentParts(text.slice(STEP.lastIndex + 1, end)) });
      STEP.lastIndex = end + 1;
      continue;
    }
    const step = stepOf(STEP.exec(text));
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return { base: base.base, steps };
}

/** Returns the step that a match of STEP is. */
function stepOf(match: RegExpExecArray | null): Step | undefined {
  if (match === null) return undefined;
  const [, member, call, element, parameter, narrowing] = match;
  if (member !== undefined) return { kind: "member", name: member };
  if (narrowing !== undefined) return { kind: "narrowed", condition: parseNarrowing(narrowing) };
  if (parameter === "is") return { kind: "tested" };
  if (parameter !== undefined) {
    return { kind: "parameter", index: Number(parameter), key: parameter };
  }
  if (call === undefined) return { kind: element === undefined ? "several" : "element" };
  const count = /^\d*$/.test(call) ? Number(call) : 0;
  return { kind: "call", count, classes: count > 0 || call === "" ? [] : call.split(",") };
}

/** Returns the index of the `>` that ends the arguments which begin at `start`; -1 if there is none. */
function endOfArguments(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "<") depth += 1;
    else if (text[at] === ">") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Returns the parts of a text between commas that are in no brackets. */
export function argumentParts(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if ("<({[".includes(character)) depth += 1;
    else if (">)}]".includes(character)) depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function readBase(text: string, isGeneric: boolean): { base: Base; length: number } | undefined {
  const parameter = PARAMETER.exec(text);
  if (parameter !== null) {
    const [whole, key = "", bound = ""] = parameter;
    return { base: { kind: "parameter", key, bound }, length: whole.length };
  }
  const own = OWN.exec(text);
  if (own !== null) {
    return { base: { kind: "own", symbol: Number(own[1]) }, length: own[0].length };
  }
  const instance = (isGeneric ? PLAIN_INSTANCE : INSTANCE).exec(text);
  if (instance !== null) return readInstance(instance);
  const [name] = (isGeneric ? PLAIN_NAME : NAME).exec(text) ?? [];
  return name === undefined ? undefined : { base: { kind: "name", name }, length: name.length };
}

/**
 * After a ".", a type's qualified name may continue or a member may follow: `@a.b.Name` has no member,
 * `@Name.open` has one. Only `*` marks the end of the name.
 */
function readInstance([whole, path = "", many = ""]: RegExpExecArray): {
  base: Base;
  length: number;
} {
  const isWhole = many !== "";
  const name = isWhole ? path : (path.split(".", 1)[0] ?? "");
  const length = isWhole ? whole.length : name.length + 1;
  return { base: { kind: "instance", name, layers: many.length }, length };
}

/** Returns the receiver of a name that may also be a bare name; undefined for other receivers. */
export function receiverOrBare(receiver: string): string | undefined {
  return receiver.endsWith("|") ? receiver.slice(0, -1) : undefined;
}

/** Returns whether a step is from a function itself, not from its result. */
export function isFromFunction(step: Step | undefined): boolean {
  const kind = step?.kind;
  return kind === "call" || kind === "parameter" || kind === "tested" || kind === "applied";
}
