// The steps of expressions that say which of its types a value has: `{kind=circle}`. See `Use.receiver`.

/** What a condition says of a value. `isTrue`: false if it says the opposite. */
export type Narrowing =
  /** It is of one of the types, which are expressions as in `Use.receiver`. */
  | { readonly is: "instance"; readonly types: readonly string[]; readonly isTrue: boolean }
  /** The function tests it. */
  | { readonly is: "tested"; readonly guard: string; readonly isTrue: boolean }
  /** Its member is one of the literals. */
  | {
      readonly is: "equal";
      readonly member: string;
      readonly values: readonly string[];
      readonly isTrue: boolean;
    }
  | { readonly is: "having"; readonly member: string };

/** Returns what the text between the braces of a step says. */
export function parseNarrowing(text: string): Narrowing {
  const isTrue = !text.startsWith("-");
  const content = isTrue ? text : text.slice(1);
  if (content.startsWith("%")) return { is: "tested", guard: content.slice(1), isTrue };
  if (content.startsWith(".")) return { is: "having", member: content.slice(1) };
  if (/^[@#]/.test(content)) return { is: "instance", types: content.split("|"), isTrue };
  const [, member = "", sign, values = ""] = /^(\w+)([=~])(.*)$/.exec(content) ?? [];
  return { is: "equal", member, values: values.split("|"), isTrue: sign === "=" };
}

/** Returns whether a step tells a type by itself. */
export function isTypeTest(step: {
  readonly kind: string;
  readonly condition?: Narrowing;
}): boolean {
  const { condition } = step;
  return (
    condition !== undefined &&
    condition.is !== "equal" &&
    condition.is !== "having" &&
    condition.isTrue
  );
}
