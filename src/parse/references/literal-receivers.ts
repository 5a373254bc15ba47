// Objects whose members are visible in function literals without a receiver: `x` of `x.apply { … }`, and what the called
// function declares for its literal.
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import type { FileScopes } from "./file-scopes.ts";
import { declaredType } from "./parameter-types.ts";
import { enclosing, type LexicalScope } from "./scopes.ts";
import { eitherOf, UNKNOWN, withStep } from "./steps.ts";

/** Function literals around a name whose receivers are considered. */
const MAX_RECEIVERS = 2;

/** Evaluates the receivers of the function literals of one file. */
export class LiteralReceivers {
  readonly #file: FileScopes;
  readonly #expressions: ExpressionEvaluator;
  /** By the node of the literal. */
  readonly #declared = new Map<number, string>();

  constructor(file: FileScopes, expressions: ExpressionEvaluator) {
    this.#file = file;
    this.#expressions = expressions;
  }

  /**
   * Returns the expression of the object whose members are visible in the function literals around a name without a
   * receiver; "?" if there is none.
   */
  of(leaf: number): string {
    const { tree, grammar } = this.#file;
    if (grammar.rules.placeholder !== undefined) return this.#openedAt(leaf);
    const { receiverIn, hasReceiversInCallbacks = false } = grammar.rules;
    if (receiverIn === undefined) return UNKNOWN;
    // A capital letter begins the name of a type.
    const isDeclared = hasReceiversInCallbacks && !/^\p{Lu}/u.test(tree.textOf(leaf));
    const found: string[] = [];
    let scope = enclosing(this.#file.scopeAt(leaf), "function");
    while (scope !== undefined && found.length < MAX_RECEIVERS) {
      const object = receiverIn(scope.node, tree);
      if (object === undefined) break;
      if (object !== -1) {
        found.push(this.#expressions.valueOf(object));
        break;
      }
      const receiver = isDeclared ? this.#declaredBy(scope.node) : UNKNOWN;
      if (receiver !== UNKNOWN) found.push(receiver);
      scope = scope.parent && enclosing(scope.parent, "function");
    }
    return eitherOf(found);
  }

  /** Returns the expression of the variables around a name whose members imports make visible. */
  #openedAt(leaf: number): string {
    const found: string[] = [];
    let scope: LexicalScope | undefined = this.#file.scopeAt(leaf);
    for (; scope !== undefined && found.length < MAX_RECEIVERS; scope = scope.parent) {
      const opened = scope.opened?.filter((variable) => variable < leaf) ?? [];
      found.push(...opened.map((variable) => this.#expressions.valueOf(variable)));
    }
    return eitherOf(found);
  }

  /** Returns the expression of the receiver that the called function declares for a literal. */
  #declaredBy(literal: number): string {
    const known = this.#declared.get(literal);
    if (known !== undefined) return known;
    this.#declared.set(literal, UNKNOWN);
    const around = (name: number): string => this.of(name);
    const receiver = withStep(declaredType(literal, this.#expressions, around), "()", {});
    this.#declared.set(literal, receiver);
    return receiver;
  }
}
