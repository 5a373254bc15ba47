// Parts of nodes in trees of Dart, as arrange.ts leaves them.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

const TYPES = /^(?:type_identifier|generic_type|type_path|function_type|record_type|void_type)$/;
const SIGNATURE = /_signature$/;
const CONSTRUCTOR = /constructor_signature$/;
const CAPITAL = /^_*\p{Lu}/u;
/** Chains around a name in a callee. */
const MAX_CALLEE = 4;

/** Returns the first child that is a type. */
export function typeIn(node: number, tree: FlatSyntaxTree): number {
  return tree.children(node).find((child) => TYPES.test(tree.typeName(child))) ?? -1;
}

/** Returns the type before a list of variables, for one of them. */
export function typeAround(node: number, tree: FlatSyntaxTree): number {
  const list = tree.parent(node);
  const isLocal = list !== -1 && tree.typeName(list) === "initialized_variable_definition";
  if (isLocal || list === -1) return list === -1 ? -1 : typeIn(list, tree);
  const before = tree.previous(list);
  return before !== -1 && TYPES.test(tree.typeName(before)) ? before : -1;
}

export function firstName(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "identifier")[0] ?? -1;
}

/** Returns the signature of a function, or -1. */
function signatureOf(node: number, tree: FlatSyntaxTree): number {
  let signature = tree.child(node, 0);
  const name = signature === -1 ? "" : tree.typeName(signature);
  if (name === "method_signature" || name === "declaration") signature = tree.child(signature, 0);
  return signature !== -1 && SIGNATURE.test(tree.typeName(signature)) ? signature : -1;
}

/** Returns the declared type of a function's result. */
export function resultIn(node: number, tree: FlatSyntaxTree): number {
  const signature = signatureOf(node, tree);
  if (signature === -1 || tree.typeName(signature) !== "setter_signature") {
    return signature === -1 ? -1 : typeIn(signature, tree);
  }
  // A setter comes before the getter of its name.
  const [list] = tree.childrenOfType(signature, "formal_parameter_list");
  const parameter = list === undefined ? -1 : tree.child(list, 0);
  return parameter === -1 ? -1 : typeIn(parameter, tree);
}

/** Returns the block of a function, or its expression. */
export function bodyOf(node: number, tree: FlatSyntaxTree): number {
  const [body] = tree.childrenOfType(node, "function_body", "function_expression_body");
  return body === undefined ? -1 : tree.child(body, 0);
}

/** Returns the list of parameters of a function. */
export function parametersOf(node: number, tree: FlatSyntaxTree): number {
  const isFunction = /^(?:function|constructor)$/.test(tree.typeName(node));
  const signature = isFunction ? signatureOf(node, tree) : node;
  return signature === -1 ? -1 : (tree.childrenOfType(signature, "formal_parameter_list")[0] ?? -1);
}

/** Returns the leaf with the name of a function: the last one of `Type.named`. */
export function nameOfFunction(node: number, tree: FlatSyntaxTree): number {
  const signature = signatureOf(node, tree);
  if (signature === -1) return -1;
  const names = tree.childrenOfType(signature, "identifier");
  if (tree.typeName(signature) === "operator_signature") {
    return tree.childrenOfType(signature, "binary_operator")[0] ?? -1;
  }
  return (CONSTRUCTOR.test(tree.typeName(signature)) ? names.at(-1) : names[0]) ?? -1;
}

/** Returns the leaf with the name of a definition. */
export function definedLeaf(node: number, tree: FlatSyntaxTree): number {
  switch (tree.typeName(node)) {
    case "function":
    case "constructor":
      return nameOfFunction(node, tree);
    case "class_definition": {
      const [mixed] = tree.childrenOfType(node, "mixin_application_class");
      return mixed === undefined ? tree.childInField(node, "name") : firstName(mixed, tree);
    }
    case "extension_declaration": {
      const name = tree.childInField(node, "name");
      return name === -1 ? firstLeaf(tree.childInField(node, "class"), tree) : name;
    }
    case "type_alias":
      return aliasName(node, tree);
    case "mixin_declaration":
    case "initialized_identifier":
    case "static_final_declaration":
      return firstName(node, tree);
    case "enum_constant":
    case "enum_declaration":
    case "extension_type_declaration":
    case "representation_declaration":
      return tree.childInField(node, "name");
    default:
      return -1;
  }
}

function firstLeaf(node: number, tree: FlatSyntaxTree): number {
  let leaf = node;
  while (leaf !== -1 && !tree.isLeaf(leaf)) leaf = tree.child(leaf, 0);
  return leaf;
}

/** `typedef Name = …` and `typedef void Name(…)`. */
export function aliasName(node: number, tree: FlatSyntaxTree): number {
  const children = tree.children(node);
  const names = tree.childrenOfType(node, "type_identifier");
  const isOld = children.some((child) => tree.typeName(child) === "formal_parameter_list");
  return (isOld ? names.at(-1) : names[0]) ?? -1;
}

export function aliasedType(node: number, tree: FlatSyntaxTree): number {
  const children = tree.children(node);
  if (children.some((child) => tree.typeName(child) === "formal_parameter_list")) return -1;
  const types = children.filter((child) => TYPES.test(tree.typeName(child)));
  return types[1] ?? -1;
}

export function nameOfParameter(node: number, tree: FlatSyntaxTree): number {
  const name = tree.childInField(node, "name");
  return name === -1 ? firstName(node, tree) : name;
}

/** Returns the list of arguments of a call. */
export function argumentList(node: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(node, "arguments").at(-1) ?? -1;
}

/** Returns the object before a cascade, for what begins one of its sections. */
export function cascadedObject(node: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(node);
  while (around !== -1 && tree.typeName(around) !== "cascade") around = tree.parent(around);
  return around === -1 ? -1 : tree.child(around, 0);
}

/** Returns the constructor call in which an argument has a name; -1 for calls of functions. */
export function constructedBy(label: number, tree: FlatSyntaxTree): number {
  const argument = tree.parent(label);
  if (argument === -1 || tree.typeName(argument) !== "named_argument") return -1;
  const call = tree.parent(tree.parent(argument));
  if (call === -1) return -1;
  if (tree.typeName(call) === "initializer_list_entry") return tree.child(call, 0);
  if (!/^(?:call|annotation)$/.test(tree.typeName(call))) return -1;
  let callee = tree.child(call, 0);
  for (let left = MAX_CALLEE; left > 0 && callee !== -1; left -= 1) {
    if (tree.isLeaf(callee)) {
      const type = tree.typeName(callee);
      const isType = CAPITAL.test(tree.textOf(callee)) || type === "super" || type === "this";
      return isType ? call : -1;
    }
    if (!/^(?:access|instantiation|scoped_identifier)$/.test(tree.typeName(callee))) return -1;
    const name = tree.child(callee, 1);
    const isNamed = name !== -1 && CAPITAL.test(tree.textOf(name));
    callee = isNamed ? name : tree.child(callee, 0);
  }
  return -1;
}
