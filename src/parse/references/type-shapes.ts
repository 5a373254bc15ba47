// Reads the types of functions and objects that have no name: see src/base/type-shape.ts.
import type { FunctionParts, ShapeParameter, ShapeRules } from "../languages/shape-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { TYPE_NAME } from "./grammar-rules.ts";
import {
  CLASS_OF_ARGUMENT,
  isKnownShape,
  isOpenExpression,
  literalsText,
  parseShape,
  passedClassText,
  shapeText,
  testText,
  UNKNOWN_SHAPE,
  withoutTypeArguments,
  type TypeShape,
} from "../../base/type-shape.ts";

/** Deeper types are unknown. */
const MAX_DEPTH = 4;
/** Types with more members are unknown. */
const MAX_MEMBERS = 20;
/** Arguments of overloads that the last parameter takes, besides the first of them. */
const FURTHER = 3;
/** Longer texts are left out, to save space. */
const MAX_TEXT = 400;

/** Reads the types of one file. */
export class ShapeReader {
  readonly #expressions: ExpressionEvaluator;
  readonly #rules: ShapeRules;
  /** The function whose type parameters are read as such; -1 if there is none. */
  #callable = -1;

  constructor(expressions: ExpressionEvaluator, rules: ShapeRules) {
    this.#expressions = expressions;
    this.#rules = rules;
  }

  /** Returns the shapes of the file's callable symbols as texts, by symbol number; "" if nothing is known. */
  readAll(): string[] {
    const { symbols } = this.#expressions.file;
    return symbols.list.map((_, symbol) => {
      const shape = this.#shapeOf(symbol);
      if (!isKnownShape(shape)) return this.#literalsOf(symbol);
      const text = shapeText(shape);
      const short = text.length > MAX_TEXT ? withoutTypeArguments(text) : text;
      return short.length > MAX_TEXT ? "" : short;
    });
  }

  /** Returns the values of a field, if all are literals. */
  #literalsOf(symbol: number): string {
    const { symbols, tree } = this.#expressions.file;
    const node = symbols.nodeOf(symbol);
    if (node === -1 || symbols.definedBy(node) !== symbol) return "";
    const text = literalsText(this.#rules.literalsOf(node, tree));
    return text.length > MAX_TEXT ? "" : text;
  }

  #shapeOf(symbol: number): TypeShape {
    const { symbols, tree } = this.#expressions.file;
    const node = symbols.nodeOf(symbol);
    if (symbols.list[symbol]?.kind === "module") return UNKNOWN_SHAPE;
    if (node === -1 || symbols.definedBy(node) !== symbol) return UNKNOWN_SHAPE;
    const shapes = this.#rules.callablesOf(node, tree).map((one) => this.#readOpen(one));
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
        result: this.#openResult(parts) ?? this.#part(result, depth, true),
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
    const all = this.#rules.partsOf(node, tree);
    if (all.length > 0) {
      return { kind: "all", parts: all.map((one) => this.read(one, depth + 1)) };
    }
    const selection = this.#rules.selectionOf(node, tree);
    if (selection !== undefined) {
      const { of, names, isWithout } = selection;
      if (names === undefined) return UNKNOWN_SHAPE;
      return { kind: "some", of: this.read(of, depth + 1), names, isWithout };
    }
    if (depth === 0 && this.#isTypeParameter(this.#rules.constructedBy(node, tree))) {
      return { kind: "value", expression: CLASS_OF_ARGUMENT };
    }
    const inner = this.#rules.unwrapped(node, tree);
    if (inner !== -1) return this.read(inner, depth);
    return { kind: "value", expression: this.#expressions.typeOf(node) };
  }

  /**
   * Returns the result of a function that tests its argument, `(value: unknown): value is Foo`, or that returns an object
   * of a class it is called with, `<T>(type: Type<T>): T`.
   */
  #openResult({ parameters, result }: FunctionParts): TypeShape | undefined {
    const { tree } = this.#expressions.file;
    const tested = result === -1 ? -1 : this.#rules.testedBy(result, tree);
    if (tested !== -1) {
      const read = (): string => this.#expressions.typeOf(tested);
      const type = this.#expressions.withTypeParameters("nothing", read);
      return { kind: "value", expression: testText(type) };
    }
    const returned = this.#innermost(result);
    if (returned === -1 || !this.#isTypeParameter(returned)) return undefined;
    const name = tree.textOf(returned);
    const argument = parameters.findIndex((one) => this.#classOf(one, name) !== undefined);
    const type = argument === -1 ? undefined : this.#classOf(parameters[argument], name);
    return type === undefined
      ? undefined
      : { kind: "value", expression: passedClassText({ argument, type }) };
  }

  /**
   * Returns the name of the type of a parameter that takes the class of a type parameter, `Type` of `type: Type<T>` and "" of
   * `type: new () => T`; undefined for other parameters.
   */
  #classOf(parameter: ShapeParameter | undefined, name: string): string | undefined {
    const { tree, grammar } = this.#expressions.file;
    const type = parameter === undefined || parameter.isRest ? -1 : this.#innermost(parameter.type);
    if (type === -1) return undefined;
    const generic = this.#rules.genericOf(type, tree);
    const of = generic?.argument ?? this.#rules.constructedBy(type, tree);
    if (of === -1 || tree.textOf(of) !== name) return undefined;
    const named = generic === undefined ? "" : tree.textOf(generic.name);
    return Object.hasOwn(grammar.rules.containers ?? {}, named) ? undefined : named;
  }

  /** Also of a wrapper of one value, such as a promise. */
  #innermost(type: number): number {
    const { tree, grammar } = this.#expressions.file;
    let node = type;
    for (let next = node; next !== -1;) {
      node = next;
      const generic = this.#rules.genericOf(node, tree);
      const container = generic && grammar.rules.containers?.[tree.textOf(generic.name)];
      const isWrapper = container?.isCollection === false && container.argument === 0;
      next = isWrapper ? (generic?.argument ?? -1) : this.#rules.unwrapped(node, tree);
    }
    return node;
  }

  #isTypeParameter(type: number): boolean {
    if (type === -1 || !this.#expressions.isName(type)) return false;
    const { tree, grammar } = this.#expressions.file;
    const local = this.#expressions.localAt(type, true);
    const isOwn = local !== undefined && local.symbol === -1 && local.binding === -1;
    return isOwn && grammar.names[tree.types[local.node] ?? 0] === TYPE_NAME;
  }

  #part(type: number, depth: number, isOutside: boolean): TypeShape {
    const read = (): TypeShape => this.read(type, depth + 1);
    if (this.#callable !== -1) {
      const reading = { callable: this.#callable, hasBounds: !isOutside };
      return this.#expressions.withTypeParameters(reading, read);
    }
    return isOutside ? this.#expressions.withTypeParameters("nothing", read) : read();
  }

  /** Reads the shape of a definition, in which type parameters are themselves. */
  #readOpen(callable: number): TypeShape {
    this.#callable = callable;
    const shape = this.#expressions.withTypeParameters({ callable, hasBounds: true }, () =>
      this.read(callable),
    );
    this.#callable = -1;
    return shape;
  }

  /**
   * Returns the value after the first steps from a value of a type without a name, and how many steps these are; undefined
   * for other types.
   */
  follow(
    type: number,
    steps: readonly string[],
  ): { readonly expression: string; readonly taken: number } | undefined {
    let shape = this.read(type);
    if (shape.kind === "value") return undefined;
    let taken = 0;
    for (const step of steps) {
      const next = afterStep(shape, step);
      if (next === undefined) break;
      shape = next;
      taken += 1;
      if (shape.kind === "value") break;
    }
    const value = shape.kind === "value" ? shape.expression : "";
    const expression = isOpenExpression(value) ? "" : value;
    return { expression, taken };
  }

  /** Returns the type of a parameter; unknown if it has none. */
  parameter(callable: number, index: number): TypeShape {
    const parts = this.#rules.functionParts(callable, this.#expressions.file.tree);
    const type = parts?.parameters[index];
    return type === undefined || type.isRest ? UNKNOWN_SHAPE : this.read(type.type);
  }
}

/** Returns what several overloads have in common. A parameter of which they have several types may be of each. */
function commonShape(shapes: readonly TypeShape[]): TypeShape {
  const callable = shapes.filter((one) => one.kind === "function");
  const [first] = callable;
  if (first === undefined || callable.length < shapes.length) return UNKNOWN_SHAPE;
  const count = Math.max(
    ...callable.map(({ parameters, hasRest }) => parameters.length + (hasRest ? FURTHER : 0)),
  );
  const parameters = Array.from({ length: count }, (_, at) =>
    anyOf(callable.map((one) => parameterAt(one, at))),
  );
  const results = distinct(callable.map(({ result }) => result));
  const [result = UNKNOWN_SHAPE] = results.length === 1 ? results : [];
  return { kind: "function", parameters, hasRest: false, result };
}

/** Returns the shape of a parameter, or of an element of the last one that takes all further arguments. */
function parameterAt(
  { parameters, hasRest }: Extract<TypeShape, { kind: "function" }>,
  at: number,
): TypeShape {
  if (!hasRest || at < parameters.length - 1) return parameters[at] ?? UNKNOWN_SHAPE;
  const rest = parameters.at(-1);
  const isList = rest?.kind === "value" && /^[^;]*\*$/.test(rest.expression);
  return isList ? { kind: "value", expression: rest.expression.slice(0, -1) } : UNKNOWN_SHAPE;
}

/** Returns a shape with the members of all; unknown if several of them are functions. */
function anyOf(shapes: readonly TypeShape[]): TypeShape {
  const all = distinct(shapes).filter((one) => shapeText(one) !== "");
  const [first = UNKNOWN_SHAPE, ...others] = all;
  if (others.length === 0) return first;
  return all.filter(({ kind }) => kind === "function").length > 1
    ? UNKNOWN_SHAPE
    : { kind: "all", parts: all };
}

/** Returns the different ones of some shapes. Those that differ only by type arguments are one without them. */
function distinct(shapes: readonly TypeShape[]): readonly TypeShape[] {
  const byText = new Map<string, TypeShape>();
  for (const shape of shapes) {
    const text = shapeText(shape);
    const plain = withoutTypeArguments(text);
    const known = byText.get(plain);
    const isSame = known === undefined || shapeText(known) === text;
    byText.set(plain, isSame ? shape : parseShape(plain));
  }
  return [...byText.values()];
}

function afterStep(shape: TypeShape, step: string): TypeShape | undefined {
  if (shape.kind === "function") {
    return step.startsWith("(") ? shape.result : undefined;
  }
  if (shape.kind === "object" && step.startsWith(".")) return shape.members.get(step.slice(1));
  if (shape.kind === "some") return afterStep(shape.of, step);
  if (shape.kind !== "all") return undefined;
  const [only, ...others] = shape.parts.flatMap((part) => afterStep(part, step) ?? []);
  return others.length === 0 ? only : undefined;
}
