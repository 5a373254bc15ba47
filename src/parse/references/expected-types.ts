// The types that values are expected to have: an argument has the type of its parameter, and a returned value that of
// the result.
import type { TypeShape } from "../../base/type-shape.ts";
import type { ShapeRules } from "../languages/shape-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { MAX_EXPRESSION_CHARS, parameterStep, UNKNOWN, withStep } from "./steps.ts";
import { enclosing, type LocalVariable } from "./scopes.ts";
import { stepOfCall } from "./type-arguments.ts";
import type { ShapeReader } from "./type-shapes.ts";

/** Deeper values have no expected type. */
const MAX_DEPTH = 12;

/** Evaluates the expected types of one file. */
export class ExpectedTypes {
  readonly #expressions: ExpressionEvaluator;
  readonly #rules: ShapeRules;
  readonly #shapes: ShapeReader;
  readonly #known = new Map<number, string>();
  #depth = 0;

  constructor(expressions: ExpressionEvaluator, rules: ShapeRules, shapes: ShapeReader) {
    this.#expressions = expressions;
    this.#rules = rules;
    this.#shapes = shapes;
  }

  /** Returns the expression of the type that a value is expected to have; "?" if nothing is expected. */
  of(value: number): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (this.#depth >= MAX_DEPTH) return UNKNOWN;
    // A value that depends on itself is unknown.
    this.#known.set(value, UNKNOWN);
    this.#depth += 1;
    const expression = this.#read(value);
    this.#depth -= 1;
    const isShort = expression.length <= MAX_EXPRESSION_CHARS && !this.#isOfPlatform(expression);
    const short = isShort ? expression : UNKNOWN;
    this.#known.set(value, short);
    return short;
  }

  /** Names that the file neither declares nor imports are those of the platform. */
  #isOfPlatform(expression: string): boolean {
    const [name] = /^[\w$]+/.exec(expression) ?? [];
    return name !== undefined && !this.#expressions.file.file.locals.has(name);
  }

  #read(value: number): string {
    const expected = this.#rules.expectationOf(value, this.#expressions.file.tree);
    if (expected === undefined) return UNKNOWN;
    if (expected.from === "type") return this.#ofType(expected.type);
    if (expected.from === "place") return expected.expression;
    if (expected.from === "field") return this.#fieldAt(value, expected.name);
    if (expected.from === "value") return this.#expressions.valueOf(expected.value);
    if (expected.from === "around") {
      return this.#then(this.of(expected.value), expected.step);
    }
    if (expected.from === "result") return this.#resultOf(expected.callable);
    return this.#argument(expected);
  }

  /** Returns the expression of a parameter of a function that is expected to have a type; "?" if nothing is expected. */
  parameterOf(callable: number, index: number): string {
    const expected = this.#rules.expectationOf(callable, this.#expressions.file.tree);
    if (expected?.from === "type") {
      const type = this.#typeNode(expected.type);
      const parts = this.#rules.functionParts(type, this.#expressions.file.tree);
      if (parts !== undefined) return expressionOf(this.#shapes.parameter(type, index));
    }
    return this.#then(this.of(callable), parameterStep(index));
  }

  #fieldAt(node: number, name: string): string {
    const type = enclosing(this.#expressions.file.scopeAt(node), "type");
    const origin = type?.fields?.get(name);
    return origin === undefined ? UNKNOWN : this.#expressions.originOf(origin);
  }

  #ofType(type: number): string {
    const expression = this.#expressions.typeOf(type);
    return expression === "" ? UNKNOWN : expression;
  }

  #then(expression: string, step: string): string {
    if (step === "") return expression;
    return this.#rules.stepOf(expression, step) ?? withStep(expression, step, {});
  }

  #resultOf(callable: number): string {
    const { result = -1 } = this.#rules.functionParts(callable, this.#expressions.file.tree) ?? {};
    return result === -1 ? this.#then(this.of(callable), "()") : this.#ofType(result);
  }

  #argument({
    callee,
    parameter,
    isConstruction,
  }: {
    readonly callee: number;
    readonly parameter: number;
    readonly isConstruction: boolean;
  }): string {
    const step = parameterStep(parameter);
    if (isConstruction) {
      const type = this.#expressions.valueOf(callee);
      return this.#then(this.#then(type, ".constructor"), step);
    }
    const applied = stepOfCall(
      this.#expressions.file.tree.parent(callee),
      callee,
      this.#expressions,
      parameter,
    );
    if (!this.#expressions.isName(callee)) {
      return this.#then(this.#then(this.#expressions.valueOf(callee), applied), step);
    }
    const local = this.#expressions.localAt(callee);
    if (local === undefined) return UNKNOWN;
    const callable = local.symbol === -1 ? this.#callableOf(local) : -1;
    if (callable !== -1) return expressionOf(this.#shapes.parameter(callable, parameter));
    // A function in a function has no name outside it.
    if (local.symbol !== -1 && local.scope.kind !== undefined) return UNKNOWN;
    return this.#then(this.#then(this.#expressions.valueOf(callee), applied), step);
  }

  /** Returns the function that a local is, or its type if that is the type of a function; -1 for others. */
  #callableOf({ origin }: LocalVariable): number {
    if (origin === undefined || origin.steps.length > 0) return -1;
    const { type, value } = origin;
    const callable = type === -1 ? this.#expressions.functionOf(value) : this.#typeNode(type);
    const isFunction =
      callable !== -1 &&
      this.#rules.functionParts(callable, this.#expressions.file.tree) !== undefined;
    return isFunction ? callable : -1;
  }

  /** The innermost type of a node that only wraps it. */
  #typeNode(type: number): number {
    const { tree } = this.#expressions.file;
    let node = type;
    for (let next = node; next !== -1; next = this.#rules.unwrapped(node, tree)) node = next;
    return node;
  }
}

function expressionOf(shape: TypeShape): string {
  return shape.kind === "value" && shape.expression !== "" ? shape.expression : UNKNOWN;
}
