import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ReferenceRules } from "../reference-rules.ts";
import { nameInFull, readDirective, readFullName } from "./imports.ts";

const MODULES = /^def(?:module|protocol|impl)$/;
const DEFINERS = /^def(?:p|macrop?|guardp?|delegate)?$/;
const TYPED = /^(?:spec|callback|macrocallback|type|typep|opaque)$/;

const SELF = "__MODULE__";
/**
 * Special forms, and the functions and macros of `Kernel`, which every module imports. A module may define one of these names
 * with another number of arguments: its calls are left out.
 */
const KERNEL = (
  "def defp defmodule defprotocol defimpl defmacro defmacrop defguard defguardp defdelegate defstruct defexception defoverridable " +
  "alias import use require if unless case cond with for fn quote unquote unquote_splicing receive try raise reraise throw super " +
  "abs and apply binary_part bit_size byte_size ceil div elem exit floor function_exported? get_and_update_in get_in hd in inspect " +
  "length macro_exported? make_ref map_size match? max min node not or pop_in put_elem put_in rem round self send spawn spawn_link " +
  "struct struct! tap then tl to_charlist to_string trunc tuple_size update_in " +
  "is_atom is_binary is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map is_map_key is_nil " +
  "is_number is_pid is_port is_reference is_struct is_tuple"
).split(" ");

export const elixirReferences: ReferenceRules = {
  // A plain name is a variable: a call of a function has parentheses, arguments, or a module before it.
  names: { identifier: "member", alias: "value" },
  members: "all",
  definedName,
  selfType: SELF,
  ignored: KERNEL,
  nodes: {
    call: {
      scope: scopeOf,
      value: { is: "invocation", object: nothing, name: functionOf, arguments: "arguments" },
      roles: { target: "call" },
      imports: readDirective,
    },
    dot: { value: { is: "member", object: "left", name: memberOf } },
    alias: { imports: readFullName, means: (name, _, tree) => nameInFull(name, tree) },
    unary_operator: {
      value: { is: "member", object: nothing, name: attributeOf },
      means: (name) => `@${name}`,
    },
    binary_operator: { value: { is: "member", object: nothing, name: capturedOf } },
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

/** Returns the name of `&name/1`. */
function capturedOf(operator: number, tree: FlatSyntaxTree): number {
  if (!isOperator(tree.parent(operator), "&", tree)) return -1;
  const name = tree.childInField(operator, "left");
  return name !== -1 && tree.typeName(name) === "identifier" ? name : -1;
}

function isOperator(node: number, sign: string, tree: FlatSyntaxTree): boolean {
  return tree.typeName(node) === "unary_operator" && tree.text[tree.start(node)] === sign;
}
