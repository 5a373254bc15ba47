// Reads the uses of a file: goes through its names and evaluates what each refers to.
import {
  OF_BASE,
  OF_EXPECTED,
  OF_SCOPE,
  OR_NARROWED,
  OUTERMOST,
} from "../../base/receiver-marks.ts";
import type { CalledOperator, NodeRule } from "../languages/reference-rules.ts";
import type { Use, UseRole } from "./references.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { openParameterAt } from "./open-parameter.ts";
import { passedToBlock } from "./parameter-types.ts";
import { PassedArguments } from "./passed-arguments.ts";
import { enclosing, type LocalVariable } from "./scopes.ts";
import { constructorOf, isBeforeSeparator, isOfOuterType, isOutermost } from "./scoped-names.ts";
import type { SignatureReader } from "./signatures.ts";
import { UNKNOWN, YIELD } from "./steps.ts";
import { TypeRanges } from "./type-ranges.ts";
import { roleOf } from "./use-roles.ts";
import { LiteralReceivers } from "./literal-receivers.ts";
import { IMPORT_USE, NO_USE, PATTERN_USE, type FileScopes } from "./file-scopes.ts";
import {
  accessRuleOf,
  CONSTRUCTS,
  EXTENDS_TYPE,
  HAS_TEXT,
  isPart,
  LEADS,
  MEMBER_NAME,
  NO_NAME,
  partOf,
  TYPE_NAME,
} from "./grammar-rules.ts";

/** At the end of a receiver: the name may also be a bare name. */
const OR_BARE = "|";
/** Longer names are data. */
const MAX_NAME_CHARS = 200;

/** Returns the uses in the order of the file. */
export function readUses(
  file: FileScopes,
  expressions: ExpressionEvaluator,
  signatures?: SignatureReader,
): Use[] {
  return new UseReader(file, expressions, signatures).read();
}

class UseReader {
  readonly #file: FileScopes;
  readonly #expressions: ExpressionEvaluator;
  readonly #signatures: SignatureReader | undefined;
  readonly #passed: PassedArguments;
  readonly #literals: LiteralReceivers;
  readonly #uses: Use[] = [];
  #lastLine = 0;
  /** False once a use came after one of a later line: the type of an anonymous class comes before its methods. */
  #isOrdered = true;
  #owner = -1;
  /** The owners of the enclosing definitions. */
  readonly #owners: number[] = [];
  readonly #types: TypeRanges;

  constructor(
    file: FileScopes,
    expressions: ExpressionEvaluator,
    signatures: SignatureReader | undefined,
  ) {
    this.#file = file;
    this.#expressions = expressions;
    this.#signatures = signatures;
    this.#passed = new PassedArguments(file, expressions);
    this.#literals = new LiteralReceivers(file, expressions);
    this.#types = new TypeRanges(file.tree, file.grammar);
  }

  read(): Use[] {
    const { tree, grammar } = this.#file;
    const { names, marks } = grammar;
    const { types, count } = tree;
    const owners = this.#owners;
    const ends: number[] = [];
    let end = count;
    for (let node = 0; node < count; node += 1) {
      while (node >= end) {
        this.#owner = owners.pop() ?? -1;
        end = ends.pop() ?? count;
      }
      const type = types[node] ?? 0;
      const mark = marks[type] ?? 0;
      const symbol = this.#definedBy(node, mark);
      if (symbol !== -1) {
        owners.push(this.#owner);
        ends.push(end);
        this.#owner = symbol;
        end = Math.min(tree.next(node), end);
        this.#readAnonymousMember(node, symbol);
      }
      if (mark !== 0) this.#readMarked(node, mark, symbol);
      const kind = names[type] ?? NO_NAME;
      if (kind !== NO_NAME && tree.isLeaf(node)) this.#readName(node, kind);
    }
    return this.#isOrdered
      ? this.#uses
      : this.#uses.toSorted((one, other) => one.line - other.line);
  }

  #readMarked(node: number, mark: number, symbol: number): void {
    this.#types.read(node, mark);
    if ((mark & CONSTRUCTS) !== 0) this.#readConstruction(node);
    if ((mark & HAS_TEXT) !== 0) this.#readText(node, symbol);
  }

  /** Returns the symbol whose definition is the node, or follows it, or gets members there; -1 for other nodes. */
  #definedBy(node: number, mark: number): number {
    if ((mark & LEADS) !== 0) return this.#symbolAfter(node);
    const symbol = this.#file.symbols.definedBy(node);
    return symbol === -1 && (mark & EXTENDS_TYPE) !== 0 ? this.#implementedIn(node) : symbol;
  }

  /** Returns the symbol of the definition that decorators precede, or -1. */
  #symbolAfter(node: number): number {
    const { tree, grammar, symbols } = this.#file;
    const parent = tree.parent(node);
    let next = tree.next(node);
    while (
      tree.parent(next) === parent &&
      next < tree.count &&
      ((grammar.marks[tree.types[next] ?? 0] ?? 0) & LEADS) !== 0
    ) {
      next = tree.next(next);
    }
    if (next >= tree.count || tree.parent(next) !== parent) return -1;
    const symbol = symbols.definedBy(next);
    return symbol;
  }

  /** Uses in `impl Foo` belong to Foo. */
  #implementedIn(node: number): number {
    const expression = this.#expressions.selfAt(node + 1);
    return expression.startsWith("#") ? Number(expression.slice(1)) : -1;
  }

  /** A method of an anonymous class has no other definition around it that could inherit from the class's type. */
  #readAnonymousMember(node: number, symbol: number): void {
    const { tree, symbols } = this.#file;
    const body = tree.parent(node);
    if (body === -1 || symbols.list[symbol]?.kind !== "method") return;
    const type = this.#anonymousTypeOf(body);
    if (type === -1) return;
    const expression = this.#expressions.typeOf(type);
    const target = expression.startsWith("#") ? Number(expression.slice(1)) : -1;
    const [, receiver = "", named = ""] = /^@(?:([\w$.]+)\.)?([\w$]+)$/.exec(expression) ?? [];
    const name = symbols.list[target]?.name ?? named;
    if (name === "") return;
    const line = symbols.lineInFile(tree.start(type));
    this.#push({ name, line, role: "inherit", owner: symbol, target, binding: -1, receiver });
  }

  /** Returns the node of the type that an anonymous class with this body inherits from; -1 for other nodes. */
  #anonymousTypeOf(body: number): number {
    const { grammar, tree } = this.#file;
    const rule = grammar.nodes[tree.types[body] ?? 0]?.self;
    const self = typeof rule === "function" ? rule(body, tree) : undefined;
    return typeof self === "object" && "type" in self ? partOf(tree, body, self.type) : -1;
  }

  /** A constructor is a member of its type. */
  #readConstruction(node: number): void {
    const { tree, grammar } = this.#file;
    const of = grammar.nodes[tree.types[node] ?? 0]?.constructs?.(node, tree);
    if (of === undefined) return;
    if (of === "block" || of === "passed block") {
      const passed =
        of === "block"
          ? this.#passed.in(tree.child(node, 0))
          : passedToBlock(node, this.#expressions);
      if (passed !== undefined) this.#add(node, { role: "value", name: YIELD, arguments: passed });
      return;
    }
    if (typeof of === "object") {
      this.#readOperator(of);
      return;
    }
    if (of === "outer") {
      this.#readOuter(node);
      return;
    }
    const receiver = of === "own" ? this.#expressions.selfAt(node) : this.#expressions.baseAt(node);
    const name = constructorOf(receiver, this.#file.symbols);
    if (name === "") return;
    const passed = this.#signatures?.argumentsIn(tree.childInField(node, "arguments")) ?? "";
    this.#add(node, { role: "call", receiver, name, arguments: passed });
  }

  /** An operator is a use of a method that the class of its first operand defines; without such a method it is not a use. */
  #readOperator(operator: CalledOperator): void {
    const called = this.#passed.toOperator(operator);
    if (called === undefined) return;
    this.#push({ ...called, role: "call", owner: this.#owner, target: -1, binding: -1 });
  }

  /** Adds the type around the enclosing one as what that inherits from: `class Nested < self`. */
  #readOuter(node: number): void {
    const { symbols, tree } = this.#file;
    const own = enclosing(this.#file.scopeAt(node), "type");
    const outer = own?.parent && enclosing(own.parent, "type");
    const target = outer === undefined ? -1 : symbols.definedBy(outer.node);
    const name = symbols.list[target]?.name;
    if (name !== undefined) this.#add(tree.child(node, 0), { role: "inherit", name, target });
  }

  /** Adds the names in a text: in the body of a macro, which is a definition, or in the name of a type. */
  #readText(node: number, symbol: number): void {
    const { tree, grammar, symbols } = this.#file;
    for (const one of grammar.nodes[tree.types[node] ?? 0]?.text?.(node, tree) ?? []) {
      const { offset, isUse, ...use } = one;
      const line = symbols.lineInFile(offset);
      if (symbol !== -1) this.#push({ ...use, line, owner: symbol, target: -1, binding: -1 });
      else if (isUse === true || use.role === "type")
        this.#push({ ...use, line, ...this.#meantInFile(use) });
    }
  }

  /** Returns what the bare name of a type means in the file. */
  #meantInFile({
    name,
    receiver,
  }: Pick<Use, "name" | "receiver">): Omit<Use, "line" | "role" | "receiver"> {
    const local = receiver === "" ? this.#file.file.locals.get(name) : undefined;
    const { symbol: target = -1, binding = -1, imported = "" } = local ?? {};
    return { name: binding === -1 ? name : imported, owner: this.#owner, target, binding };
  }

  /** A key of a literal is the member of the type that the literal is expected to have. */
  #readKey(leaf: number): void {
    const { tree, grammar } = this.#file;
    const object = grammar.rules.shapes?.objectOfKey(leaf, tree) ?? -1;
    const receiver = object === -1 ? UNKNOWN : this.#expressions.expectedOf(object);
    // Builders take data, and what a call returns is mostly from a library: to store such keys would cost more than they are worth.
    if (!/\(\)[^>]*$/.test(receiver)) this.#addKey(leaf, receiver);
  }

  #addKey(leaf: number, receiver: string): void {
    if (receiver === UNKNOWN || receiver === "") return;
    this.#add(leaf, { role: "value", receiver: `${receiver}${OF_EXPECTED}` });
  }

  #readName(leaf: number, kind: number): void {
    const { leaves, importedNames, patternNames, tree, grammar } = this.#file;
    if (grammar.isKey[tree.types[leaf] ?? 0] === 1) this.#readKey(leaf);
    const known = leaves[leaf];
    if (known === NO_USE) this.#readDefining(leaf, kind);
    else if (known === IMPORT_USE) {
      const imported = importedNames.get(leaf);
      if (imported !== undefined) this.#add(leaf, { ...imported, role: "import" });
    } else if (known === PATTERN_USE) {
      const origin = patternNames.get(leaf);
      const receiver = origin === undefined ? UNKNOWN : this.#expressions.originOf(origin);
      if (receiver !== UNKNOWN) this.#add(leaf, { role: "value", receiver });
    } else this.#readUse(leaf, kind);
  }

  /**
   * An embedded field has the name of its type: then the enclosing type inherits from that type. The name of an instance of
   * Haskell begins with that of its class: then the instance inherits.
   */
  #readDefining(leaf: number, kind: number): void {
    const { symbols, tree } = this.#file;
    if (this.#owner === -1 || symbols.namedAt(leaf) !== this.#owner) return;
    if (roleOf(leaf, kind, this.#file, this.#types) !== "inherit") return;
    const field = this.#owner;
    const isWhole = symbols.list[field]?.name === tree.textOf(leaf);
    if (isWhole) this.#owner = this.#owners.at(-1) ?? -1;
    this.#readUse(leaf, kind);
    this.#owner = field;
  }

  #readUse(leaf: number, kind: number): void {
    const { tree, grammar } = this.#file;
    const parent = tree.parent(leaf);
    const rule = grammar.nodes[tree.types[parent] ?? 0];
    const access = accessRuleOf(tree, leaf, rule);
    const object = access === undefined ? this.#expressions.objectOf(leaf) : -1;
    if (kind === MEMBER_NAME && access === undefined && object === -1) return;
    const role = access?.is === "invocation" ? "call" : roleOf(leaf, kind, this.#file, this.#types);
    if (role === "none" || rule?.accepts?.(tree.textOf(leaf), leaf, tree) === false) return;
    const found = { role, kind, access };
    if (object === -1) this.#addAt(leaf, partOf(tree, parent, access?.object), found);
    else if (this.#isDeclared(leaf, this.#expressions.valueOf(object))) {
      this.#addAt(leaf, object, found);
    } else this.#readAssigned(leaf, object);
  }

  /** Adds a use of a member, or of a bare name if there is no object. */
  #addAt(
    leaf: number,
    object: number,
    {
      role,
      kind,
      access,
    }: { role: UseRole; kind: number; access: ReturnType<typeof accessRuleOf> },
  ): void {
    if (access?.is === "member" && access.isKey === true) {
      this.#addKey(leaf, this.#expressions.valueOf(object));
      return;
    }
    const receiver = object === -1 ? this.#expectedObject(leaf, access) : this.#receiverOf(object);
    const isBareToo = receiver !== "" && this.#isBareToo(leaf, access, receiver);
    const marked = isBareToo ? `${receiver}${OR_BARE}` : receiver;
    if (receiver === "" || (isBareToo && receiver === UNKNOWN)) this.#addBare(leaf, { role, kind });
    else this.#add(leaf, { role, receiver: marked, name: this.#effectiveName(leaf) });
  }

  /** Returns the object of a member that is expected at a place; "" for a bare name. */
  #expectedObject(leaf: number, access: ReturnType<typeof accessRuleOf>): string {
    if (access?.is !== "member" || access.expected === undefined) return "";
    const { tree } = this.#file;
    return this.#expressions.objectExpectedAt(access.expected(tree.parent(leaf), tree));
  }

  #receiverOf(object: number): string {
    const value = this.#expressions.valueOf(object);
    if (value !== UNKNOWN && this.#expressions.isBase(object)) return value + OF_BASE;
    const narrowed = this.#expressions.narrowedOf(object);
    if (narrowed === UNKNOWN) return value;
    return value === UNKNOWN ? narrowed : `${value}${OR_NARROWED}${narrowed}`;
  }

  #isBareToo(leaf: number, access: ReturnType<typeof accessRuleOf>, receiver: string): boolean {
    if (access?.is !== "member" || access.isBareToo !== true) return false;
    return receiver === UNKNOWN || this.#expressions.localAt(leaf) !== undefined;
  }

  /** Returns false for instance variables without a symbol; their uses are not recorded. */
  #isDeclared(leaf: number, receiver: string): boolean {
    const { grammar, tree, symbols } = this.#file;
    if (grammar.nodes[tree.types[leaf] ?? 0]?.means === undefined) return true;
    const type = symbols.list[Number(receiver.slice(1))];
    const name = this.#effectiveName(leaf);
    return type !== undefined && symbols.has(`${type.qualifiedName}.${name}`);
  }

  /** An assignment of a known value to an instance variable without a symbol shows its type. */
  #readAssigned(leaf: number, object: number): void {
    const value = this.#passed.toVariable(leaf);
    const receiver = value === undefined ? UNKNOWN : this.#expressions.valueOf(object);
    if (value !== undefined && receiver !== UNKNOWN) {
      this.#add(leaf, { role: "value", receiver, arguments: value });
    }
  }

  #addBare(leaf: number, found: { role: UseRole; kind: number }): void {
    const { tree, grammar } = this.#file;
    if (grammar.ignored.has(tree.textOf(leaf))) return;
    const { kind } = found;
    const isCalled = grammar.rules.calledNames?.includes(tree.typeName(leaf)) === true;
    const role = isCalled && found.role === "value" ? "call" : found.role;
    const isType = role === "type" || role === "inherit" || kind === TYPE_NAME;
    const local =
      role === "inherit"
        ? this.#expressions.localInHead(leaf)
        : this.#expressions.localAt(leaf, isType || this.#isTypeAt(leaf));
    const receiver =
      role === "call" && isOutermost(leaf, this.#expressions)
        ? OUTERMOST
        : this.#implicitReceiver(leaf, role, local);
    if (receiver !== "") this.#add(leaf, { role, receiver });
    else this.#addMeant(leaf, role, local);
  }

  /** Adds a bare name by what it means in its scope. */
  #addMeant(leaf: number, role: UseRole, local: LocalVariable | undefined): void {
    if (local === undefined) {
      const name = this.#effectiveName(leaf);
      const isScope = role === "value" && isBeforeSeparator(leaf, this.#expressions);
      this.#add(leaf, isScope ? { role, name, arguments: OF_SCOPE } : { role, name });
    } else if (local.binding !== -1) {
      this.#add(leaf, { role, name: local.imported, binding: local.binding });
    } else if (local.symbol !== -1) {
      this.#add(leaf, {
        role,
        target: isOfOuterType(leaf, local, this.#expressions) ? -1 : local.symbol,
      });
    }
  }

  /** Returns the receiver that a bare name may have, in an anonymous class or a function literal; "" if there is none. */
  #implicitReceiver(leaf: number, role: UseRole, local: LocalVariable | undefined): string {
    if (role === "inherit") return "";
    const isKnown = local !== undefined && (local.symbol === -1 || local.binding !== -1);
    const receiver = isKnown ? UNKNOWN : this.#literals.of(leaf);
    if (receiver !== UNKNOWN && receiver !== "") return `${receiver}${OR_BARE}`;
    const open = local === undefined ? openParameterAt(leaf, this.#expressions) : UNKNOWN;
    if (open !== UNKNOWN) return `${open}${OR_BARE}`;
    return this.#anonymousAround(leaf, local);
  }

  /**
   * Returns the receiver of a bare name in an anonymous class, which may name an inherited member; "" in other places,
   * and for names that are declared inside the class.
   */
  #anonymousAround(leaf: number, local: LocalVariable | undefined): string {
    if (
      local !== undefined &&
      (local.symbol === -1 || !isOfOuterType(leaf, local, this.#expressions))
    )
      return "";
    const type = enclosing(this.#file.scopeAt(leaf), "type");
    if (type === undefined || this.#anonymousTypeOf(type.node) === -1) return "";
    const receiver = this.#expressions.selfAt(leaf);
    return receiver === UNKNOWN ? "" : `${receiver}${OR_BARE}`;
  }

  /** Returns whether only a type can be at this position. */
  #isTypeAt(leaf: number): boolean {
    if (this.#types.has(leaf)) return true;
    const { value } = this.#ruleAround(leaf) ?? {};
    // What is constructed is a value if types and values have names of their own.
    if (this.#file.grammar.rules.typesOnly !== undefined) return false;
    return value?.is === "construction" && isPart(this.#file.tree, leaf, value.type);
  }

  #effectiveName(leaf: number): string {
    const name = this.#file.tree.textOf(leaf);
    const { tree, grammar } = this.#file;
    const own = grammar.nodes[tree.types[leaf] ?? 0]?.means;
    return (own ?? this.#ruleAround(leaf)?.means)?.(name, leaf, tree) ?? name;
  }

  #ruleAround(leaf: number): NodeRule | undefined {
    const { tree, grammar } = this.#file;
    return grammar.nodes[tree.types[tree.parent(leaf)] ?? 0];
  }

  #add(leaf: number, found: Partial<Use> & Pick<Use, "role">): void {
    const { tree, grammar, symbols } = this.#file;
    const name = found.name ?? tree.textOf(leaf);
    if (name === "" || name.length > MAX_NAME_CHARS) return;
    const line = symbols.lineInFile(tree.start(leaf));
    const { role, target = -1, binding = -1, receiver = "" } = found;
    const use = { name, line, role, owner: this.#owner, target, binding, receiver };
    const passed =
      found.arguments ??
      this.#argumentsOf(leaf, { role, receiver, name }) ??
      this.#passed.to(leaf, { role, receiver, target }) ??
      grammar.rules.distinctions?.ofUse?.(leaf, tree);
    this.#push(passed === undefined ? use : { ...use, arguments: passed });
  }

  #push(use: Use): void {
    // Code that is made of markup has parts that are not in the file.
    if (use.line === 0) return;
    if (use.line < this.#lastLine) this.#isOrdered = false;
    this.#lastLine = use.line;
    this.#uses.push(use);
  }

  #argumentsOf(
    leaf: number,
    { role, receiver, name }: Pick<Use, "role" | "receiver" | "name">,
  ): string | undefined {
    if ((role !== "call" && role !== "value") || receiver === UNKNOWN) return undefined;
    return this.#signatures?.argumentsOf(leaf, { receiver, name });
  }
}
