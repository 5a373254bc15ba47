// Reads the data that distinguishes overloads: the parameters of definitions and the arguments of calls.
import {
  FUNCTION_REFERENCE,
  type OverloadRules,
  type ParameterNode,
} from "../languages/overload-rules.ts";
import type { TypeRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import type { FileScopes } from "./file-scopes.ts";
import { partOf, TYPE_NAME } from "./grammar-rules.ts";
import type { LocalVariable } from "./scopes.ts";
import { UNKNOWN } from "./steps.ts";

/** Longer expressions are unknown, to save space. */
const MAX_ARGUMENT_CHARS = 60;
/** Calls with more arguments have only their number. */
const MAX_TYPED_ARGUMENTS = 12;
/** Maximum depth of the values and types to read. */
const MAX_DEPTH = 12;
/** A type, or an expression with one step: longer ones would need much space. */
const ARGUMENT = /^(?:[:!^].*|@[\w$]+|(?:[@#]?[\w$]+\.)?[\w$]+(?:\(\d*\))?|#\d+)$/u;
/** A type without a qualifier. */
const SIMPLE_TYPE = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Reads the signatures and arguments of one file. */
export class SignatureReader {
  readonly #file: FileScopes;
  readonly #expressions: ExpressionEvaluator;
  readonly #rules: OverloadRules;
  #depth = 0;

  constructor(file: FileScopes, expressions: ExpressionEvaluator, rules: OverloadRules) {
    this.#file = file;
    this.#expressions = expressions;
    this.#rules = rules;
  }

  /** Returns the signatures by symbol number. `types`: the expressions of their types. */
  readSignatures(types: readonly string[]): string[] {
    return this.#file.symbols.list.map((_, symbol) =>
      this.#signatureOf(symbol, types[symbol] ?? ""),
    );
  }

  #signatureOf(symbol: number, type: string): string {
    const { tree, symbols } = this.#file;
    const node = symbols.nodeOf(symbol);
    if (node === -1 || symbols.definedBy(node) !== symbol) return "";
    const parameters = this.#rules.parametersOf(node, tree);
    // An expression shows the elements of a container, not the container.
    const isKnown = type !== "" && !type.endsWith("*");
    const result = isKnown ? "" : this.#resultOf(node);
    if (parameters === undefined) return result;
    return `(${parameters.map((one) => this.#parameter(one)).join(",")})${result}`;
  }

  #resultOf(node: number): string {
    const { tree } = this.#file;
    const { result } = this.#rules;
    const type = result === "" ? -1 : partOf(tree, node, result);
    if (type === -1) return "";
    if (tree.textOf(type) === this.#rules.noResult) return this.#rules.noResult;
    const text = this.#typeText(type);
    const bound = text.replace(UNKNOWN, "");
    return bound.startsWith("[") ? "" : bound;
  }

  #parameter({ type, text: own, suffix = "", isVariadic, isOptional }: ParameterNode): string {
    const text = (own ?? this.#typeText(type)) + suffix;
    return `${text}${isOptional === true ? "=" : ""}${isVariadic === true ? "..." : ""}`;
  }

  /** Returns the arguments of a call of the name; undefined if it is not called. See `Use.arguments`. */
  argumentsOf(
    leaf: number,
    { receiver, name }: { readonly receiver: string; readonly name: string },
  ): string | undefined {
    const { outside, counted } = this.#rules;
    if (outside?.test(receiver) === true) return undefined;
    const list = this.#rules.argumentsOf(leaf, this.#file.tree);
    if (list === "reference") return FUNCTION_REFERENCE;
    if (list === -1) return undefined;
    return counted?.test(name) === true ? this.#unknown(list) : this.argumentsIn(list);
  }

  /** Returns the types of the values in a list of arguments; "" if there is none. */
  argumentsIn(list: number): string {
    if (list === -1) return "";
    const { tree } = this.#file;
    const values = tree.children(list);
    if (values.length > MAX_TYPED_ARGUMENTS) return this.#unknown(list);
    return values
      .map((child) => {
        const { argument } = this.#rules;
        const value = argument === undefined ? child : partOf(tree, child, argument);
        const type = this.#valueType(value);
        return ARGUMENT.test(type) && type.length <= MAX_ARGUMENT_CHARS ? type : UNKNOWN;
      })
      .join(",");
  }

  #unknown(list: number): string {
    return this.#file.tree
      .children(list)
      .map(() => UNKNOWN)
      .join(",");
  }

  readonly #valueType = (node: number): string => {
    if (node === -1 || this.#depth >= MAX_DEPTH) return UNKNOWN;
    this.#depth += 1;
    const type = this.#readValue(node);
    this.#depth -= 1;
    return type;
  };

  #readValue(node: number): string {
    const { tree } = this.#file;
    const own = this.#rules.valueTypes[tree.typeName(node)];
    if (own !== undefined) return own(node, tree, this.#valueType);
    if (this.#rules.ofLocal !== undefined) return this.#local(node, this.#rules.ofLocal);
    const rule = this.#expressions.valueRule(node);
    if (rule === undefined) return this.#named(node);
    if (rule.is === "literal") return `@${rule.type}`;
    if (rule.is === "construction") return this.#declared(partOf(tree, node, rule.type));
    if (rule.is === "cast") return this.#declared(partOf(tree, node, rule.type));
    if (rule.is === "through") return this.#valueType(partOf(tree, node, rule.of));
    if (rule.is === "either")
      return this.#either(
        node,
        rule.of.map((part) => partOf(tree, node, part)),
      );
    return this.#evaluated(node);
  }

  #either(_node: number, parts: readonly number[]): string {
    const types = new Set(parts.map((part) => this.#valueType(part)));
    types.delete("!");
    const [only = UNKNOWN] = types;
    return types.size === 1 ? only : UNKNOWN;
  }

  #local(node: number, ofLocal: NonNullable<OverloadRules["ofLocal"]>): string {
    const local = this.#expressions.isName(node) ? this.#expressions.localAt(node) : undefined;
    if (local?.origin === undefined || local.symbol !== -1) return UNKNOWN;
    const declared = ofLocal(local.node, this.#file.tree);
    if (declared !== "") return declared;
    const { steps, value } = local.origin;
    return steps.length === 0 && value !== -1 ? this.#valueType(value).replace(/&+$/, "") : UNKNOWN;
  }

  /** Returns the declared type of a local; an expression for other names. */
  #named(node: number): string {
    if (!this.#expressions.isName(node)) return UNKNOWN;
    const local = this.#expressions.localAt(node);
    const origin = local?.symbol === -1 && local.binding === -1 ? local.origin : undefined;
    if (origin === undefined) return this.#evaluated(node);
    if (origin.type !== -1) return this.#declared(origin.type);
    const isWhole = origin.steps.length === 0 && origin.value !== -1;
    return isWhole ? this.#valueType(origin.value) : this.#evaluated(node);
  }

  #declared(type: number): string {
    const text = this.#typeText(type);
    // A value of a type parameter is one of its bound.
    const bound = text.replace(UNKNOWN, "");
    if (bound === "" || bound.startsWith("[")) return UNKNOWN;
    return SIMPLE_TYPE.test(bound) ? `@${bound}` : `:${bound}`;
  }

  /** A container's expression shows only its elements. */
  #evaluated(node: number): string {
    const expression = this.#expressions.valueOf(node);
    return expression.endsWith("*") ? UNKNOWN : expression;
  }

  /** Returns the text of a type without type arguments; a type parameter is its bound, or "?". */
  #typeText(node: number): string {
    if (node === -1 || this.#depth >= MAX_DEPTH) return UNKNOWN;
    this.#depth += 1;
    const text = this.#readType(node);
    this.#depth -= 1;
    return text;
  }

  #readType(node: number): string {
    const { tree, grammar } = this.#file;
    const rule: TypeRule | undefined = grammar.nodes[tree.types[node] ?? 0]?.type;
    if (rule === undefined) return this.#expressions.isName(node) ? this.#namedType(node) : UNKNOWN;
    if (rule.is === "through") return this.#typeText(partOf(tree, node, rule.of));
    if (rule.is === "generic") return this.#typeText(partOf(tree, node, rule.name));
    if (rule.is === "builtin") return tree.textOf(node);
    if (rule.is === "path") return pathText(tree.textOf(node));
    if (rule.is !== "several") return UNKNOWN;
    const element = this.#typeText(partOf(tree, node, rule.of));
    const dimensions = Math.max(1, this.#dimensionsOf(node));
    return element + "[]".repeat(dimensions);
  }

  #dimensionsOf(node: number): number {
    const { tree } = this.#file;
    const parts = tree
      .children(node)
      .filter((child) => tree.typeName(child).startsWith("dimensions"));
    return parts.reduce((sum, part) => sum + bracketsIn(tree.textOf(part)), 0);
  }

  #namedType(leaf: number): string {
    const { tree, grammar } = this.#file;
    const local: LocalVariable | undefined = this.#expressions.localAt(leaf, true);
    const isParameter =
      local !== undefined &&
      local.symbol === -1 &&
      local.binding === -1 &&
      grammar.names[tree.types[local.node] ?? 0] === TYPE_NAME;
    if (!isParameter) return tree.textOf(leaf);
    const bound = this.#typeText(local.origin?.type ?? -1);
    return bound.startsWith(UNKNOWN) ? bound : `${UNKNOWN}${bound}`;
  }
}

function bracketsIn(text: string): number {
  return text.split("[").length - 1;
}

/** Returns a qualified name without type arguments, annotations and spaces. */
function pathText(text: string): string {
  if (/^[\w$.]+$/.test(text)) return text;
  let path = text.replaceAll(/@[\w$.]+|\s+/g, "");
  for (let before = ""; before !== path;) {
    before = path;
    path = path.replaceAll(/<[^<>]*>/g, "");
  }
  return /^[\p{L}\p{N}_$.]+$/u.test(path) ? path : UNKNOWN;
}
