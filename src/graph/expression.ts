// The expressions of references.ts, taken apart.

export type Base =
  | { readonly kind: "own"; readonly symbol: number }
  /** Members in the steps may still be parts of the name, unless there are layers. */
  | { readonly kind: "instance"; readonly name: string; readonly layers: number }
  | { readonly kind: "name"; readonly name: string };

export type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "call" }
  | { readonly kind: "element" };

export interface Expression {
  readonly base: Base;
  readonly steps: readonly Step[];
}

const OWN = /^#(\d+)/;
/** Names of types may be qualified. */
const INSTANCE = /^@([^*()[\]#@?]+)(\**)/;
const NAME = /^[^.()[\]#@?*]+/;
const STEP = /\.([^.()[\]]+)|(\(\))|(\[\])/y;

/** Undefined where the text is no such expression. */
export function parseExpression(text: string): Expression | undefined {
  const base = readBase(text);
  if (base === undefined) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = base.length;
  while (STEP.lastIndex < text.length) {
    const [, member, call] = STEP.exec(text) ?? [];
    if (STEP.lastIndex === 0) return undefined;
    if (member !== undefined) steps.push({ kind: "member", name: member });
    else steps.push({ kind: call === undefined ? "element" : "call" });
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

/** What is behind a "." may be of the name, or a member: `@a.b.Name` has none, `@Name.open` one. */
function readInstance([whole, path = "", many = ""]: RegExpExecArray): {
  base: Base;
  length: number;
} {
  const isWhole = many !== "";
  const name = isWhole ? path : (path.split(".", 1)[0] ?? "");
  const length = isWhole ? whole.length : name.length + 1;
  return { base: { kind: "instance", name, layers: many.length }, length };
}
