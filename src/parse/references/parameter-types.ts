// What parameters are that do not say it themselves.
import type { Expressions } from "./expressions.ts";
import { partOf } from "./grammar-rules.ts";
import { UNKNOWN, withStep } from "./steps.ts";

interface CallbackParameter {
  /** Node of the function. */
  readonly callable: number;
  /** Which of its parameters, from 0. */
  readonly parameter: number;
}

export function typeOfParameter(of: CallbackParameter, expressions: Expressions): string {
  const { grammar, symbols } = expressions.file;
  const around = expressions.file.scopeAt(of.callable);
  if (grammar.rules.hasSelfParameter === true && of.parameter === 0 && around.kind === "type") {
    return expressions.instanceOf(around.node);
  }
  return symbols.definedBy(of.callable) === -1 ? typeInCallback(of, expressions) : UNKNOWN;
}

/** Of a function that is handed to a method of which it is known what it calls it with. */
function typeInCallback(
  { callable, parameter }: CallbackParameter,
  expressions: Expressions,
): string {
  const { tree, grammar } = expressions.file;
  const { callbacks } = grammar.rules;
  const method = methodOf(callAround(callable, expressions), expressions);
  const access = method === -1 ? undefined : expressions.valueRule(method);
  if (access?.is !== "member" && access?.is !== "invocation") return UNKNOWN;
  const name = partOf(tree, method, access.name);
  const text = name === -1 ? "" : tree.textOf(name);
  if (callbacks === undefined || !Object.hasOwn(callbacks, text)) return UNKNOWN;
  const step = callbacks[text]?.[parameter];
  if (step === undefined) return UNKNOWN;
  const object = expressions.valueOf(partOf(tree, method, access.object));
  return step === "" ? object : withStep(object, step, expressions.collectionMembers);
}

/** The call that a function is handed to, beside its arguments or as one of them; -1 for none. */
function callAround(callable: number, expressions: Expressions): number {
  const { tree } = expressions.file;
  let around = tree.parent(callable);
  for (let left = 3; left > 0 && around !== -1; left -= 1) {
    const rule = expressions.valueRule(around);
    if (rule?.is === "call" || rule?.is === "invocation") return around;
    if (rule !== undefined && rule.is !== "through") return -1;
    around = tree.parent(around);
  }
  return -1;
}

/** The node that says which method is called. */
function methodOf(call: number, expressions: Expressions): number {
  if (call === -1) return -1;
  const rule = expressions.valueRule(call);
  if (rule?.is === "call") return partOf(expressions.file.tree, call, rule.callee);
  return rule?.is === "invocation" ? call : -1;
}
