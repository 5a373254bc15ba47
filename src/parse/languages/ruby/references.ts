import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { CalledOperator, NodeRule, ReferenceRules } from "../reference-rules.ts";
import { blockResult, testedClass, operatorOf, selectedType } from "./narrowing.ts";

const METHOD: NodeRule = {
  scope: "function",
  value: { is: "function", body: resultOf },
  roles: { name: "none" },
};
const TYPE: NodeRule = { scope: "type", self: "own" };
const PARAMETERS: NodeRule = { declares: [{ names: "*", isParameter: true }] };
const NAMED_PATTERN: NodeRule = { pattern: { is: "through", of: "name" } };
const BLOCK: NodeRule = { scope: "function" };
const BRANCHES: NodeRule = { value: { is: "either", of: ["consequence", "alternative"] } };
const LAST: NodeRule = { value: { is: "through", of: -1 } };
const BODY: NodeRule = { value: { is: "through", of: "body" } };
const CLAUSE = /^(?:rescue|ensure|else)$/;
const ADDING = /^(?:push|append|prepend|unshift|insert|add|store)$/;
const MIXES_IN = /^(?:include|extend|prepend)$/;
/** Instance and class variables are members of the class. */
const OF_OBJECT: NodeRule = {
  value: { is: "member", object: bodyAround, name: "." },
  means: (name) => name.replace(/^@+/, ""),
};

export const rubyReferences: ReferenceRules = {
  names: {
    identifier: "value",
    constant: "value",
    instance_variable: "member",
    class_variable: "member",
  },
  calledNames: ["identifier"],
  fieldPrefix: "@",
  distinctions: {
    ofDefinition: sideOf,
    ofSignature: (signature) => (/^attr_(?:accessor|writer)/.test(signature) ? "=" : ""),
  },
  constructs: ["new"],
  calls: { "Class.new": { argument: 0, returns: "value" } },
  members: "all",
  hasUnions: true,
  returns: ["return"],
  receiverIn: receiverInBlock,
  narrowedType: testedClass,
  selectedType,
  blockResult,
  passing: {
    argumentsOf: argumentsIn,
    parameters: "parameters",
    keyOf,
    setBy: (leaf, tree) =>
      isSet(leaf, tree) ? tree.childInField(tree.parent(tree.parent(leaf)), "right") : -1,
    addedTo: addedElement,
  },
  isSequential: true,
  callbacks: {
    ...byName(
      "each map flat_map select filter reject find detect find_all any? all? none? each_entry sort_by group_by partition min_by max_by sum count filter_map reverse_each each_with_index each_with_object delete_if",
      ["[]"],
    ),
    ...byName("tap then yield_self", [""]),
  },
  ignored:
    "require require_relative autoload load attr_reader attr_writer attr_accessor alias_method private public protected private_constant private_class_method module_function raise lambda proc puts print p new loop catch throw binding block_given? __method__ __dir__ __FILE__ freeze".split(
      " ",
    ),
  nodes: {
    // Scopes and declarations.
    module: TYPE,
    class: TYPE,
    method: METHOD,
    singleton_method: METHOD,
    lambda: BLOCK,
    block: BLOCK,
    do_block: BLOCK,
    // The body of a class is evaluated as an object of the class.
    body_statement: { value: { is: "self" } },
    method_parameters: PARAMETERS,
    block_parameters: PARAMETERS,
    lambda_parameters: PARAMETERS,
    assignment: {
      declares: [{ names: "left", value: "right", when: setsVariable }],
      value: { is: "through", of: "right" },
      holds: { value: "right" },
      sets: { member: "left", value: "right" },
    },
    operator_assignment: {
      declares: [{ names: "left", value: "right", when: setsVariable }],
      value: { is: "through", of: "right" },
      sets: { member: "left", value: "right" },
    },
    for: { declares: [{ names: "pattern", value: "value", step: "[]" }] },
    in: { value: { is: "through", of: 0 } },
    exception_variable: { declares: [{ names: 0, type: caught }] },
    // Patterns.
    left_assignment_list: { pattern: { is: "each", step: "[]" } },
    destructured_left_assignment: { pattern: { is: "each", step: "[]" } },
    destructured_parameter: { pattern: { is: "each", step: "[]" } },
    rest_assignment: { pattern: { is: "through", of: 0 } },
    optional_parameter: NAMED_PATTERN,
    keyword_parameter: NAMED_PATTERN,
    splat_parameter: NAMED_PATTERN,
    hash_splat_parameter: NAMED_PATTERN,
    block_parameter: NAMED_PATTERN,
    as_pattern: { declares: [{ names: "name", value: "value" }] },
    keyword_pattern: { declares: [{ names: "value", when: isNamePattern }] },
    array_pattern: { declares: [{ names: "*" }] },
    // Expressions.
    yield: { constructs: () => "block" },
    block_argument: {
      constructs: (node, tree) => (isOwnBlock(node, tree) ? "passed block" : undefined),
    },
    self: { value: { is: "self" } },
    super: { value: { is: "base" } },
    instance_variable: OF_OBJECT,
    class_variable: OF_OBJECT,
    call: {
      value: { is: "invocation", object: "receiver", name: "method", arguments: "arguments" },
      accepts: (name, leaf, tree) =>
        name !== "new" && (!MIXES_IN.test(name) || mayAddModules(leaf, tree)),
      means: (name, leaf, tree) => (isSet(leaf, tree) ? `${name}=` : name),
      roles: (node, tree) => (constructs(node, tree) ? { receiver: "call" } : undefined),
      imports: readRequire,
    },
    scope_resolution: {
      value: { is: "member", object: "scope", name: "name" },
      type: { is: "path" },
    },
    element_reference: { value: { is: "element", of: "object" } },
    parenthesized_statements: { value: { is: "through", of: -1 } },
    conditional: { value: { is: "either", of: ["consequence", "alternative"] } },
    binary: {
      value: { is: "either", of: [leftOfOr, "right"], when: isLogical },
      constructs: calledOperator,
    },
    if: BRANCHES,
    unless: BRANCHES,
    elsif: BRANCHES,
    // oxlint-disable-next-line unicorn/no-thenable -- the node of a branch
    then: LAST,
    else: LAST,
    begin: { value: { is: "through", of: lastStatement } },
    case: { value: { is: "either", of: [1, 2, 3, -1] } },
    when: { value: { is: "through", of: "body" } },
    if_modifier: BODY,
    unless_modifier: BODY,
    rescue_modifier: BODY,
    return: { value: { is: "through", of: returned } },
    array: { value: { is: "list", type: "Array" } },
    hash: { value: { is: "literal", type: "Hash" } },
    string: { value: { is: "literal", type: "String" } },
    simple_symbol: { value: { is: "literal", type: "Symbol" } },
    integer: { value: { is: "literal", type: "Integer" } },
    float: { value: { is: "literal", type: "Float" } },
    regex: { value: { is: "literal", type: "Regexp" } },
    exceptions: { type: { is: "union" } },
    // Other uses of names.
    superclass: {
      roles: { "*": "inherit" },
      constructs: (node, tree) =>
        tree.typeName(tree.child(node, 0)) === "self" ? "outer" : undefined,
    },
    argument_list: {
      roles: (node, tree) => (isMixedIn(node, tree) ? { "*": "inherit" } : undefined),
    },
    undef: { isIgnored: true },
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

/** Methods of a class and those of its objects may have one name: `def self.parse` and `def parse`. */
function sideOf(node: number, tree: FlatSyntaxTree): string {
  if (tree.typeName(node) === "singleton_method") return "self";
  for (let around = tree.parent(node); around !== -1; around = tree.parent(around)) {
    const type = tree.typeName(around);
    if (type === "singleton_class") return "self";
    if (type === "class" || type === "module") return "";
  }
  return "";
}

function resultOf(node: number, tree: FlatSyntaxTree): number {
  const body = tree.childInField(node, "body");
  if (body === -1 || tree.typeName(body) !== "body_statement") return body;
  return lastStatement(body, tree);
}

/** Returns the statement with the value of a body. */
function lastStatement(body: number, tree: FlatSyntaxTree): number {
  const statements = tree.children(body).filter((child) => !CLAUSE.test(tree.typeName(child)));
  return statements.at(-1) ?? -1;
}

function returned(node: number, tree: FlatSyntaxTree): number {
  const list = tree.child(node, 0);
  return list === -1 ? -1 : tree.child(list, 0);
}

/** Returns the body of the enclosing class or module. */
function bodyAround(node: number, tree: FlatSyntaxTree): number {
  for (let around = tree.parent(node); around !== -1; around = tree.parent(around)) {
    const type = tree.typeName(around);
    if (type === "class" || type === "module") return tree.childInField(around, "body");
  }
  return -1;
}

/** Returns the arguments of a call of a method, or of `new` of a class. */
function argumentsIn(leaf: number, tree: FlatSyntaxTree): number {
  let name = leaf;
  while (tree.typeName(tree.parent(name)) === "scope_resolution") name = tree.parent(name);
  const call = tree.parent(name);
  if (tree.typeName(call) !== "call") return -1;
  const isCalled = tree.childInField(call, "method") === name || constructs(call, tree);
  return isCalled ? tree.childInField(call, "arguments") : -1;
}

/** `object.instance_eval { … }` */
function receiverInBlock(block: number, tree: FlatSyntaxTree): number | undefined {
  if (tree.typeName(block) === "method") return undefined;
  const call = tree.parent(block);
  const method = call === -1 ? -1 : tree.childInField(call, "method");
  if (method === -1 || !/_(?:eval|exec)$/.test(tree.textOf(method))) return -1;
  return tree.childInField(call, "receiver");
}

/** Returns whether an assignment calls the method: `object.name = value`. */
function isSet(leaf: number, tree: FlatSyntaxTree): boolean {
  const call = tree.parent(leaf);
  const set = tree.parent(call);
  return (
    tree.childInField(call, "method") === leaf &&
    set !== -1 &&
    tree.typeName(set) === "assignment" &&
    tree.childInField(set, "left") === call
  );
}

/** Returns the operator, if it is one that classes often define. */
function calledOperator(node: number, tree: FlatSyntaxTree): CalledOperator | undefined {
  const name = operatorOf(node, tree);
  if (!/^(?:<<|<=>|[-+*/%])$/.test(name)) return undefined;
  const [object = -1, passed = -1] = tree.children(node);
  return { name, object, passed };
}

/** Returns the value that is added to the collection in an instance variable: `@rows << row`, `@rows[0] = row`; else -1. */
function addedElement(leaf: number, tree: FlatSyntaxTree): number {
  if (!/^(?:instance|class)_variable$/.test(tree.typeName(leaf))) return -1;
  const around = tree.parent(leaf);
  switch (tree.typeName(around)) {
    case "binary":
      return tree.childInField(around, "left") === leaf && operatorOf(around, tree) === "<<"
        ? tree.childInField(around, "right")
        : -1;
    case "element_reference":
      return tree.childInField(around, "object") === leaf ? setElement(around, tree) : -1;
    case "call":
      return tree.childInField(around, "receiver") === leaf ? lastAdded(around, tree) : -1;
    default:
      return -1;
  }
}

/** Returns the value in `@rows[0] = value`. */
function setElement(element: number, tree: FlatSyntaxTree): number {
  const set = tree.parent(element);
  const isSetHere =
    tree.typeName(set).endsWith("assignment") && tree.childInField(set, "left") === element;
  return isSetHere ? tree.childInField(set, "right") : -1;
}

/** Returns the value in `@rows.push(value)`. */
function lastAdded(call: number, tree: FlatSyntaxTree): number {
  const method = tree.childInField(call, "method");
  const list = tree.childInField(call, "arguments");
  const isAdding = method !== -1 && list !== -1 && ADDING.test(tree.textOf(method));
  return isAdding ? tree.child(list, -1) : -1;
}

/** Returns whether a method passes the block with which it was called to another one: `@rows.each(&block)`. */
function isOwnBlock(node: number, tree: FlatSyntaxTree): boolean {
  const block = tree.child(node, 0);
  for (let around = tree.parent(node); around !== -1; around = tree.parent(around)) {
    if (!/^(?:singleton_)?method$/.test(tree.typeName(around))) continue;
    const list = tree.childInField(around, "parameters");
    const last = list === -1 ? -1 : tree.child(list, -1);
    if (last === -1 || tree.typeName(last) !== "block_parameter") return false;
    return block === -1 || tree.textOf(block) === tree.textOf(tree.childInField(last, "name"));
  }
  return false;
}

function keyOf(node: number, tree: FlatSyntaxTree): string | undefined {
  const type = tree.typeName(node);
  if (type === "keyword_parameter") return tree.textOf(tree.childInField(node, "name"));
  if (type === "pair") return tree.textOf(tree.child(node, 0));
  return /splat|block/.test(type) ? undefined : "";
}

function setsVariable(node: number, tree: FlatSyntaxTree): boolean {
  const left = tree.childInField(node, "left");
  return left !== -1 && /^(?:identifier|left_assignment_list)$/.test(tree.typeName(left));
}

function isNamePattern(node: number, tree: FlatSyntaxTree): boolean {
  const value = tree.childInField(node, "value");
  return value !== -1 && tree.typeName(value) === "identifier";
}

/** Returns the classes in a `rescue` clause. */
function caught(node: number, tree: FlatSyntaxTree): number {
  return tree.childInField(tree.parent(node), "exceptions");
}

function constructs(node: number, tree: FlatSyntaxTree): boolean {
  const method = tree.childInField(node, "method");
  return method !== -1 && tree.textOf(method) === "new";
}

/** Matches the arguments of `include A, B`. */
function isMixedIn(node: number, tree: FlatSyntaxTree): boolean {
  const call = tree.parent(node);
  if (tree.childInField(call, "receiver") !== -1) return false;
  const method = tree.childInField(call, "method");
  return method !== -1 && MIXES_IN.test(tree.textOf(method));
}

/** Returns whether `include` and the like are calls here. In the body of a class, their arguments are what it inherits from. */
function mayAddModules(leaf: number, tree: FlatSyntaxTree): boolean {
  if (tree.childInField(tree.parent(leaf), "receiver") !== -1) return true;
  for (let around = tree.parent(leaf); around !== -1; around = tree.parent(around)) {
    const type = tree.typeName(around);
    if (type === "method" || type === "singleton_method") return true;
    if (type === "class" || type === "module") return false;
  }
  return false;
}

function isLogical(node: number, tree: FlatSyntaxTree): boolean {
  return /^(?:\|\||&&|or|and)$/.test(operatorOf(node, tree));
}

/** `a && b` is `b`, or no object. */
function leftOfOr(node: number, tree: FlatSyntaxTree): number {
  return /^(?:\|\||or)$/.test(operatorOf(node, tree)) ? tree.childInField(node, "left") : -1;
}

/** Reads `require "x"`, `require_relative "x"` and `autoload :X, "x"`. */
function readRequire(node: number, { tree, add }: ImportReader): boolean {
  const method = tree.childInField(node, "method");
  const list = tree.childInField(node, "arguments");
  if (method === -1 || list === -1 || tree.childInField(node, "receiver") !== -1) return false;
  const name = tree.textOf(method);
  if (name !== "require" && name !== "require_relative" && name !== "autoload") return false;
  const [path] = tree.childrenOfType(list, "string");
  const content = path === undefined ? -1 : tree.child(path, 0);
  if (content === -1 || tree.typeName(content) !== "string_content") return false;
  const text = tree.textOf(content);
  const isRelative = name === "require_relative" && !text.startsWith(".");
  add({ node, module: isRelative ? `./${text}` : text, bindings: [], isWildcard: true });
  return false;
}
