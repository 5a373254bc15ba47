// Evaluates types to expressions of their instances.
import type { NodePart, TypeRule } from "../languages/reference-rules.ts";
import type { ExpressionEvaluator } from "./expression-evaluator.ts";
import { partOf, TYPE_NAME } from "./grammar-rules.ts";
import type { LocalVariable } from "./scopes.ts";
import { OR_ELSE } from "../../base/receiver-marks.ts";
import { genericType, typeParameterOf } from "./type-arguments.ts";
import { MAX_EXPRESSION_CHARS, MAX_UNION_CHARS, severalOf, UNKNOWN } from "./steps.ts";

/** A union of more types, or with a longer expression, is unknown. */
interface UnionLimits {
  readonly members: number;
  readonly chars: number;
}

const LIMITS: UnionLimits = { members: 6, chars: MAX_EXPRESSION_CHARS };
/** Of a union with a name, which the index has once. */
const NAMED_LIMITS: UnionLimits = { members: 24, chars: MAX_UNION_CHARS };

type RuleFor<Is extends TypeRule["is"]> = Extract<TypeRule, { is: Is }>;

/** Evaluates the types of one file. */
export class TypeReader {
  readonly #expressions: ExpressionEvaluator;

  constructor(expressions: ExpressionEvaluator) {
    this.#expressions = expressions;
  }

  /** Returns the expression of an instance of the type; "" if unknown. */
  read(node: number): string {
    const rule = this.#ruleOf(node);
    if (rule !== undefined) return this.#byRule(node, rule);
    if (this.#expressions.isName(node)) return this.#named(node);
    // A constructed or inherited type may be written as an expression.
    return this.#expressions.valueRule(node)?.is === "member" ? this.#path(node) : "";
  }

  #ruleOf(node: number): TypeRule | undefined {
    const { grammar, tree } = this.#expressions.file;
    return grammar.nodes[tree.types[node] ?? 0]?.type;
  }

  #part(node: number, part: NodePart): string {
    return this.#expressions.typeOf(partOf(this.#expressions.file.tree, node, part));
  }

  #byRule(node: number, rule: TypeRule): string {
    if (rule.is === "through") return this.#part(node, rule.of);
    if (rule.is === "path") return this.#path(node);
    if (rule.is === "generic") return this.#generic(node, rule);
    if (rule.is === "union") return this.#union(node);
    if (rule.is === "all") return this.#all(node);
    if (rule.is === "several") {
      const { tree } = this.#expressions.file;
      const one = this.#part(node, rule.of);
      return rule.when?.(node, tree) === false ? one : several(one);
    }
    if (rule.is === "tuple") return this.#tuple(node);
    if (rule.is === "literal") return `@${rule.type}`;
    if (rule.is === "value") return this.#value(node, rule);
    if (rule.is === "self") return orEmpty(this.#expressions.selfAt(node));
    if (rule.is === "member") return this.#member(node, rule);
    return rule.is === "nothing" ? "" : this.#readSpelling(node, rule);
  }

  #value(node: number, { of, isInstance }: RuleFor<"value">): string {
    const value = orEmpty(this.#valueIn(node, of));
    return isInstance === true && /^[\w. ]+$/.test(value) ? `@${value}` : value;
  }

  #valueIn(node: number, part: NodePart): string {
    return this.#expressions.valueOf(partOf(this.#expressions.file.tree, node, part));
  }

  #readSpelling(node: number, rule: RuleFor<"builtin" | "quoted">): string {
    const { tree } = this.#expressions.file;
    if (rule.is === "quoted") {
      const name = tree.literalOf(node).replace(/\s*\|\s*None$|^None\s*\|\s*/, "");
      return /^[\p{L}_][\w.]*$/u.test(name) ? `@${name}` : "";
    }
    const name = tree.textOf(node);
    return rule.except?.includes(name) === true ? "" : `@${name}`;
  }

  #member(node: number, rule: RuleFor<"member">): string {
    const { tree, grammar } = this.#expressions.file;
    const name = partOf(tree, node, rule.name);
    const text = name === -1 ? "" : tree.literalOf(name);
    if (/^\d$/.test(text)) {
      const list = partOf(tree, node, rule.of);
      const callable = this.#functionIn(list, grammar.rules.signatureTypes?.parameters);
      if (callable !== undefined) return callable === "" ? "" : `${callable}{${text}}`;
    }
    const object = this.#part(node, rule.of);
    return object === "" || !/^\w+$/.test(text) ? "" : `${object}.${text}`;
  }

  /** Returns `f` of `Name<typeof f>`, "" if it is unknown; undefined for types with another name. */
  #functionIn(node: number, named: string | undefined): string | undefined {
    const rule = node === -1 ? undefined : this.#ruleOf(node);
    if (rule?.is !== "generic") return undefined;
    const { tree } = this.#expressions.file;
    const name = partOf(tree, node, rule.name);
    if (name === -1 || tree.textOf(name) !== named) return undefined;
    const list = partOf(tree, node, rule.arguments);
    return list === -1 ? "" : this.#expressions.typeOf(tree.child(list, 0));
  }

  #named(leaf: number): string {
    const object = this.#expressions.objectOf(leaf);
    const name = this.#expressions.file.tree.textOf(leaf);
    if (object !== -1) return this.#typeIn(this.#expressions.valueOf(object), name);
    if (this.#isSelfType(name)) return orEmpty(this.#expressions.selfAt(leaf));
    const local = this.#expressions.localAt(leaf, true);
    if (local === undefined || local.binding !== -1) return `@${name}`;
    if (local.symbol === -1) return this.#targetOfAlias(local);
    const isOfFile = local.scope.kind === undefined && this.#isInFile(local);
    return isOfFile ? `@${name}` : `#${local.symbol}`;
  }

  /** The function that is made of the markup of a component has its own name for it. */
  #isInFile({ node }: LocalVariable): boolean {
    const { tree, symbols } = this.#expressions.file;
    return symbols.lineInFile(tree.start(node)) !== 0;
  }

  #isSelfType(name: string): boolean {
    return name === this.#expressions.file.grammar.rules.selfType;
  }

  /** Returns the target of a type declared in a function; type parameters evaluate to their bounds. */
  #targetOfAlias(local: LocalVariable): string {
    const { node, origin } = local;
    const { tree, grammar } = this.#expressions.file;
    const { typeParameters } = this.#expressions;
    if (typeParameters === "nothing") return "";
    const isTypeName =
      grammar.names[tree.types[node] ?? 0] === TYPE_NAME ||
      this.#expressions.isTypeParameter(local);
    if (!isTypeName || origin === undefined) return "";
    if (typeParameters === "bounds") return this.#expressions.typeOf(origin.type);
    const key = grammar.rules.shapes?.typeParameterAt(node, typeParameters.callable, tree) ?? "";
    if (key === "") return "";
    const bound = typeParameters.hasBounds ? this.#expressions.typeOf(origin.type) : "";
    return typeParameterOf(key, bound);
  }

  /** Returns a type in a namespace or in another type. */
  #typeIn(path: string, name: string): string {
    return /^[\p{L}\p{N}_.]+$/u.test(path) ? `@${path}.${name}` : "";
  }

  /** Returns `a.b.Name`, from all names in the node. */
  #path(node: number): string {
    const { tree } = this.#expressions.file;
    const end = tree.next(node);
    let path = "";
    for (let inside = node + 1; inside < end; inside += 1) {
      if (!tree.isLeaf(inside)) continue;
      const name = tree.textOf(inside);
      const self = path === "" && this.#isSelfType(name) ? this.#expressions.selfAt(inside) : "";
      // `typing.Self`
      if (path !== "" && this.#isSelfType(name)) return orEmpty(this.#expressions.selfAt(inside));
      if (self === UNKNOWN || (path === "" && !this.#isVisibleFromFile(inside))) return "";
      path += self === "" ? `${path === "" ? "@" : "."}${name}` : self;
      if (path.length > MAX_EXPRESSION_CHARS) return "";
    }
    return path;
  }

  #isVisibleFromFile(leaf: number): boolean {
    if (!this.#expressions.isName(leaf)) return true;
    const local = this.#expressions.localAt(leaf);
    return local === undefined || local.binding !== -1 || local.scope.kind === undefined;
  }

  #generic(node: number, rule: RuleFor<"generic">): string {
    const { tree, grammar } = this.#expressions.file;
    const name = partOf(tree, node, rule.name);
    if (name === -1) return "";
    const containers = grammar.rules.containers ?? {};
    const text = tree.textOf(name).replace(STANDARD_MODULE, "");
    const container = Object.hasOwn(containers, text) ? containers[text] : undefined;
    if (container === undefined && text === grammar.rules.unionType) {
      return this.#union(partOf(tree, node, rule.arguments));
    }
    if (container === undefined) {
      const callable = this.#functionIn(node, grammar.rules.signatureTypes?.result);
      if (callable !== undefined) return callable === "" ? "" : `${callable}()`;
      const type = this.#expressions.typeOf(name);
      return grammar.rules.shapes === undefined ? type : genericType(type, node, this.#expressions);
    }
    const list = partOf(tree, node, rule.arguments);
    // The arguments of `typing.Dict[str, Foo]` follow the name in the same node.
    const before = list === node && container.argument >= 0 ? 1 : 0;
    const argument = list === -1 ? -1 : tree.child(list, container.argument + before);
    const expression = this.#expressions.typeOf(argument);
    return container.isCollection ? several(expression) : expression;
  }

  #union(node: number): string {
    const limits = this.#isNamed(node) ? NAMED_LIMITS : LIMITS;
    const members: string[] = [];
    const plain = new Set<string>();
    for (const member of this.#membersOf(node)) {
      const is = this.#ruleOf(member)?.is;
      if (is === "builtin" || is === "literal") plain.add(this.read(member));
      else if (is !== "nothing") members.push(this.#expressions.typeOf(member));
      if (members.length > limits.members) return "";
    }
    const [only = ""] = plain;
    // Types of the language itself have no members in the project.
    if (members.length > 0) return oneOf(members, limits.chars);
    return plain.size === 1 ? only : "";
  }

  /** A member of an intersection is one of each type that has it. An intersection with a name is a shape. */
  #all(node: number): string {
    if (this.#isNamed(node)) return "";
    const types = this.#expressions.file.tree.children(node);
    const parts = types.map((type) => this.#expressions.typeOf(type));
    return parts.includes("") ? "" : oneOf(parts, MAX_EXPRESSION_CHARS);
  }

  /** The types of a union: `A | B | C` is parsed as nested ones. */
  *#membersOf(union: number): Generator<number> {
    const open = [union];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const child of this.#expressions.file.tree.children(one)) {
        const member = this.#unwrapped(child);
        if (this.#ruleOf(member)?.is === "union") open.push(member);
        else yield member;
      }
    }
  }

  /** Returns whether the node is the whole definition of a named type: `type Shape = Circle | Square`. */
  #isNamed(node: number): boolean {
    const { grammar, tree } = this.#expressions.file;
    const { holds, scope } = grammar.nodes[tree.types[tree.parent(node)] ?? 0] ?? {};
    return scope === "type" && typeof holds === "object" && holds.type !== undefined;
  }

  /** Returns a list of a type if all members of a tuple have it. */
  #tuple(node: number): string {
    const { tree } = this.#expressions.file;
    const types = new Set(tree.children(node).map((member) => this.#expressions.typeOf(member)));
    const [only = ""] = types;
    return types.size === 1 ? several(only) : "";
  }

  /** Returns the type below nodes that only wrap it. */
  #unwrapped(node: number): number {
    const { tree } = this.#expressions.file;
    let inner = node;
    for (let rule = this.#ruleOf(inner); rule?.is === "through"; rule = this.#ruleOf(inner)) {
      const next = partOf(tree, inner, rule.of);
      if (next === -1) break;
      inner = next;
    }
    return inner;
  }
}

/** Returns the expression of a value that has one of some types; "" if none is known, or if it is too long. */
function oneOf(types: readonly string[], maxChars: number): string {
  const known = [...new Set(types.flatMap((one) => one.split(OR_ELSE)))].filter(
    (one) => one !== "",
  );
  const joined = known.join(OR_ELSE);
  return joined.length > maxChars ? "" : joined;
}

/** Returns the expression of a collection of values of a type; "" if it is unknown. */
function several(element: string): string {
  return element === "" ? "" : severalOf(element);
}

/** Modules of containers, before their names: `typing.Iterator`. */
const STANDARD_MODULE =
  /^(?:React|t|te|typing|typing_extensions|collections(?:\.abc)?|c?abc|java\.util)\.(?=\w+$)/;

function orEmpty(expression: string): string {
  return expression === UNKNOWN ? "" : expression;
}
