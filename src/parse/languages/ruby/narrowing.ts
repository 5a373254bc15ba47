// Conditions of Ruby that determine the class of a variable where they hold: `node.text if node.is_a?(Text)`, `case node when Text`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { NarrowedType } from "../type-conditions.ts";

/** Levels between a name and the condition. */
const MAX_LEVELS = 16;
/** Statements before a name in its block. */
const MAX_STATEMENTS = 40;
/** Conditions in a condition. */
const MAX_DEPTH = 8;
/** Longer names are not narrowed. */
const MAX_NAME_CHARS = 60;
const BOUNDARY = /^(?:method|singleton_method|class|module|singleton_class)$/;
const TEST = /^(?:is_a\?|kind_of\?|instance_of\?)$/;
const EXIT = /^(?:return|next|break)$/;
const SELECTING = /^(?:find|detect|select|filter)$/;
/** Methods of the standard library that return the value of their block. */
const RETURNS_BLOCK =
  /^(?:open|chdir|synchronize|timeout|mktmpdir|then|yield_self|instance_eval|instance_exec)$/;
const CONSTANT = /^(?:constant|scope_resolution)$/;

interface Place {
  /** The part that has the name. */
  readonly node: number;
  readonly name: string;
  readonly tree: FlatSyntaxTree;
}

/** Returns the classes that the conditions around a name give to its variable; undefined if there are none. */
export function testedClass(leaf: number, tree: FlatSyntaxTree): NarrowedType | undefined {
  const name = tree.textOf(leaf);
  if (!testedNames(tree).has(name)) return undefined;
  let node = leaf;
  for (let left = MAX_LEVELS; left > 0; left -= 1) {
    const around = tree.parent(node);
    if (around === -1 || BOUNDARY.test(tree.typeName(around))) return undefined;
    const types = typesAround(around, { node, name, tree });
    if (types !== undefined) return { types };
    node = around;
  }
  return undefined;
}

/** The names that conditions of a file test. Most names are in none. */
const TESTED = new WeakMap<FlatSyntaxTree, ReadonlySet<string>>();

function testedNames(tree: FlatSyntaxTree): ReadonlySet<string> {
  const known = TESTED.get(tree);
  if (known !== undefined) return known;
  const { text } = tree;
  const names = new Set<string>();
  for (const { index } of text.matchAll(/\.(?:is_a|kind_of|instance_of)\?/g)) {
    const [name] = /\w+(?=&?$)/.exec(text.slice(Math.max(0, index - MAX_NAME_CHARS), index)) ?? [];
    if (name !== undefined) names.add(name);
  }
  for (const [, name = ""] of text.matchAll(/(?:\bcase|===)[ \t]+(\w+)/g)) names.add(name);
  TESTED.set(tree, names);
  return names;
}

/**
 * Returns the class of the elements that a call selects by their class, and whether it returns one of them:
 * `rows.find { |row| row.is_a?(Text) }`. Undefined for other calls.
 */
export function selectedType(
  call: number,
  tree: FlatSyntaxTree,
): { readonly type: number; readonly isOne: boolean } | undefined {
  const method = tree.childInField(call, "method");
  const block = tree.childInField(call, "block");
  if (method === -1 || block === -1 || !SELECTING.test(tree.textOf(method))) return undefined;
  const parameters = tree.childInField(block, "parameters");
  const body = tree.childInField(block, "body");
  const parameter = parameters === -1 ? -1 : tree.child(parameters, 0);
  if (parameter === -1 || body === -1 || tree.children(body).length !== 1) return undefined;
  const place = { node: body, name: tree.textOf(parameter), tree };
  const type = typeIf(tree.child(body, 0), place, true);
  return type === undefined
    ? undefined
    : { type, isOne: /^(?:find|detect)$/.test(tree.textOf(method)) };
}

function typesAround(around: number, place: Place): readonly number[] | undefined {
  const { node, tree } = place;
  if (tree.typeName(around) === "when") {
    return tree.fieldName(node) === "body" ? ofWhen(around, place) : undefined;
  }
  const type = typeAround(around, place);
  return type === undefined ? undefined : [type];
}

/** Returns the value of the block of a call that returns what its block does: `File.open(path) { |file| read(file) }`; else -1. */
export function blockResult(call: number, tree: FlatSyntaxTree): number {
  const method = tree.childInField(call, "method");
  const block = tree.childInField(call, "block");
  if (method === -1 || block === -1 || !RETURNS_BLOCK.test(tree.textOf(method))) return -1;
  const body = tree.childInField(block, "body");
  return body === -1 ? -1 : tree.child(body, -1);
}

function typeAround(around: number, place: Place): number | undefined {
  const { node, tree } = place;
  const field = tree.fieldName(node);
  switch (tree.typeName(around)) {
    case "if":
    case "elsif":
    case "conditional":
    case "unless":
      return inBranch(around, place);
    case "if_modifier":
    case "unless_modifier":
      if (field !== "body") return undefined;
      return typeIf(tree.childInField(around, "condition"), place, isIf(around, tree));
    case "binary": {
      const isAnd = isAndOr(around, tree);
      if (field !== "right" || isAnd === undefined) return undefined;
      return typeIf(tree.childInField(around, "left"), place, isAnd);
    }
    case "then":
    case "else":
    case "body_statement":
    case "block_body":
      return afterExits(around, place);
    default:
      return undefined;
  }
}

function inBranch(around: number, place: Place): number | undefined {
  const { node, tree } = place;
  const field = tree.fieldName(node);
  if (field !== "consequence" && field !== "alternative") return undefined;
  const isTrue = (field === "consequence") === isIf(around, tree);
  return typeIf(tree.childInField(around, "condition"), place, isTrue);
}

/** Returns false for `unless`. */
function isIf(node: number, tree: FlatSyntaxTree): boolean {
  return !tree.typeName(node).startsWith("unless");
}

/** Returns the classes in `when Text, Comment`, if the `case` is about the variable. */
function ofWhen(when: number, { name, tree }: Place): readonly number[] | undefined {
  if (!isName(tree.childInField(tree.parent(when), "value"), name, tree)) return undefined;
  const patterns = tree.childrenOfType(when, "pattern");
  const types = patterns.flatMap((pattern) => constantAt(tree.child(pattern, 0), tree) ?? []);
  return types.length > 0 && types.length === patterns.length ? types : undefined;
}

/** An earlier statement determines the class: `return unless node.is_a?(Text)`. */
function afterExits(block: number, place: Place): number | undefined {
  const { node, tree } = place;
  const before = tree.children(block).filter((child) => child < node);
  for (const statement of before.slice(-MAX_STATEMENTS).toReversed()) {
    if (!tree.typeName(statement).endsWith("_modifier")) continue;
    const body = tree.childInField(statement, "body");
    if (body === -1 || !isExit(body, tree)) continue;
    const condition = tree.childInField(statement, "condition");
    const type = typeIf(condition, place, !isIf(statement, tree));
    if (type !== undefined) return type;
  }
  return undefined;
}

function isExit(statement: number, tree: FlatSyntaxTree): boolean {
  if (EXIT.test(tree.typeName(statement))) return true;
  const method = tree.childInField(statement, "method");
  return method !== -1 && tree.textOf(method) === "raise";
}

/** Returns the class of the variable where a condition is true, or where it is false. */
function typeIf(condition: number, place: Place, isTrue: boolean, depth = 0): number | undefined {
  const { name, tree } = place;
  if (condition === -1 || depth > MAX_DEPTH) return undefined;
  switch (tree.typeName(condition)) {
    case "parenthesized_statements":
      return typeIf(tree.child(condition, -1), place, isTrue, depth + 1);
    case "unary":
      return /^(?:!|not\b)/.test(tree.textOf(condition))
        ? typeIf(tree.child(condition, 0), place, !isTrue, depth + 1)
        : undefined;
    case "binary":
      return ofBinary(condition, place, isTrue, depth);
    case "call":
      return isTrue ? testedBy(condition, name, tree) : undefined;
    default:
      return undefined;
  }
}

function ofBinary(
  condition: number,
  place: Place,
  isTrue: boolean,
  depth: number,
): number | undefined {
  const { name, tree } = place;
  const [left = -1, right = -1] = tree.children(condition);
  if (operatorOf(condition, tree) === "===") {
    return isTrue && isName(right, name, tree) ? constantAt(left, tree) : undefined;
  }
  if (isAndOr(condition, tree) !== isTrue) return undefined;
  return typeIf(left, place, isTrue, depth + 1) ?? typeIf(right, place, isTrue, depth + 1);
}

/** Returns whether both sides must be true, or one of them; undefined for other operators. */
function isAndOr(binary: number, tree: FlatSyntaxTree): boolean | undefined {
  const operator = operatorOf(binary, tree);
  if (operator === "&&" || operator === "and") return true;
  return operator === "||" || operator === "or" ? false : undefined;
}

/** Returns the class in `name.is_a?(Text)`. */
function testedBy(call: number, name: string, tree: FlatSyntaxTree): number | undefined {
  const method = tree.childInField(call, "method");
  const list = tree.childInField(call, "arguments");
  if (method === -1 || list === -1 || !TEST.test(tree.textOf(method))) return undefined;
  if (!isName(tree.childInField(call, "receiver"), name, tree)) return undefined;
  return constantAt(tree.child(list, 0), tree);
}

function constantAt(node: number, tree: FlatSyntaxTree): number | undefined {
  return node !== -1 && CONSTANT.test(tree.typeName(node)) ? node : undefined;
}

function isName(node: number, name: string, tree: FlatSyntaxTree): boolean {
  return node !== -1 && tree.typeName(node) === "identifier" && tree.textOf(node) === name;
}

/** Returns the operator before the right side of a binary expression; "" if there is none. */
export function operatorOf(binary: number, tree: FlatSyntaxTree): string {
  const [left = -1, right = -1] = tree.children(binary);
  const between = right === -1 ? "" : tree.textBetween(left, right).trimEnd().slice(-3);
  return /(?:[^\s\w()[\]{}]+|\b(?:or|and))$/.exec(between)?.[0] ?? "";
}
