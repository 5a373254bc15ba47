// Reads the types of functions and objects that have no name: see type-shape.ts.
import type { ShapeRules } from "../languages/shape-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { isKnownShape, shapeText, UNKNOWN_SHAPE, type TypeShape } from "./type-shape.ts";

/** Deeper types are unknown. */
const MAX_DEPTH = 4;
/** Types with more members are unknown. */
const MAX_MEMBERS = 20;
/** Longer texts are left out, to save space. */
const MAX_TEXT = 400;

/** Reads the types of one file. */
export class ShapeReader {
  readonly #expressions: ExpressionEvaluator;
  readonly #rules: ShapeRules;

  constructor(expressions: ExpressionEvaluator, rules: ShapeRules) {
    this.#expressions = expressions;
    this.#rules = rules;
  }

  /** Returns the shapes of the file's callable symbols as texts, by symbol number; "" if nothing is known. */
  readAll(): string[] {
    const { symbols } = this.#expressions.file;
    return symbols.list.map((_, symbol) => {
      const shape = this.#shapeOf(symbol);
      const text = isKnownShape(shape) ? shapeText(shape) : "";
      return text.length > MAX_TEXT ? "" : text;
    });
  }

  #shapeOf(symbol: number): TypeShape {
    const { symbols, tree } = this.#expressions.file;
    const node = symbols.nodeOf(symbol);
    if (node === -1 || symbols.definedBy(node) !== symbol) return UNKNOWN_SHAPE;
    const shapes = this.#rules.callablesOf(node, tree).map((one) => this.read(one));
    const [first = UNKNOWN_SHAPE] = shapes;
    return shapes.length < 2 ? first : commonShape(shapes);
  }

  /** Returns the shape of a type or of a function. */
  read(node: number, depth = 0): TypeShape {
    const { tree } = this.#expressions.file;
    if (node === -1 || depth > MAX_DEPTH) return UNKNOWN_SHAPE;
    const parts = this.#rules.functionParts(node, tree);
    if (parts !== undefined) {
      const { parameters, result } = parts;
      const last = parameters.at(-1);
      // The arguments of a function that is passed on may be of a narrower type than the bound of a type parameter.
      return {
        kind: "function",
        parameters: parameters.map(({ type }) => this.#part(type, depth, depth > 0)),
        hasRest: last?.isRest === true,
        result: this.#part(result, depth, true),
      };
    }
    const members = this.#rules.membersOf(node, tree);
    if (members !== undefined) {
      if (members.length > MAX_MEMBERS) return UNKNOWN_SHAPE;
      const entries = members.map(
        ({ name, type }) => [name, this.#part(type, depth, false)] as const,
      );
      return { kind: "object", members: new Map(entries.filter(([, one]) => isKnownShape(one))) };
    }
    const inner = this.#rules.unwrapped(node, tree);
    if (inner !== -1) return this.read(inner, depth);
    return { kind: "value", expression: this.#expressions.typeOf(node) };
  }

  #part(type: number, depth: number, isOutside: boolean): TypeShape {
    return isOutside
      ? this.#expressions.withoutBounds(() => this.read(type, depth + 1))
      : this.read(type, depth + 1);
  }

  /** Returns the type of a parameter; unknown if it has none. */
  parameter(callable: number, index: number): TypeShape {
    const parts = this.#rules.functionParts(callable, this.#expressions.file.tree);
    const type = parts?.parameters[index];
    return type === undefined || type.isRest ? UNKNOWN_SHAPE : this.read(type.type);
  }
}

/** Returns what several overloads have in common. */
function commonShape(shapes: readonly TypeShape[]): TypeShape {
  const callable = shapes.filter((one) => one.kind === "function");
  const [first] = callable;
  if (first === undefined || callable.length < shapes.length) return UNKNOWN_SHAPE;
  const parameters = first.parameters.map((parameter, at) => {
    const text = shapeText(parameter);
    const isCommon = callable.every(
      (one) =>
        !one.hasRest &&
        (one.parameters[at] === undefined || shapeText(one.parameters[at]) === text),
    );
    return isCommon ? parameter : UNKNOWN_SHAPE;
  });
  return { kind: "function", parameters, hasRest: false, result: UNKNOWN_SHAPE };
}
