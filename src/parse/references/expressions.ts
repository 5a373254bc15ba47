// Evaluates values and types to expressions in the format of `Use.receiver`.
import { OR_ELSE } from "../../base/receiver-marks.ts";
import type { ExpectedValue, ValueRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator, TypeParameterReading } from "./expression-evaluator.ts";
import type { FileScopes } from "./file-scopes.ts";
import { NO_NAME, partOf, useRoleOf, TYPE_NAME } from "./grammar-rules.ts";
import { typeOfParameter } from "./parameter-types.ts";
import { functionResult } from "./function-results.ts";
import {
  enclosing,
  resolveLocal,
  type LocalVariable,
  type Origin,
  type LexicalScope,
} from "./scopes.ts";
import {
  OF_BASES,
  MAX_EXPRESSION_CHARS,
  MAX_UNION_CHARS,
  UNKNOWN,
  withSteps,
  type CollectionMembers,
} from "./steps.ts";
import { ExpectedTypes } from "./expected-types.ts";
import { TypeReader } from "./type-reader.ts";
import { ShapeReader } from "./type-shapes.ts";
import { ValueReader } from "./value-reader.ts";

/** Maximum depth of evaluation. Beyond it an expression is unknown. */
const MAX_DEPTH = 24;
/** Maximum nodes of a type to search for its supertypes, which come first. */
const MAX_HEAD_NODES = 100;
const NO_MEMBERS: CollectionMembers = {};

/** Evaluates the expressions of one file. */
export class Expressions implements ExpressionEvaluator {
  readonly file: FileScopes;
  readonly collectionMembers: CollectionMembers;
  readonly #values: ValueReader;
  readonly #types: TypeReader;
  readonly #results = new Map<number, string>();
  readonly #members: "none" | "body" | "all";
  readonly #isSequential: boolean;
  readonly #areTypesApart: boolean;
  readonly #expected: ExpectedTypes | undefined;
  readonly shapes: ShapeReader | undefined;
  #depth = 0;
  #typeParameters: TypeParameterReading = "bounds";

  constructor(file: FileScopes) {
    this.file = file;
    const { rules } = file.grammar;
    const { members = "none", isSequential = false, collectionMembers } = rules;
    this.collectionMembers = collectionMembers ?? NO_MEMBERS;
    this.#members = members;
    this.#isSequential = isSequential;
    this.#areTypesApart = rules.areTypesApart === true;
    this.#values = new ValueReader(this);
    this.#types = new TypeReader(this);
    this.shapes = rules.shapes && new ShapeReader(this, rules.shapes);
    this.#expected =
      rules.shapes && this.shapes && new ExpectedTypes(this, rules.shapes, this.shapes);
  }

  get typeParameters(): TypeParameterReading {
    return this.#typeParameters;
  }

  withTypeParameters<T>(reading: TypeParameterReading, read: () => T): T {
    const { shapes, typeParameters } = this.file.grammar.rules;
    if (shapes === undefined && typeParameters === undefined) return read();
    const before = this.#typeParameters;
    this.#typeParameters = shapes === undefined ? "nothing" : reading;
    const result = read();
    this.#typeParameters = before;
    return result;
  }

  expectedOf(value: number): string {
    return this.#expected?.of(value) ?? UNKNOWN;
  }

  localAt(leaf: number, isType = false): LocalVariable | undefined {
    const at = { scope: this.file.scopeAt(leaf), node: leaf };
    const isNoValue = isType || this.#isScope(leaf);
    const accepts = isNoValue && this.#areTypesApart ? this.#isTypeLocal : this.#valueTest(leaf);
    const visibility = { members: this.#members, isSequential: this.#isSequential, accepts };
    return resolveLocal(this.file.tree.textOf(leaf), at, visibility);
  }

  /** Returns whether the name is a module or a type, in which the next name is looked up: `a` in `a::b`. */
  #isScope(leaf: number): boolean {
    const { tree, grammar } = this.file;
    const { scopeSeparator } = grammar.rules;
    return scopeSeparator !== undefined && tree.text.startsWith(scopeSeparator, tree.end(leaf));
  }

  localInHead(leaf: number): LocalVariable | undefined {
    const local = this.localAt(leaf, true);
    const scope = this.file.scopeAt(leaf);
    const isOwnMember = local !== undefined && local.symbol !== -1 && local.scope === scope;
    const { parent } = scope;
    if (!isOwnMember || scope.kind !== "type" || parent === undefined) return local;
    const accepts = this.#areTypesApart ? this.#isTypeLocal : undefined;
    const visibility = { members: this.#members, isSequential: this.#isSequential, accepts };
    return resolveLocal(this.file.tree.textOf(leaf), { scope: parent, node: leaf }, visibility);
  }

  #valueTest(leaf: number): ((local: LocalVariable) => boolean) | undefined {
    const { areFunctionsApart, typeParameters, typesOnly } = this.file.grammar.rules;
    if (typeParameters !== undefined) return this.#isNoTypeParameter;
    if (typesOnly !== undefined) return this.#isNoTypeOnly;
    if (areFunctionsApart !== true) return undefined;
    return isCallee(leaf, this) ? this.#isFunctionLocal : this.#isValueLocal;
  }

  readonly #isNoTypeParameter = (local: LocalVariable): boolean => !this.isTypeParameter(local);

  isTypeParameter({ node, symbol, binding }: LocalVariable): boolean {
    if (symbol !== -1 || binding !== -1) return false;
    const { grammar, tree } = this.file;
    return grammar.rules.typeParameters?.includes(tree.typeName(tree.parent(node))) === true;
  }

  readonly #isFunctionLocal = ({ symbol, binding }: LocalVariable): boolean => {
    if (binding !== -1) return true;
    const kind = this.file.symbols.list[symbol]?.kind;
    return kind === "function" || kind === "method";
  };

  readonly #isNoTypeOnly = ({ symbol }: LocalVariable): boolean => {
    if (symbol === -1 || this.file.symbols.list[symbol]?.kind !== "type") return true;
    const { grammar, tree, symbols } = this.file;
    const node = symbols.nodeOf(symbol);
    return node === -1 || grammar.rules.typesOnly?.includes(tree.typeName(node)) !== true;
  };

  readonly #isValueLocal = (local: LocalVariable): boolean =>
    local.binding !== -1 || !this.#isFunctionLocal(local);

  /** A type parameter has neither a type nor a value. */
  readonly #isTypeLocal = (local: LocalVariable): boolean => {
    const { symbol, binding, origin, node } = local;
    if (binding !== -1) return true;
    const { grammar, tree, symbols } = this.file;
    const kind = symbols.list[symbol]?.kind;
    if (kind !== undefined) {
      if (kind !== "class" && kind !== "type" && kind !== "module") return false;
      return grammar.rules.valuesOnly?.includes(tree.typeName(symbols.nodeOf(symbol))) !== true;
    }
    if (grammar.names[tree.types[node] ?? 0] === TYPE_NAME || this.isTypeParameter(local))
      return true;
    return origin?.type === -1 && origin.value === -1 && origin.parameter === -1;
  };

  objectOf(leaf: number): number {
    const rule = this.valueRule(leaf);
    if (rule?.is !== "member" || rule.name !== ".") return -1;
    return partOf(this.file.tree, leaf, rule.object);
  }

  valueOf(node: number): string {
    if (node === -1) return UNKNOWN;
    return this.#bounded(UNKNOWN, () => this.#values.read(node));
  }

  objectExpectedAt(value: ExpectedValue | undefined): string {
    return this.#bounded(UNKNOWN, () => this.#values.expectedObject(value));
  }

  narrowedOf(leaf: number): string {
    return this.#bounded(UNKNOWN, () => this.#values.narrowed(leaf));
  }

  typeOf(node: number): string {
    if (node === -1) return "";
    return this.#bounded("", () => this.#types.read(node));
  }

  expectedParameterOf(callable: number, index: number): string {
    return this.#expected?.parameterOf(callable, index) ?? UNKNOWN;
  }

  originOf(origin: Origin): string {
    return this.#bounded(UNKNOWN, () => {
      const source = this.#sourceOf(origin);
      const inside = source === UNKNOWN ? this.followOrigin(origin, origin.steps) : undefined;
      if (inside === undefined) return withSteps(source, origin.steps, this.collectionMembers);
      return withSteps(inside.expression, origin.steps.slice(inside.taken), this.collectionMembers);
    });
  }

  followOrigin(
    { type }: Origin,
    steps: readonly string[],
  ): { readonly expression: string; readonly taken: number } | undefined {
    if (type === -1 || steps.length === 0 || this.shapes === undefined) return undefined;
    const found = this.shapes.follow(type, steps);
    return found === undefined || found.expression === "" ? undefined : found;
  }

  resultOf(node: number): string {
    const known = this.#results.get(node);
    if (known !== undefined) return known;
    // A function that returns its own result is unknown.
    this.#results.set(node, "");
    const result = this.#bounded("", () => functionResult(node, this));
    this.#results.set(node, result);
    return result;
  }

  functionOf(node: number): number {
    return node !== -1 && this.valueRule(node)?.is === "function" ? node : -1;
  }

  valueRule(node: number): ValueRule | undefined {
    const { grammar, tree } = this.file;
    return grammar.nodes[tree.types[node] ?? 0]?.value;
  }

  isName(node: number): boolean {
    const { grammar, tree } = this.file;
    return tree.isLeaf(node) && grammar.names[tree.types[node] ?? 0] !== NO_NAME;
  }

  selfAt(node: number): string {
    const { grammar, tree } = this.file;
    for (
      let scope: LexicalScope | undefined = this.file.scopeAt(node);
      scope;
      scope = scope.parent
    ) {
      const rule = grammar.nodes[tree.types[scope.node] ?? 0]?.self;
      const self = typeof rule === "function" ? rule(scope.node, tree) : rule;
      if (self === "none") return UNKNOWN;
      if (typeof self === "object") {
        if ("value" in self) {
          const symbol = this.file.symbols.definedBy(partOf(tree, scope.node, self.value));
          return symbol === -1 ? UNKNOWN : `#${symbol}`;
        }
        return this.#ownType(partOf(tree, scope.node, self.type));
      }
      if (self === "own" || scope.kind === "type") return this.instanceOf(scope.node);
    }
    return UNKNOWN;
  }

  baseAt(node: number): string {
    const { tree, grammar } = this.file;
    const type = enclosing(this.file.scopeAt(node), "type");
    if (type === undefined) return UNKNOWN;
    const { self } = grammar.nodes[tree.types[type.node] ?? 0] ?? {};
    const named = typeof self === "function" ? self(type.node, tree) : undefined;
    // An anonymous class is an instance of its supertype.
    if (typeof named === "object") return this.selfAt(node);
    const end = Math.min(tree.next(type.node), type.node + MAX_HEAD_NODES);
    let first: string | undefined;
    for (let inside = type.node + 1; inside < end; inside += 1) {
      const rule = grammar.nodes[tree.types[tree.parent(inside)] ?? 0];
      if (rule === undefined || useRoleOf(tree, inside, rule) !== "inherit") continue;
      if (first !== undefined) return this.selfAt(node) + OF_BASES;
      const expression = this.typeOf(inside);
      first = expression === "" ? UNKNOWN : expression;
      if (grammar.rules.hasSeveralBases !== true) return first;
      inside = tree.next(inside) - 1;
    }
    return first ?? UNKNOWN;
  }

  isBase(node: number): boolean {
    const { tree, grammar } = this.file;
    const { baseFunction, baseName, hasUnions } = grammar.rules;
    const rule = this.valueRule(node);
    // `super[Base]`
    const inner = rule?.is === "through" ? partOf(tree, node, rule.of) : node;
    if (baseName !== undefined && inner !== -1 && tree.textOf(inner) === baseName) return true;
    if (rule?.is === "base") return hasUnions !== true;
    const callee = baseFunction !== undefined && rule?.is === "call" ? rule.callee : undefined;
    const called = callee === undefined ? -1 : partOf(tree, node, callee);
    return called !== -1 && tree.textOf(called) === baseFunction;
  }

  instanceOf(node: number): string {
    const { symbols, tree } = this.file;
    let definition = node;
    // `const A = class {…}` is defined by a parent of the class.
    for (let left = 2; left > 0 && symbols.definedBy(definition) === -1;) {
      definition = tree.parent(definition);
      if (definition === -1) return UNKNOWN;
      // `a.B = a.C = class {…}`
      if (this.valueRule(definition)?.is !== "through") left -= 1;
    }
    const symbol = symbols.definedBy(definition);
    const kind = symbols.list[symbol]?.kind;
    return kind === "class" || kind === "type" || kind === "module" ? `#${symbol}` : UNKNOWN;
  }

  /** Returns an instance of a type, by its symbol number if the file defines it. */
  #ownType(type: number): string {
    const expression = this.typeOf(type);
    if (expression === "") return UNKNOWN;
    const { symbols, file } = this.file;
    const own = file.locals.get(expression.slice(1))?.symbol ?? -1;
    return symbols.list[own] === undefined ? expression : `#${own}`;
  }

  #sourceOf({ type, value, parameter, callable }: Origin): string {
    if (type !== -1) {
      const expression = this.typeOf(type);
      return expression === "" ? UNKNOWN : expression;
    }
    const { documented } = this.file.grammar.rules;
    const tag =
      parameter === -1
        ? documented?.ofValue(value, this.file.tree)
        : documented?.ofParameter(callable, parameter, this.file.tree);
    if (tag !== undefined && tag !== "") return tag;
    const passedType = parameter === -1 ? UNKNOWN : typeOfParameter({ callable, parameter }, this);
    return passedType === UNKNOWN ? this.valueOf(value) : passedType;
  }

  #bounded(otherwise: string, read: () => string): string {
    if (this.#depth >= MAX_DEPTH) return otherwise;
    this.#depth += 1;
    const expression = read();
    this.#depth -= 1;
    const limit = expression.includes(OR_ELSE) ? MAX_UNION_CHARS : MAX_EXPRESSION_CHARS;
    return expression.length > limit ? otherwise : expression;
  }
}

/** Returns whether the bare name is the callee of a call. */
function isCallee(leaf: number, expressions: ExpressionEvaluator): boolean {
  const { tree } = expressions.file;
  const parent = tree.parent(leaf);
  const rule = parent === -1 ? undefined : expressions.valueRule(parent);
  if (rule?.is === "invocation") return partOf(tree, parent, rule.name) === leaf;
  return rule?.is === "call" && partOf(tree, parent, rule.callee) === leaf;
}
