// The values that calls pass, in the format of `Use.arguments` for languages without overloads.
import { ELEMENT, MAX_PATH, OF_EXPECTED } from "../../base/receiver-marks.ts";
import type { CalledOperator } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import type { FileScopes } from "./file-scopes.ts";
import { partOf } from "./grammar-rules.ts";
import type { Use } from "./references.ts";
import { UNKNOWN } from "./steps.ts";
import { genericBase } from "./type-arguments.ts";

/** Values of Ruby itself, which have no members in the project. */
const LITERAL = /^@(?:Array|Float|Hash|Integer|Regexp|String|Symbol)\b/;

/** Reads the arguments of the calls of a file. */
export class PassedArguments {
  readonly #file: FileScopes;
  readonly #expressions: ExpressionEvaluator;

  constructor(file: FileScopes, expressions: ExpressionEvaluator) {
    this.#file = file;
    this.#expressions = expressions;
  }

  /** Returns what a use passes to what a leaf names; undefined if nothing of it is known. */
  to(leaf: number, use: Pick<Use, "role" | "receiver" | "target">): string | undefined {
    if (use.role === "inherit") return genericBase(leaf, this.#expressions);
    const found = this.#toMacro(leaf, use);
    if (found !== undefined) return found;
    return use.role === "call" ? this.#toFunction(leaf) : this.toVariable(leaf);
  }

  /** Returns what a call of what may be a macro passes; undefined for other uses, or if nothing of it is known. */
  #toMacro(
    leaf: number,
    { role, receiver, target }: Pick<Use, "role" | "receiver" | "target">,
  ): string | undefined {
    const { tree, grammar, symbols } = this.#file;
    const { macroArguments } = grammar.rules;
    if (macroArguments === undefined || role !== "call" || receiver !== "") return undefined;
    const definition = target === -1 ? -1 : symbols.nodeOf(target);
    const isFunction =
      definition !== -1 && grammar.nodes[tree.types[definition] ?? 0]?.text === undefined;
    const list = isFunction ? -1 : partOf(tree, tree.parent(leaf), macroArguments);
    if (list === -1) return undefined;
    return joined(tree.children(list).map((value) => this.#objectPassed(value)));
  }

  /** Members are only looked up in objects of structures. */
  #objectPassed(value: number): string {
    const expression = this.#expressions.valueOf(value);
    const isObject = /^(?:@[A-Za-z_]|#)/.test(expression) && expression.length <= MAX_PATH;
    return isObject && !expression.includes(",") ? expression : UNKNOWN;
  }

  /** Returns what the call of the function that a leaf names passes; undefined if nothing of it is known. */
  #toFunction(leaf: number): string | undefined {
    const { tree, grammar } = this.#file;
    const { passing } = grammar.rules;
    const set = passing?.setBy(leaf, tree) ?? -1;
    if (set !== -1) return joined([this.known(set)]);
    return this.in(passing?.argumentsOf(leaf, tree) ?? -1);
  }

  /** Returns what is assigned to a variable, or added to the collection in it; undefined if it is unknown, or nothing is. */
  toVariable(leaf: number): string | undefined {
    const { tree, grammar } = this.#file;
    if (grammar.rules.passing === undefined) return undefined;
    const set = tree.parent(leaf);
    const { sets } = grammar.nodes[tree.types[set] ?? 0] ?? {};
    if (sets !== undefined && partOf(tree, set, sets.member) === leaf) {
      const assigned = this.known(partOf(tree, set, sets.value));
      return assigned === UNKNOWN ? undefined : assigned;
    }
    const added = grammar.rules.passing?.addedTo(leaf, tree) ?? -1;
    const value = added === -1 ? UNKNOWN : this.known(added);
    return value === UNKNOWN ? undefined : ELEMENT + value;
  }

  /** Returns what is passed in a list of arguments; undefined if nothing of it is known. */
  in(list: number): string | undefined {
    const { tree, grammar } = this.#file;
    const { passing } = grammar.rules;
    if (passing === undefined || list === -1) return undefined;
    const passed: string[] = [];
    for (const node of tree.children(list)) {
      const key = passing.keyOf(node, tree);
      // Arguments after a spread have no known position.
      if (key === undefined) break;
      const value = this.known(key === "" ? node : tree.child(node, -1));
      passed.push(value === UNKNOWN || key === "" ? value : `${key}=${value}`);
    }
    return joined(passed);
  }

  /** Returns the use of an operator that a class may define; undefined if the class of the first operand is unknown. */
  toOperator({
    name,
    object,
    passed,
  }: CalledOperator): Pick<Use, "name" | "line" | "receiver" | "arguments"> | undefined {
    const { tree, symbols } = this.#file;
    const receiver = this.known(object);
    // Otherwise the passed values would have to be found for each sum.
    if (receiver === UNKNOWN || receiver.includes("{")) return undefined;
    const line = symbols.lineOf(tree.end(tree.next(object) - 1));
    const value = this.known(passed);
    const use = { name, line, receiver: `${receiver}${OF_EXPECTED}` };
    return value === UNKNOWN ? use : { ...use, arguments: value };
  }

  /** Returns the expression of a value that may have members in the project, else "?". */
  known(node: number): string {
    const narrowed = node === -1 ? UNKNOWN : this.#expressions.narrowedOf(node);
    const value = narrowed === UNKNOWN ? this.#expressions.valueOf(node) : narrowed;
    return value.length > MAX_PATH || LITERAL.test(value) ? UNKNOWN : value;
  }
}

function joined(passed: readonly string[]): string | undefined {
  return passed.every((one) => one === UNKNOWN) ? undefined : passed.join(",");
}
