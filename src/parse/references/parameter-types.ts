// Types of parameters without a declared type.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import type { Import } from "./references.ts";
import { partOf } from "./grammar-rules.ts";
import { blockStep, eitherOf, parameterStep, UNKNOWN, withStep } from "./steps.ts";
import { MAX_PATH, OR_ELSE } from "../../base/receiver-marks.ts";

/** A parameter of a function. */
interface CallbackParameter {
  /** The node of the function. */
  readonly callable: number;
  /** Index of the parameter. */
  readonly parameter: number;
}

/**
 * Returns the expression of a parameter: `self` for the first one of a method, or what a method passes to a
 * callback. "?" if unknown.
 */
export function typeOfParameter(of: CallbackParameter, expressions: ExpressionEvaluator): string {
  const { grammar, symbols } = expressions.file;
  const around = expressions.file.scopeAt(of.callable);
  if (grammar.rules.hasSelfParameter === true && of.parameter === 0 && around.kind === "type") {
    return expressions.instanceOf(around.node);
  }
  const symbol = symbols.definedBy(of.callable);
  const passed =
    symbol === -1 ? typeInCallback(of, expressions) : typeFromCalls(of, symbol, expressions);
  if (passed !== UNKNOWN) return passed;
  const ofLibrary = typeFromLibrary(of, expressions);
  if (ofLibrary !== UNKNOWN) return ofLibrary;
  const passedTo = declaredType(of.callable, expressions);
  const declared = passedTo === UNKNOWN ? expectedType(of.callable, expressions) : passedTo;
  return declared === UNKNOWN
    ? expressions.expectedParameterOf(of.callable, of.parameter)
    : withStep(declared, parameterStep(of.parameter), expressions.collectionMembers);
}

/** Returns the expression of the type that a function without a name is declared to have; "?" if there is none. */
function expectedType(callable: number, expressions: ExpressionEvaluator): string {
  const { tree, grammar } = expressions.file;
  const expected = grammar.rules.expectedFunction?.(callable, tree);
  const type = expected === undefined ? "" : expressions.typeOf(expected.type);
  return type === "" ? UNKNOWN : type + "()".repeat(expected?.calls ?? 0);
}

/** Returns the expression of what a known function of a library passes to a parameter; "?" for others. */
function typeFromLibrary(
  { callable, parameter }: CallbackParameter,
  expressions: ExpressionEvaluator,
): string {
  const { tree, grammar } = expressions.file;
  const passed = grammar.rules.passedByLibrary?.(callable, parameter, tree);
  if (passed === undefined) return UNKNOWN;
  return "name" in passed ? `@${passed.name}` : expressions.typeOf(passed.node) || UNKNOWN;
}

/**
 * Returns the expression of the type that a called method declares for a function which is passed to it; "?" if it is
 * unknown, or the method is one of those that `callbacks` knows. `around` returns the expression of the object whose members are
 * visible at a name.
 */
export function declaredType(
  callable: number,
  expressions: ExpressionEvaluator,
  around: (name: number) => string = unknownObject,
): string {
  const { tree, grammar } = expressions.file;
  const passed = grammar.rules.passedFunction?.(callable, tree);
  if (passed === undefined || passed.callee === -1) return UNKNOWN;
  const { callee, parameter, member } = passed;
  const name = tree.isLeaf(callee) ? callee : tree.child(callee, -1);
  if (name === -1 || Object.hasOwn(grammar.rules.callbacks ?? {}, tree.textOf(name)))
    return UNKNOWN;
  if (tree.isLeaf(callee) && isAmbiguous(callee, expressions)) return UNKNOWN;
  const isInherited = expressions.isName(callee) && expressions.localAt(callee) === undefined;
  const method = isInherited
    ? memberOrName(around(callee), tree.textOf(callee))
    : expressions.valueOf(callee);
  const step = parameterStep(parameter) + (member === undefined ? "" : `.${member}`);
  return withStep(method, step, expressions.collectionMembers);
}

function unknownObject(): string {
  return UNKNOWN;
}

/** Returns the expression of a member of an object, or else of what the name means by itself. */
function memberOrName(object: string, name: string): string {
  const objects = object === UNKNOWN ? [] : object.split(OR_ELSE);
  return eitherOf([...objects.map((one) => `${one}.${name}`), name]);
}

/** Returns whether several imports bind a name, as those of extensions of several types do. */
function isAmbiguous(name: number, { file: { tree, imports } }: ExpressionEvaluator): boolean {
  const text = tree.textOf(name);
  const isBound = ({ bindings }: Import): boolean => bindings.some(({ local }) => local === text);
  return imports.filter(isBound).length > 1;
}

/** Returns the expression of what calls of a function pass to a parameter. */
function typeFromCalls(
  { callable, parameter }: CallbackParameter,
  symbol: number,
  { file: { tree, grammar } }: ExpressionEvaluator,
): string {
  const { passing } = grammar.rules;
  const list = partOf(tree, callable, passing?.parameters);
  if (passing === undefined || list === -1) return UNKNOWN;
  const keys = tree.children(list).map((node) => passing.keyOf(node, tree));
  const key = keys[parameter];
  const isAfterSeveral = keys.slice(0, parameter).includes(undefined);
  if (key === undefined || (key === "" && isAfterSeveral)) return UNKNOWN;
  return `#${symbol}{${key === "" ? parameter : key}}`;
}

/** Evaluates the parameter of a function that is passed to a method with known callback arguments. */
function typeInCallback(
  { callable, parameter }: CallbackParameter,
  expressions: ExpressionEvaluator,
): string {
  const { tree } = expressions.file;
  const method = methodOf(callAround(callable, expressions), expressions);
  const access = method === -1 ? undefined : expressions.valueRule(method);
  if (access?.is !== "member" && access?.is !== "invocation") return UNKNOWN;
  const name = partOf(tree, method, access.name);
  const text = name === -1 ? "" : tree.textOf(name);
  const step = stepToParameter(text, { callable, parameter }, expressions);
  const objectNode = partOf(tree, method, access.object);
  if (step === undefined)
    return yieldedBy({ objectNode, name: text, method, parameter }, expressions);
  const object = expressions.valueOf(objectNode);
  return step === "" ? object : withStep(object, step, expressions.collectionMembers);
}

/** Returns the step from the object of a method to a parameter of a function that is passed to it. */
function stepToParameter(
  method: string,
  { callable, parameter }: CallbackParameter,
  expressions: ExpressionEvaluator,
): string | undefined {
  const { callbacks, pairCallbacks } = expressions.file.grammar.rules;
  const isKnown = callbacks !== undefined && Object.hasOwn(callbacks, method);
  const steps = isKnown ? (callbacks[method] ?? []) : [];
  // A hash passes key and value where an array passes an element.
  const isPair = steps.length === 1 && hasTwoParameters(callable, expressions);
  return isPair ? pairCallbacks?.[method]?.[parameter] : steps[parameter];
}

function hasTwoParameters(
  callable: number,
  { file: { tree, grammar } }: ExpressionEvaluator,
): boolean {
  const { passing, pairCallbacks } = grammar.rules;
  const parameters = pairCallbacks === undefined ? passing?.parameters : "parameters";
  const list = partOf(tree, callable, parameters);
  return list !== -1 && tree.children(list).length === 2;
}

/**
 * Returns what the method that a function passes its own block to passes to the block's first parameter; undefined if it is
 * unknown.
 */
export function passedToBlock(block: number, expressions: ExpressionEvaluator): string | undefined {
  const { tree, grammar } = expressions.file;
  const method = methodOf(callAround(block, expressions), expressions);
  const access = method === -1 ? undefined : expressions.valueRule(method);
  if (access?.is !== "invocation") return undefined;
  const name = partOf(tree, method, access.name);
  const text = name === -1 ? "" : tree.textOf(name);
  const objectNode = partOf(tree, method, access.object);
  const steps = grammar.rules.callbacks?.[text];
  const passed =
    steps === undefined || objectNode === -1
      ? yieldedBy({ objectNode, name: text, method, parameter: 0 }, expressions)
      : withStep(
          expressions.valueOf(objectNode),
          steps[0] ?? UNKNOWN,
          expressions.collectionMembers,
        );
  return passed === UNKNOWN || passed.length > MAX_PATH ? undefined : passed;
}

/** Returns the expression of what a method passes to a parameter of its block; "?" in languages without blocks. */
function yieldedBy(
  of: { objectNode: number; name: string; method: number; parameter: number },
  expressions: ExpressionEvaluator,
): string {
  const { constructs, passing } = expressions.file.grammar.rules;
  if (passing === undefined || of.name === "") return UNKNOWN;
  const isConstructor = constructs?.includes(of.name) === true;
  const type = isConstructor ? expressions.typeOf(of.objectNode) : "";
  const name = type === "" ? of.name : "initialize";
  const object =
    of.objectNode === -1 ? expressions.selfAt(of.method) : expressions.valueOf(of.objectNode);
  const start = type === "" ? object : type;
  if (start === UNKNOWN) return of.objectNode === -1 ? name + blockStep(of.parameter) : UNKNOWN;
  return `${start}.${name}${blockStep(of.parameter)}`;
}

/**
 * Returns the call that a function is passed to, as an argument or a trailing lambda; -1 if there is none.
 */
function callAround(callable: number, expressions: ExpressionEvaluator): number {
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

/** Returns the node that names the called method. */
function methodOf(call: number, expressions: ExpressionEvaluator): number {
  if (call === -1) return -1;
  const rule = expressions.valueRule(call);
  if (rule?.is === "call") {
    const callee = partOf(expressions.file.tree, call, rule.callee);
    // `list.fold(zero)(function)`
    const isCurried = expressions.file.grammar.rules.placeholder !== undefined && callee !== -1;
    const inner = isCurried ? expressions.valueRule(callee) : undefined;
    return inner?.is === "call" || inner?.is === "through" ? methodOf(callee, expressions) : callee;
  }
  if (rule?.is === "through" && expressions.file.grammar.rules.placeholder !== undefined) {
    return partOf(expressions.file.tree, call, rule.of);
  }
  return rule?.is === "invocation" ? call : -1;
}
