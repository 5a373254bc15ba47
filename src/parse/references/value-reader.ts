// Evaluates values to expressions.
import { isValueKind } from "../../base/definition-kinds.ts";
import type { ExpectedValue, NodePart, ValueRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { callArgumentResult } from "./call-results.ts";
import { firstNameIn, partOf } from "./grammar-rules.ts";
import { enclosing, type LocalVariable } from "./scopes.ts";
import { narrowingSteps } from "./narrowing-steps.ts";
import { typeOfParameter } from "./parameter-types.ts";
import { openParameterAt } from "./open-parameter.ts";
import { eitherOf, severalOf, UNKNOWN, withSteps } from "./steps.ts";
import { collectionOf, constructedWith, isOpen, stepOfCall } from "./type-arguments.ts";
import { typeOfSymbol } from "./symbol-types.ts";

/** Maximum steps. Longer expressions are unknown. */
const MAX_STEPS = 60;

/** Names of classes, by convention. */
const CLASS_NAME = /^[A-Z]\w*[a-z]\w*$/;
const COLLECTION = /^@(?:Array|Hash)$/;
/** A class that is passed later is not checked. */
const MAX_CLASS_ARGUMENT = 3;

/** Further values of a list are taken to be like these. */
const MAX_LISTED = 3;
const PLAIN_VALUE = /^@(?:string|number|boolean|RegExp)$/;

type RuleFor<Is extends ValueRule["is"]> = Extract<ValueRule, { is: Is }>;

/** The start of an expression, or the node to descend to next. */
type Descent = { readonly base: string } | { readonly next: number };

/** Evaluates the values of one file. */
export class ValueReader {
  readonly #expressions: ExpressionEvaluator;

  constructor(expressions: ExpressionEvaluator) {
    this.#expressions = expressions;
  }

  /**
   * Returns the expression of a value; "?" if unknown. Descends to the start of the expression, then applies
   * the steps in reverse.
   */
  read(from: number): string {
    const steps: string[] = [];
    let node = from;
    while (node !== -1 && steps.length <= MAX_STEPS) {
      const descent = this.#descend(node, steps);
      if ("base" in descent) {
        return withSteps(descent.base, steps.toReversed(), this.#expressions.collectionMembers);
      }
      node = descent.next;
    }
    return UNKNOWN;
  }

  /** Descends one node. `steps` are those after the node, last first. */
  #descend(node: number, steps: string[]): Descent {
    const { tree } = this.#expressions.file;
    const rule = this.#expressions.valueRule(node);
    if (rule === undefined) return { base: this.#bare(node, steps) };
    if (rule.is === "member" || rule.is === "invocation") return this.#access(node, rule, steps);
    if (rule.is === "call") {
      const literal = rule.literal === undefined ? -1 : partOf(tree, node, rule.literal);
      if (literal !== -1) return { base: this.#literal(literal) };
      const loaded = this.#expressions.file.loadedModules.get(node);
      if (loaded !== undefined) return { base: loaded };
      const callee = partOf(tree, node, rule.callee);
      const result = callArgumentResult(node, { rule, callee }, this.#expressions);
      if (result !== undefined) return { base: result };
      const call = this.#callStep(node, rule.arguments);
      const applied = stepOfCall(node, callee, this.#expressions);
      return this.#called(callee, [call, applied], steps);
    }
    if (rule.is === "through") return { next: partOf(tree, node, rule.of) };
    if (rule.is === "expected") return this.#expected(rule.from(node, tree), steps);
    if (rule.is !== "element") return { base: this.#base(node, rule, steps) };
    if (rule.when?.(node, tree) !== false) {
      steps.push(this.#elementStep(partOf(tree, node, rule.index)));
    }
    return { next: partOf(tree, node, rule.of) };
  }

  #expected(value: ExpectedValue | undefined, steps: string[]): Descent {
    if (value === undefined) return { base: UNKNOWN };
    if (value.step !== "") steps.push(value.step);
    return { next: value.node };
  }

  #literal(type: number): string {
    const path = this.#expressions.valueOf(type);
    if (path.startsWith("#")) return path;
    return /^[\w.]+$/.test(path) ? `@${path}` : UNKNOWN;
  }

  #access(node: number, rule: RuleFor<"member" | "invocation">, steps: string[]): Descent {
    const { tree } = this.#expressions.file;
    const object = partOf(tree, node, rule.object);
    const name = partOf(tree, node, rule.name);
    if (name === -1) return { base: UNKNOWN };
    const call = rule.is === "invocation" ? this.#callStep(node, rule.arguments) : "";
    if (rule.is === "invocation") {
      const result = callArgumentResult(node, { rule, callee: name }, this.#expressions);
      if (result !== undefined) return { base: result };
      if (object === -1) return this.#called(name, [call], steps);
      const instance = this.#constructed(object, tree.textOf(name));
      if (instance !== "") return { base: instance };
    }
    if (object === -1 && rule.is === "member" && rule.expected !== undefined) {
      steps.push(`.${tree.textOf(name)}`);
      return this.#expected(rule.expected(node, tree), steps);
    }
    if (object === -1) return name === node ? { base: this.#bare(node, steps) } : { next: name };
    if (call === "") steps.push(...this.#narrowingOf(node).toReversed());
    else steps.push(call);
    steps.push(`.${tree.textOf(firstNameIn(tree, name, this.#expressions.file.grammar))}`);
    return { next: object };
  }

  /** Returns what conditions say about a member of a variable or of `this`. */
  #narrowingOf(node: number): readonly string[] {
    const { tree, grammar } = this.#expressions.file;
    if (grammar.rules.conditionsOn === undefined) return [];
    let root = node;
    let depth = 0;
    for (let rule = this.#expressions.valueRule(root); rule?.is === "member"; depth += 1) {
      // A longer path is unknown.
      if (depth === MAX_STEPS) return [];
      root = partOf(tree, root, rule.object);
      rule = root === -1 ? undefined : this.#expressions.valueRule(root);
    }
    const local =
      root !== -1 && this.#expressions.isName(root) ? this.#expressions.localAt(root) : undefined;
    return narrowingSteps(node, local, this.#expressions);
  }

  /** Returns an instance of `type` if the method constructs one; "" for all other methods. */
  #constructed(type: number, method: string): string {
    const { constructs } = this.#expressions.file.grammar.rules;
    return constructs?.includes(method) === true ? this.#expressions.typeOf(type) : "";
  }

  /** The number of arguments distinguishes overloads. */
  #callStep(node: number, list: NodePart | undefined): string {
    const { tree, grammar } = this.#expressions.file;
    if (grammar.rules.shapes !== undefined) return this.#stepWithClasses(node, list);
    const values = grammar.rules.overloads === undefined ? -1 : partOf(tree, node, list);
    const count = values === -1 ? 0 : tree.children(values).length;
    return count === 0 ? "()" : `(${count})`;
  }

  /** The classes that a call passes may show what it returns: `(,Store)`. */
  #stepWithClasses(node: number, list: NodePart | undefined): string {
    const { tree } = this.#expressions.file;
    const values = partOf(tree, node, list);
    const names = (values === -1 ? [] : tree.children(values)).map((value) => {
      const rule = this.#expressions.valueRule(value);
      // `Store<Entry>`
      const inner = rule?.is === "through" ? partOf(tree, value, rule.of) : value;
      return inner !== -1 && this.#expressions.isName(inner) ? tree.textOf(inner) : "";
    });
    const last = names.findLastIndex((name) => CLASS_NAME.test(name));
    const passed = names.slice(0, last + 1).map((name) => (CLASS_NAME.test(name) ? name : ""));
    return last === -1 || last > MAX_CLASS_ARGUMENT ? "()" : `(${passed.join(",")})`;
  }

  /** `last`: the steps of the call, last first. */
  #called(callee: number, last: readonly string[], steps: string[]): Descent {
    if (callee === -1) return { base: UNKNOWN };
    const { grammar, tree } = this.#expressions.file;
    const { baseFunction } = grammar.rules;
    if (baseFunction !== undefined && tree.textOf(callee) === baseFunction) {
      return { base: this.#expressions.baseAt(callee) };
    }
    const result = this.#resultOfLocal(callee);
    if (result !== undefined) return { base: result === "" || isOpen(result) ? UNKNOWN : result };
    steps.push(...last.filter((step) => step !== ""));
    return { next: callee };
  }

  #elementStep(index: number): string {
    if (index === -1) return "[]";
    const rule = this.#expressions.valueRule(index);
    if (rule?.is !== "literal" || rule.type !== "string") return "[]";
    const name = this.#expressions.file.tree.literalOf(index);
    return /^\w+$/.test(name) ? `.${name}` : UNKNOWN;
  }

  #base(node: number, rule: ValueRule, steps: string[]): string {
    const { tree } = this.#expressions.file;
    if (rule.is === "self") return this.#field(this.#expressions.selfAt(node), node, steps);
    if (rule.is === "base") return this.#expressions.baseAt(node);
    if (rule.is === "literal") return `@${rule.type}`;
    if (rule.is === "text") return tree.textOf(node);
    if (rule.is === "construction") return this.#constructedBy(node, rule);
    if (rule.is === "cast") return this.#cast(node, rule);
    if (rule.is === "list") {
      if (this.#expressions.file.grammar.rules.shapes !== undefined) return this.#list(node, rule);
      const element = this.#expressions.valueOf(tree.child(node, 0));
      return element.startsWith("@") && !element.includes(".")
        ? severalOf(element)
        : `@${rule.type}`;
    }
    return rule.is === "either" ? this.#either(node, rule) : UNKNOWN;
  }

  #instanceOf(type: number): string {
    const expression = this.#expressions.typeOf(type);
    return expression === "" ? UNKNOWN : expression;
  }

  /** A list of values that are each known, in a language with unions. */
  #list(node: number, { type }: RuleFor<"list">): string {
    const children = this.#expressions.file.tree.children(node);
    const values = children.slice(0, MAX_LISTED).map((child) => this.#expressions.valueOf(child));
    const [first = UNKNOWN] = values;
    const isSimple = first.startsWith("@") && !first.includes(".");
    const elements = [...new Set(values)];
    const areKnown = elements.every((one) => one !== UNKNOWN && !PLAIN_VALUE.test(one));
    if (areKnown && elements.length > 0) return severalOf(eitherOf(elements));
    return isSimple ? severalOf(first) : `@${type}`;
  }

  /** In `new Map<string, Foo>()`, the type arguments belong to the construction. */
  #constructedBy(node: number, rule: RuleFor<"construction">): string {
    const { tree, grammar } = this.#expressions.file;
    const type = partOf(tree, node, rule.type);
    if (grammar.rules.shapes === undefined || type === -1) return this.#instanceOf(type);
    const collection = collectionOf(node, type, this.#expressions);
    if (collection !== undefined) return collection;
    const of = { construction: node, type };
    return constructedWith(this.#instanceOf(type), of, this.#expressions);
  }

  #cast(node: number, rule: RuleFor<"cast">): string {
    const { tree } = this.#expressions.file;
    const type = partOf(tree, node, rule.type);
    return type === -1
      ? this.#expressions.valueOf(partOf(tree, node, rule.value))
      : this.#instanceOf(type);
  }

  #either(node: number, rule: RuleFor<"either">): string {
    const { tree } = this.#expressions.file;
    const { rules } = this.#expressions.file.grammar;
    if (rule.when?.(node, tree) === false) return UNKNOWN;
    const all: string[] = [];
    for (const part of rule.of) {
      const expression = this.#expressions.valueOf(partOf(tree, node, part));
      if (expression !== UNKNOWN && rules.hasUnions !== true) return expression;
      all.push(expression);
    }
    return eitherOf(all);
  }

  /** Evaluates a name, or the parameter that is `self`. */
  #bare(node: number, steps: string[]): string {
    if (!this.#expressions.isName(node)) return this.#placeholder(node);
    const name = this.#expressions.file.tree.textOf(node);
    const keyword = this.#ofKeyword(node, name);
    if (keyword !== undefined) return keyword;
    const local = this.#expressions.localAt(node);
    if (local === undefined) return this.#withoutLocal(node, name);
    if (local.binding !== -1) return name;
    this.#readHeld(local, steps);
    const expression = this.#valueOfLocal(local);
    if (expression === UNKNOWN && local.origin !== undefined) {
      const { origin } = local;
      const inside = this.#expressions.followOrigin(origin, [
        ...origin.steps,
        ...steps.toReversed(),
      ]);
      const taken = (inside?.taken ?? 0) - origin.steps.length;
      if (inside !== undefined && taken >= 0) {
        steps.length -= taken;
        return inside.expression;
      }
    }
    const narrowing = local.symbol === -1 ? narrowingSteps(node, local, this.#expressions) : [];
    if (narrowing.length === 0 && expression.startsWith("#")) {
      return this.#field(expression, node, steps);
    }
    steps.push(...narrowing.toReversed());
    return expression;
  }

  /** The value in a reference of the file is the element of a collection. */
  #readHeld(local: LocalVariable, steps: string[]): void {
    const { heldValue } = this.#expressions.file.grammar.rules;
    if (heldValue === undefined || steps.at(-1) !== `.${heldValue.member}`) return;
    const { symbol } = local;
    const origin = this.#expressions.file.symbolOrigins.get(symbol) ?? local.origin;
    if (origin !== undefined && this.#isCallOf(origin.value, heldValue.split)) {
      steps.pop();
    } else if (symbol !== -1) {
      const type = typeOfSymbol(symbol, this.#expressions.file, this.#expressions);
      if (type.endsWith("*")) steps[steps.length - 1] = "[]";
    }
  }

  #isCallOf(node: number, names: readonly string[]): boolean {
    const rule = node === -1 ? undefined : this.#expressions.valueRule(node);
    if (rule?.is !== "call") return false;
    const { tree } = this.#expressions.file;
    const callee = partOf(tree, node, rule.callee);
    return callee !== -1 && tree.isLeaf(callee) && names.includes(tree.textOf(callee));
  }

  #withoutLocal(node: number, name: string): string {
    const found = this.#inheritedField(node, name) ?? this.#ofSelf(node, name);
    if (found !== undefined) return found;
    const open = openParameterAt(node, this.#expressions);
    return open === UNKNOWN
      ? name
      : withSteps(open, [`.${name}`], this.#expressions.collectionMembers);
  }

  /** Returns the value of a field that the type around a name has from one of a library; undefined for other names. */
  #inheritedField(node: number, name: string): string | undefined {
    const { members } = this.#expressions.file.grammar.rules;
    if (members !== "all") return undefined;
    const type = enclosing(this.#expressions.file.scopeAt(node), "type");
    const origin = type?.fields?.get(name);
    const value = origin === undefined ? UNKNOWN : this.#expressions.originOf(origin);
    return value === UNKNOWN ? undefined : value;
  }

  /** Returns the value of a name that means the current object; undefined for other names. */
  #ofKeyword(node: number, name: string): string | undefined {
    const { selfType, baseName } = this.#expressions.file.grammar.rules;
    if (name === selfType) return this.#expressions.selfAt(node);
    return name === baseName ? this.#expressions.baseAt(node) : undefined;
  }

  #placeholder(node: number): string {
    const { tree, grammar } = this.#expressions.file;
    const found = grammar.rules.placeholder?.(node, tree);
    return found === undefined ? UNKNOWN : typeOfParameter(found, this.#expressions);
  }

  /** Returns the value of `apply { … }` and of `new` without a receiver; undefined for other names. */
  #ofSelf(node: number, name: string): string | undefined {
    const { constructs, selfCalls } = this.#expressions.file.grammar.rules;
    if (selfCalls?.includes(name) === true) return this.#expressions.selfAt(node);
    if (constructs?.includes(name) !== true) return undefined;
    const self = this.#expressions.selfAt(node);
    return self === UNKNOWN ? UNKNOWN : `${self}.${name}()`;
  }

  /** Returns the value that a member without an object is expected to be in; "?" if there is none. */
  expectedObject(value: ExpectedValue | undefined): string {
    if (value === undefined) return UNKNOWN;
    const object = this.#expressions.valueOf(value.node);
    return withSteps(
      object,
      value.step === "" ? [] : [value.step],
      this.#expressions.collectionMembers,
    );
  }

  /** Returns what the conditions around a local say about its type; "?" if nothing. */
  narrowed(leaf: number): string {
    const { tree, grammar } = this.#expressions.file;
    const { narrowedType } = grammar.rules;
    if (narrowedType === undefined || !this.#expressions.isName(leaf)) return UNKNOWN;
    const variable = this.#expressions.localAt(leaf);
    if (variable === undefined || variable.symbol !== -1 || variable.binding !== -1) return UNKNOWN;
    const narrowed = narrowedType(leaf, tree);
    if (narrowed === undefined) return UNKNOWN;
    if ("type" in narrowed) return this.#instanceOf(narrowed.type);
    return eitherOf(narrowed.types.map((type) => this.#instanceOf(type)));
  }

  /** A field without a symbol evaluates to its assigned value. */
  #field(self: string, node: number, steps: string[]): string {
    const step = steps.at(-1);
    if (step?.startsWith(".") !== true || !self.startsWith("#")) return self;
    const type = enclosing(this.#expressions.file.scopeAt(node), "type");
    const origin = type?.fields?.get(step.slice(1));
    if (origin === undefined || this.#isMember(self, step)) return self;
    const value = this.#expressions.originOf(origin);
    // Other assignments may show more, and so may what is added to a collection.
    if (step.startsWith(".@") && (value === UNKNOWN || COLLECTION.test(value))) return self;
    steps.pop();
    return value;
  }

  #isMember(self: string, step: string): boolean {
    const { symbols } = this.#expressions.file;
    const owner = symbols.list[Number(self.slice(1))];
    return owner !== undefined && symbols.has(owner.qualifiedName + step);
  }

  #valueOfLocal(local: LocalVariable): string {
    if (local.expression !== undefined) return local.expression;
    if (local.isBeingRead) return UNKNOWN;
    local.isBeingRead = true;
    local.expression = this.#expressionOf(local);
    local.isBeingRead = false;
    return local.expression;
  }

  #expressionOf(local: LocalVariable): string {
    const { symbol, origin } = local;
    if (symbol === -1) return origin === undefined ? UNKNOWN : this.#expressions.originOf(origin);
    const name = this.#nameOfSymbol(local);
    if (name !== UNKNOWN) return name;
    // Inside a function it has no qualified name, so it evaluates to its value.
    const type = typeOfSymbol(symbol, this.#expressions.file, this.#expressions);
    return type === "" ? UNKNOWN : type;
  }

  /** Returns the name of a symbol in the file's scope. */
  #nameOfSymbol({ symbol, scope, name }: LocalVariable): string {
    if (scope.kind === undefined) return this.#nameInFile(symbol, name);
    if (enclosing(scope, "function") !== undefined) return UNKNOWN;
    if (scope.kind === "type") return `${this.#expressions.instanceOf(scope.node)}.${name}`;
    return this.#expressions.file.symbols.list[symbol]?.qualifiedName ?? UNKNOWN;
  }

  /** A variable that is a member of a component is found there. */
  #nameInFile(symbol: number, name: string): string {
    const { qualifiedName = name, kind } = this.#expressions.file.symbols.list[symbol] ?? {};
    const { hasMemberVariables } = this.#expressions.file.grammar.rules;
    return hasMemberVariables === true && isValueKind(kind) ? qualifiedName : name;
  }

  /** Returns the result of calling a function without a qualified name; undefined for other values. */
  #resultOfLocal(callee: number): string | undefined {
    if (!this.#expressions.isName(callee)) return undefined;
    const local = this.#expressions.localAt(callee);
    if (local === undefined || local.binding !== -1) return undefined;
    const declared = this.#declaredResult(local);
    if (declared !== undefined) return declared;
    const callable =
      local.symbol === -1 ? this.#functionOfLocal(local) : this.#functionOfSymbol(local);
    return callable === -1 ? undefined : this.#expressions.resultOf(callable);
  }

  /** Returns the result of a variable whose declared type is that of a function; undefined for others. */
  #declaredResult({ origin }: LocalVariable): string | undefined {
    const { tree, grammar } = this.#expressions.file;
    const { functionTypes } = grammar.rules;
    if (functionTypes === undefined || origin === undefined || origin.type === -1) return undefined;
    const result = functionTypes[tree.typeName(origin.type)];
    if (result === undefined || origin.steps.length > 0) return undefined;
    return this.#expressions.typeOf(partOf(tree, origin.type, result));
  }

  #functionOfLocal({ origin }: LocalVariable): number {
    return origin?.steps.length === 0 ? this.#expressions.functionOf(origin.value) : -1;
  }

  /** Nested functions have no name outside of their function. */
  #functionOfSymbol({ symbol, scope }: LocalVariable): number {
    if (enclosing(scope, "function") === undefined) return -1;
    return this.#expressions.file.symbols.nodeOf(symbol);
  }
}
