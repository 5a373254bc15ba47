import type { Node } from "web-tree-sitter";

import { assignedFields } from "../assigned-fields.ts";
import {
  childOfType,
  fieldName,
  fieldNode,
  lineSpan,
  nameAt,
  titleAt,
  type DefinitionRule,
  type LanguageRules,
  type Name,
} from "../definition-rules.ts";
import { javascriptAccessChange, javascriptMemberAccess, fileAccess } from "./access.ts";
import { patternNames } from "./patterns.ts";

const FUNCTIONS = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "function_declaration",
]);
const SUITES = new Set(["describe", "suite", "context"]);
const TESTS = new Set(["it", "test", "specify", "bench"]);
/** A call with a shorter function as its argument is treated like any other statement. */
const ENTER_FROM_LINES = 20;

const IMPORTED = /^(?:await\s+import|require)\s*\(/;
const THIS = /\bthis\.(#?[A-Za-z_$][\w$]*)(?=\s*=(?![=>]))/g;

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
  if (inner?.type === "object" && holdsFunctions(inner)) {
    return { ...naming, kind: "constant", hasMembers: true, body: () => inner };
  }
  return { ...naming, kind: "constant", body: () => inner };
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
  const last = fieldNode(call, "arguments")?.lastNamedChild;
  return last && FUNCTIONS.has(last.type) ? last : undefined;
}

function holdsFunctions(object: Node): boolean {
  if (lineSpan(object) < 3) return false;
  return object.namedChildren.some((child) => {
    if (child.type === "method_definition") return true;
    const value = child.type === "pair" ? fieldNode(child, "value") : undefined;
    return value !== undefined && FUNCTIONS.has(value.type);
  });
}

function statementRule(statement: Node): DefinitionRule | undefined {
  const expression = statement.firstNamedChild;
  if (expression?.type === "assignment_expression") return assignmentRule(expression);
  if (expression?.type === "call_expression") return testRule(expression);
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
  if (left?.type !== "member_expression" || right === undefined) return undefined;
  const target = left.text;
  // A property of a call's result has no name.
  if (target.length > 120 || target.includes("(")) return undefined;
  const rule = ruleForValue(right, assignedName(target, left, right));
  // `this.x = 1` and `module.y = z` are definitions only if the value is one.
  return rule.kind === "constant" && rule.hasMembers !== true ? undefined : rule;
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
  if (node.type !== "expression_statement" && node.type !== "export_statement") return undefined;
  if (lineSpan(node) < ENTER_FROM_LINES) return undefined;
  let expression = node.firstNamedChild ?? undefined;
  if (expression?.type === "unary_expression") expression = fieldNode(expression, "argument");
  if (expression?.type !== "call_expression") return undefined;
  const callee = fieldNode(expression, "function");
  const invoked = callee && childOfType(callee, "function_expression", "arrow_function");
  const target = callee?.type === "parenthesized_expression" ? invoked : lastFunction(expression);
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
    variable_declarator: (node) => {
      const value = fieldNode(node, "value");
      // An imported value is defined elsewhere, and a pattern has no single name.
      const isOther = value !== undefined && IMPORTED.test(value.text);
      const isName = fieldNode(node, "name")?.type === "identifier";
      return isName && !isOther ? ruleForValue(value, {}) : undefined;
    },
    expression_statement: statementRule,
    pair: (node) => {
      const rule = ruleForValue(fieldNode(node, "value"), {
        name: () => titleAt(fieldNode(node, "key") ?? node),
      });
      return rule.kind === "constant" && rule.hasMembers !== true ? undefined : rule;
    },
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
    method_definition: (node, text) =>
      text.startsWith("constructor", node.startIndex) ? assignedFields(node, text, THIS) : [],
  },
  access: javascriptMemberAccess,
  fileAccess,
  accessChanges: {
    export_statement: javascriptAccessChange,
    expression_statement: javascriptAccessChange,
  },
  enter,
  hasNestedFunctions: true,
};

/** Returns the rule for a field of a class: a method if its value is a function. */
export function javascriptFieldRule(node: Node): DefinitionRule {
  const rule = ruleForValue(fieldNode(node, "value"), {});
  return rule.kind === "function" ? rule : { kind: "field", isInline: true, body: () => undefined };
}

function defaultExportName(node: Node): Name | string | undefined {
  const name = fieldName(node, "name");
  return node.parent?.type === "export_statement" ? (name ?? "default") : undefined;
}
