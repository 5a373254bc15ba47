import type { Node, Tree } from "web-tree-sitter";

import { assignedFields } from "../assigned-fields.ts";
import {
  childOfType,
  fieldName,
  fieldNode,
  fieldText,
  lineSpan,
  nameAt,
  titleAt,
  type DefinitionRule,
  type LanguageRules,
  type LeafDefinition,
  type Name,
  type SymbolKind,
} from "../definition-rules.ts";
import { javascriptAccessChange, javascriptMemberAccess, fileAccess } from "./access.ts";
import { FUNCTIONS, usedInClosures } from "./closure-names.ts";
import {
  hasMemberKeys,
  isIndexedMember,
  keyName,
  objectOf,
  returnedNames,
  returnedObject,
} from "./object-members.ts";
import { patternNames } from "./patterns.ts";

const SUITES = new Set(["describe", "suite", "context"]);
const TESTS = new Set(["it", "test", "specify", "bench"]);
/** A call with a shorter function as its argument is treated like any other statement. */
const ENTER_FROM_LINES = 20;
/** A shorter returned function has no functions of its own. */
const RETURN_FROM_LINES = 4;

const IMPORTED = /^(?:await\s+import|require)\s*\(/;
const MAX_ASSIGNMENTS = 8;
const THIS = /\bthis\.(#?[A-Za-z_$][\w$]*)(?=\s*=(?![=>]))/g;

/** Methods of a function that call it. */
const CALLERS = new Set(["call", "apply"]);

const FUNCTION: DefinitionRule = { kind: "function" };
const CLASS: DefinitionRule = { kind: "class", hasMembers: true };

/** Returns the rule for a name by its value: `x = …`, `x: …`, `const x = …`. */
function ruleForValue(
  value: Node | undefined,
  naming: Pick<DefinitionRule, "name" | "owner">,
): DefinitionRule {
  const inner = value && unwrapCall(value);
  if (inner !== undefined && FUNCTIONS.has(inner.type)) {
    return { ...naming, kind: "function", body: () => fieldNode(inner, "body") };
  }
  if (inner?.type === "class") {
    return { ...naming, kind: "class", hasMembers: true, body: () => fieldNode(inner, "body") };
  }
  const object = objectOf(inner);
  if (object !== undefined && holdsFunctions(object)) {
    return { ...naming, kind: "constant", hasMembers: true, body: () => object };
  }
  return { ...naming, kind: "constant", body: () => object ?? inner };
}

/** Adds the keys of the object that a constant or a field holds. */
function withKeys(rule: DefinitionRule): DefinitionRule {
  return rule.kind === "function" || rule.kind === "class" || rule.hasMembers === true
    ? rule
    : { ...rule, fields: (node) => keysOf(rule.body?.(node)) };
}

/** Returns the object of a value, if its keys are members. */
function keysOf(value: Node | undefined): Node | undefined {
  const object = objectOf(value);
  return object !== undefined && hasMemberKeys(object) ? object : undefined;
}

/** Returns the rule for a key of an object: of a function, or of a field of a constant or of a returned object. */
function keyRule(node: Node, parent: SymbolKind | undefined): DefinitionRule | undefined {
  const value = fieldNode(node, "value");
  const rule = ruleForValue(value, { name: keyName });
  if (rule.kind !== "constant" || rule.hasMembers === true) return rule;
  const object = node.parent;
  if (parent === undefined || parent === "module" || object === null) return undefined;
  if (!hasMemberKeys(object) || !isIndexedMember(node)) return undefined;
  const fields = (): Node | undefined => keysOf(value);
  return { kind: "field", isInline: true, name: keyName, body: () => undefined, fields };
}

function variableRule(node: Node): DefinitionRule | undefined {
  const value = fieldNode(node, "value");
  // An imported value is defined elsewhere, and a pattern has no single name.
  const isOther = value !== undefined && IMPORTED.test(value.text);
  const isName = fieldNode(node, "name")?.type === "identifier";
  return isName && !isOther ? withKeys(ruleForValue(value && assignedValue(value), {})) : undefined;
}

/** Returns the function in `memo(function Row() {…})`, because the name refers to it. */
function unwrapCall(value: Node): Node {
  if (value.type !== "call_expression") return value;
  const callback = lastFunction(value);
  return callback !== undefined && fieldNode(callback, "body")?.type === "statement_block"
    ? callback
    : value;
}

function lastFunction(call: Node): Node | undefined {
  const last = withoutParentheses(fieldNode(call, "arguments")?.lastNamedChild ?? undefined);
  return last && FUNCTIONS.has(last.type) ? last : undefined;
}

function holdsFunctions(object: Node): boolean {
  if (lineSpan(object) < 3) return false;
  return object.namedChildren.some((child) => {
    if (child.type === "method_definition") return true;
    const value = child.type === "pair" ? fieldNode(child, "value") : undefined;
    return value !== undefined && FUNCTIONS.has(unwrapCall(value).type);
  });
}

function statementRule(statement: Node): DefinitionRule | undefined {
  const expression = statement.firstNamedChild;
  if (expression?.type === "assignment_expression") return assignmentRule(expression);
  if (expression?.type === "call_expression") {
    return propertyRule(expression) ?? testRule(expression);
  }
  // The TypeScript grammar puts `namespace X {}` into an expression statement.
  if (expression?.type === "internal_module") {
    const body = (): Node | undefined => fieldNode(expression, "body");
    return {
      kind: "module",
      hasMembers: true,
      name: () => fieldName(expression, "name"),
      body,
    };
  }
  return undefined;
}

function assignmentRule(assignment: Node): DefinitionRule | undefined {
  const left = fieldNode(assignment, "left");
  const right = fieldNode(assignment, "right");
  if (right === undefined || left === undefined) return undefined;
  // In `exports = module.exports = Type.Name = …` the last name is its own.
  if (right.type === "assignment_expression" && /^(?:module\.)?exports$/.test(left.text)) {
    return assignmentRule(right);
  }
  if (left.type !== "member_expression") return undefined;
  const target = left.text;
  // A property of a call's result has no name.
  if (target.length > 120 || target.includes("(")) return undefined;
  const value = assignedValue(right);
  if (value.type === "object" && target.endsWith(".prototype")) {
    return membersOf(target.slice(0, -".prototype".length), value);
  }
  return assignedRule({ target, left, right, value });
}

function assignedRule({
  target,
  left,
  right,
  value,
}: Readonly<Record<"left" | "right" | "value", Node>> & {
  readonly target: string;
}): DefinitionRule | undefined {
  const rule = ruleForValue(value, assignedName(target, left, value));
  if (rule.kind !== "constant" || rule.hasMembers === true) return rule;
  if (target === "module.exports" && childOfType(value, "pair") !== undefined)
    return withKeys(rule);
  // `this.x = 1` and `module.y = z` are definitions only if the value is one.
  return (isProperty(target) || isExpando(left)) && !isAlias(right)
    ? withKeys({ ...rule, kind: "field" })
    : undefined;
}

/** Returns the value of `a = b = value`, and of `a = (b = value)`. */
function assignedValue(right: Node): Node {
  let value = right;
  for (let left = MAX_ASSIGNMENTS; left > 0; left -= 1) {
    const inner: Node | null | undefined =
      value.type === "parenthesized_expression" ? value.firstNamedChild : fieldNode(value, "right");
    if (!inner || !/^(?:assignment|parenthesized)_expression$/.test(value.type)) break;
    value = inner;
  }
  return value;
}

/** Returns whether assigning it creates a property: `exports.x`, `Type.x`, `Type.prototype.x`. */
function isProperty(target: string): boolean {
  return (
    /^(?:(?:module\.)?exports|[A-Z][\w$]*(?:\.prototype)?)\.[\w$]+$/.test(target) &&
    target !== "module.exports"
  );
}

const expandos = new WeakMap<Tree, ReadonlySet<string>>();

/** Returns whether the object is a function of the file or an empty literal, which get their properties one by one. */
function isExpando(target: Node): boolean {
  const object = fieldNode(target, "object");
  if (object?.type !== "identifier") return false;
  let names = expandos.get(target.tree);
  if (names === undefined) {
    const found = target.tree.rootNode.text.matchAll(EXPANDO);
    names = new Set([...found].map((match) => match[1] ?? match[2] ?? ""));
    expandos.set(target.tree, names);
  }
  return names.has(object.text);
}

const EXPANDO =
  /^(?:(?:const|let|var)\s+([\w$]+)\s*=\s*\(?\s*(?:\{\s*\}|(?:module\.)?exports\b)|(?:async\s+)?function\s+([\w$]+))/gm;

/** Returns whether the value has a name of its own. */
function isAlias(value: Node): boolean {
  return value.type === "identifier";
}

/** Returns a rule for a block of members that are added to an object elsewhere. */
function membersOf(owner: string, members: Node): DefinitionRule {
  return {
    kind: "class",
    isSymbol: false,
    hasMembers: true,
    name: () => owner,
    body: () => members,
  };
}

/** Returns the rule for `Object.defineProperty(a, "b", …)` and for `Object.assign(Type.prototype, {…})`. */
function propertyRule(call: Node): DefinitionRule | undefined {
  const method = fieldNode(call, "function")?.text ?? "";
  if (!method.startsWith("Object.")) return undefined;
  const [object, second] = fieldNode(call, "arguments")?.namedChildren ?? [];
  if (object === undefined || second === undefined || !/^[\w$.]{1,80}$/.test(object.text)) {
    return undefined;
  }
  const owner = object.text.replace(/\.prototype$/, "").replace(/^(?:module\.)?exports$/, "");
  if (method === "Object.defineProperty" && second.type === "string") {
    const rule: DefinitionRule = {
      kind: "field",
      name: () => titleAt(second),
      body: () => undefined,
    };
    return owner === "" ? rule : { ...rule, owner: () => owner };
  }
  return isBlockOf(method, object.text, owner) && second.type === "object"
    ? membersOf(owner, second)
    : undefined;
}

function isBlockOf(method: string, object: string, owner: string): boolean {
  const isBlock = method === "Object.assign" || method === "Object.defineProperties";
  return isBlock && (object.endsWith(".prototype") || /^[A-Z]/.test(owner));
}

function assignedName(
  target: string,
  left: Node,
  value: Node,
): Pick<DefinitionRule, "name" | "owner"> {
  const path = target.replace(/\s+/g, "").replace(/^(?:module\.)?exports\.(?=.)/, "");
  if (path === "module.exports") {
    return { name: () => fieldName(value, "name") ?? fieldName(left, "property") };
  }
  const parts = path.replace(/\.prototype(?=\.)/, "").split(".");
  parts.pop();
  const name = (): Name | undefined => fieldName(left, "property");
  const owner = parts.filter((part) => part !== "this").join(".");
  return owner === "" ? { name } : { name, owner: () => owner };
}

/** Returns the fields that a constructor function assigns to `this`, or a function of a prototype. */
function fieldsOfFunction(node: Node, text: string): readonly LeafDefinition[] {
  const owner = ownerOfFunction(node, text);
  if (owner === undefined) return [];
  return assignedFields(node, text, THIS).map(({ node: at, rule }) => ({
    node: at,
    rule: { ...rule, owner: () => owner },
  }));
}

/** Returns the name of the type that `this` refers to in a function; undefined if it is not one. */
function ownerOfFunction({ startIndex }: Node, text: string): string | undefined {
  const head = text.slice(startIndex, startIndex + 120);
  return (
    /^function\s+([A-Z][\w$]*)/.exec(head)?.[1] ??
    /^([\w$]+)\.prototype\.[\w$]+\s*=\s*(?:[\w$.]+\s*=\s*)*(?:async\s+)?function\b/.exec(
      head,
    )?.[1] ??
    /^(?:(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*)+function\s+([A-Z][\w$]*)/.exec(head)?.[1] ??
    /^([A-Z][\w$]*)\s*=\s*(?:exports\.[\w$]+\s*=\s*)?function\b/.exec(head)?.[1]
  );
}

function testRule(call: Node): DefinitionRule | undefined {
  const callee = calleeName(call);
  if (callee === undefined) return undefined;
  const isSuite = SUITES.has(callee);
  if (!isSuite && !TESTS.has(callee)) return undefined;
  const first = fieldNode(call, "arguments")?.firstNamedChild;
  const callback = lastFunction(call);
  if (!first || callback === undefined || FUNCTIONS.has(first.type)) return undefined;
  return {
    kind: isSuite ? "module" : "function",
    name: () => titleAt(first),
    body: () => fieldNode(callback, "body"),
    hasMembers: isSuite,
    isSymbol: false,
    isTitle: true,
  };
}

/** Returns `it` for `it(…)`, `it.only(…)` and `it.each(…)(…)`; `test` for `t.test(…)`. */
function calleeName(call: Node): string | undefined {
  let callee = fieldNode(call, "function");
  if (callee?.type === "call_expression") callee = fieldNode(callee, "function");
  if (callee?.type !== "member_expression") return callee?.text;
  const object = fieldNode(callee, "object")?.text ?? "";
  return SUITES.has(object) || TESTS.has(object) ? object : fieldNode(callee, "property")?.text;
}

/**
 * Returns the body of a function that a statement calls or passes as an argument: modules, plugins, test
 * hooks.
 */
function enter(node: Node): Node | undefined {
  if (node.type === "return_statement") return returnedBody(node);
  if (node.type !== "expression_statement" && node.type !== "export_statement") return undefined;
  if (lineSpan(node) < ENTER_FROM_LINES) return undefined;
  let expression = withoutParentheses(node.firstNamedChild ?? undefined);
  if (expression?.type === "unary_expression") expression = fieldNode(expression, "argument");
  if (expression?.type !== "call_expression") return undefined;
  const [invoked, last] = [invokedFunction(expression), lastFunction(expression)];
  // `(function (root, factory) {…})(this, function () {…})` chooses a module system, and the code is in the factory.
  const target = invoked && last && lineSpan(last) > lineSpan(invoked) ? last : (invoked ?? last);
  return target && fieldNode(target, "body");
}

/** Returns the function of `(function () {…})()`, `(function () {…}())` and `(function () {…}).call(this)`. */
function invokedFunction(call: Node): Node | undefined {
  let callee = withoutParentheses(fieldNode(call, "function"));
  if (callee?.type === "member_expression" && CALLERS.has(fieldText(callee, "property") ?? ""))
    callee = withoutParentheses(fieldNode(callee, "object"));
  return callee !== undefined && FUNCTIONS.has(callee.type) ? callee : undefined;
}

function withoutParentheses(node: Node | undefined): Node | undefined {
  let inner = node;
  while (inner?.type === "parenthesized_expression") inner = inner.firstNamedChild ?? undefined;
  return inner;
}

/** Returns the body of `return function () {…}` and of `return new Promise((resolve) => {…})`. */
function returnedBody(statement: Node): Node | undefined {
  if (lineSpan(statement) < RETURN_FROM_LINES) return undefined;
  const value = statement.firstNamedChild ?? undefined;
  const target = value && (FUNCTIONS.has(value.type) ? value : lastFunction(value));
  return target && fieldNode(target, "body");
}

export const javascript: LanguageRules = {
  definitions: {
    function_declaration: FUNCTION,
    generator_function_declaration: FUNCTION,
    class_declaration: CLASS,
    // `export default class {}` and `export default function () {}` have no declaration node.
    class: { ...CLASS, name: (node) => fieldName(node, "name") ?? "default" },
    arrow_function: { kind: "function", name: defaultExportName },
    function_expression: { kind: "function", name: defaultExportName },
    method_definition: { kind: "method" },
    variable_declarator: variableRule,
    expression_statement: statementRule,
    pair: keyRule,
    field_definition: (node) => ({
      ...javascriptFieldRule(node),
      name: () => fieldName(node, "property"),
    }),
  },
  wrappers: new Set(["export_statement"]),
  groups: new Set(["lexical_declaration", "variable_declaration"]),
  // `object` occurs where a whole object is exported.
  blocks: new Set(["if_statement", "else_clause", "statement_block", "object"]),
  attached: new Set(["comment", "decorator"]),
  additionalDefinitions: {
    variable_declarator: (node, text) => {
      // A pattern begins with its bracket. An imported value is defined elsewhere.
      const first = text[node.startIndex];
      if (first !== "{" && first !== "[") return [];
      const value = fieldNode(node, "value");
      if (value !== undefined && IMPORTED.test(value.text)) return [];
      return patternNames(fieldNode(node, "name")).map((name) => ({
        kind: "constant",
        name: () => nameAt(name),
        body: () => undefined,
      }));
    },
  },
  attributes: {
    method_definition: (node, text) => assignedFields(node, text, THIS),
  },
  ownedFields: {
    function_declaration: fieldsOfFunction,
    expression_statement: fieldsOfFunction,
    variable_declarator: fieldsOfFunction,
  },
  access: javascriptMemberAccess,
  fileAccess,
  accessChanges: {
    export_statement: javascriptAccessChange,
    expression_statement: javascriptAccessChange,
  },
  enter,
  hasNestedFunctions: true,
  nestedFunctionPattern: /\bfunction\b|=>/,
  localsOf: usedInClosures,
  returnedObject,
  returnedNames,
};

/** Returns the rule for a field of a class: a method if its value is a function. */
export function javascriptFieldRule(node: Node): DefinitionRule {
  const value = fieldNode(node, "value");
  const rule = ruleForValue(value, {});
  if (rule.kind === "function") return rule;
  const fields = (): Node | undefined => keysOf(value);
  return { kind: "field", isInline: true, body: () => undefined, fields };
}

function defaultExportName(node: Node): Name | string | undefined {
  const name = fieldName(node, "name");
  return node.parent?.type === "export_statement" ? (name ?? "default") : undefined;
}
