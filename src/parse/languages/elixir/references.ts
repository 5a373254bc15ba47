import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ReferenceRules } from "../reference-rules.ts";
import { FORMS, isOfKernel } from "./kernel.ts";
import { nameInFull, readDirective, readFullName } from "./imports.ts";

const MODULES = /^def(?:module|protocol|impl)$/;
const DEFINERS = /^def(?:p|macrop?|guardp?|delegate)?$/;
const TYPED = /^(?:spec|callback|macrocallback|type|typep|opaque)$/;

const PIPE = /\|>\s*$/;
const SELF = "__MODULE__";

export const elixirReferences: ReferenceRules = {
  // A plain name is a variable: a call of a function has parentheses, arguments, or a module before it.
  names: { identifier: "member", alias: "value" },
  members: "all",
  definedName,
  selfType: SELF,
  ignored: FORMS,
  nodes: {
    call: {
      scope: scopeOf,
      value: { is: "invocation", object: nothing, name: functionOf, arguments: "arguments" },
      roles: { target: "call" },
      accepts: (name, leaf, tree) => !isOfKernel(name, argumentsOf(tree.parent(leaf), tree), tree),
      imports: readDirective,
    },
    dot: { value: { is: "member", object: "left", name: memberOf } },
    alias: { imports: readFullName, means: (name, _, tree) => nameInFull(name, tree) },
    unary_operator: {
      value: { is: "member", object: nothing, name: attributeOf },
      means: (name) => `@${name}`,
    },
    binary_operator: { value: { is: "member", object: nothing, name: operandOf } },
  },
};

function scopeOf(call: number, tree: FlatSyntaxTree): "type" | "function" | undefined {
  const target = targetName(call, tree);
  if (MODULES.test(target)) return "type";
  return DEFINERS.test(target) ? "function" : undefined;
}

function nothing(): number {
  return -1;
}

function targetName(call: number, tree: FlatSyntaxTree): string {
  const target = tree.childInField(call, "target");
  return target === -1 || !tree.isLeaf(target) ? "" : tree.textOf(target);
}

/** Returns `find` of `def find(name) when …` and of `@spec find(name) :: …`, and `A.B` of `defmodule A.B`. */
function definedName(node: number, tree: FlatSyntaxTree): number {
  const isAttribute = tree.typeName(node) === "unary_operator";
  const call = isAttribute ? tree.childInField(node, "operand") : node;
  if (call === -1 || tree.typeName(call) !== "call") return -1;
  const target = targetName(call, tree);
  const isDefinition = isAttribute ? TYPED.test(target) : target.startsWith("def");
  const [list = -1] = isDefinition ? tree.childrenOfType(call, "arguments") : [];
  let head = list === -1 ? -1 : tree.child(list, 0);
  if (head !== -1 && tree.typeName(head) === "binary_operator") head = tree.child(head, 0);
  if (head !== -1 && tree.typeName(head) === "call") head = tree.childInField(head, "target");
  return head !== -1 && tree.isLeaf(head) ? head : -1;
}

/** Returns the name of a called function of the module or of an import; -1 in its definition, and of attributes. */
function functionOf(call: number, tree: FlatSyntaxTree): number {
  const target = tree.childInField(call, "target");
  const isBare = target !== -1 && tree.isLeaf(target);
  return !isBare || isDefined(call, tree) || isOperator(tree.parent(call), "@", tree) ? -1 : target;
}

/** Returns the number of arguments of a call; `value |> call()` passes one more. */
function argumentsOf(call: number, tree: FlatSyntaxTree): number {
  const [list = -1] = tree.childrenOfType(call, "arguments");
  return (list === -1 ? 0 : tree.children(list).length) + Number(isPiped(call, tree));
}

/** Returns the name in `Module.name` and `module.name(…)`; -1 in `variable.name`, which is a field. */
function memberOf(dot: number, tree: FlatSyntaxTree): number {
  const name = tree.childInField(dot, "right");
  if (name === -1 || tree.typeName(name) !== "identifier") return -1;
  const object = tree.childInField(dot, "left");
  const isVariable = tree.typeName(object) === "identifier" && tree.textOf(object) !== SELF;
  const isCalled = tree.childrenOfType(tree.parent(dot), "arguments").length > 0;
  return isVariable && !isCalled ? -1 : name;
}

/** Whether a call is the head of a definition: `find(name)` in `def find(name) when is_binary(name)`. */
function isDefined(call: number, tree: FlatSyntaxTree): boolean {
  let around = tree.parent(call);
  const isFirst = tree.child(around, 0) === call;
  if (isFirst && tree.typeName(around) === "binary_operator") around = tree.parent(around);
  if (tree.typeName(around) !== "arguments") return false;
  const definer = targetName(tree.parent(around), tree);
  return DEFINERS.test(definer) || TYPED.test(definer);
}

/** Returns the name of `@name`; -1 in its definition. */
function attributeOf(operator: number, tree: FlatSyntaxTree): number {
  const operand = tree.childInField(operator, "operand");
  const isRead = operand !== -1 && tree.typeName(operand) === "identifier";
  return isRead && isOperator(operator, "@", tree) ? operand : -1;
}

/** Returns the name of `&name/1`, and of `value |> name`. */
function operandOf(operator: number, tree: FlatSyntaxTree): number {
  const isCapture = isOperator(tree.parent(operator), "&", tree);
  const name = tree.childInField(operator, isCapture ? "left" : "right");
  if (name === -1 || tree.typeName(name) !== "identifier") return -1;
  return isCapture || isPiped(name, tree) ? name : -1;
}

/** Whether a node is what a value is piped to. */
function isPiped(node: number, tree: FlatSyntaxTree): boolean {
  const operator = tree.parent(node);
  if (tree.typeName(operator) !== "binary_operator") return false;
  const [left = -1, right] = tree.children(operator);
  return right === node && PIPE.test(tree.textBetween(left, node));
}

function isOperator(node: number, sign: string, tree: FlatSyntaxTree): boolean {
  return tree.typeName(node) === "unary_operator" && tree.text[tree.start(node)] === sign;
}
