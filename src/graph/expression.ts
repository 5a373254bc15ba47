// Parses the expressions of references.ts.

import { parseNarrowing, type Narrowing } from "./narrowing.ts";

/** The start of an expression: a symbol of the file, a value of a type, or a name. */
export type Base =
  | { readonly kind: "own"; readonly symbol: number }
  /** If `layers` is 0, the first steps may still be part of the type's qualified name. */
  | { readonly kind: "instance"; readonly name: string; readonly layers: number }
  | { readonly kind: "name"; readonly name: string };

/** A member access, a call, or an element access. */
export type Step =
  | { readonly kind: "member"; readonly name: string }
  /** `count`: the number of arguments, 0 also if unknown. `classes`: the names of classes that are passed, "" for others. */
  | { readonly kind: "call"; readonly count: number; readonly classes: readonly string[] }
  | { readonly kind: "element" }
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
const STEP = /\.([^.()[\]{}]+)|\(([\w,:]*)\)|(\[\])|\{(&?\w+)\}|\{([^{}]+)\}/y;

/** Returns the expression, or undefined if the text is not one. */
export function parseExpression(text: string): Expression | undefined {
  const base = readBase(text);
  if (base === undefined) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = base.length;
  while (STEP.lastIndex < text.length) {
    const [, member, call, , parameter, narrowing] = STEP.exec(text) ?? [];
    if (STEP.lastIndex === 0) return undefined;
    if (member !== undefined) steps.push({ kind: "member", name: member });
    else if (narrowing !== undefined) {
      steps.push({ kind: "narrowed", condition: parseNarrowing(narrowing) });
    } else if (parameter === "is") steps.push({ kind: "tested" });
    else if (parameter !== undefined) {
      steps.push({ kind: "parameter", index: Number(parameter), key: parameter });
    } else if (call === undefined) steps.push({ kind: "element" });
    else {
      const count = /^\d*$/.test(call) ? Number(call) : 0;
      const classes = count > 0 || call === "" ? [] : call.split(",");
      steps.push({ kind: "call", count, classes });
    }
  }
  return { base: base.base, steps };
}

function readBase(text: string): { base: Base; length: number } | undefined {
  const own = OWN.exec(text);
  if (own !== null) {
    return { base: { kind: "own", symbol: Number(own[1]) }, length: own[0].length };
  }
  const instance = INSTANCE.exec(text);
  if (instance !== null) return readInstance(instance);
  const [name] = NAME.exec(text) ?? [];
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
  return step?.kind === "call" || step?.kind === "parameter" || step?.kind === "tested";
}
