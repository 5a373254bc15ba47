// Marks of definitions of Dart: which parameters of a constructor set fields, and what functions pass to their parameters.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { PassedFunction } from "../reference-rules.ts";
import { nameOfParameter, parametersOf, resultIn, typeAround, typeIn } from "./parts.ts";

/** The mark of an extension. */
const EXTENSION = "extension";
/** Types of the language, which have no members in the project, and names of type parameters. */
const UNKNOWN_TYPE =
  /^(?:[A-Z]\d?|T[A-Z]\w*|int|double|num|bool|String|Object|Null|Never|dynamic|Function|List|Map|Set|Iterable|Future|FutureOr|Stream|Type|Symbol)$/;

const FUTURE = /^Future(?:Or)?$/;
/** Names of types of functions, by convention. */
const CALLBACK =
  /(?:Callback|Builder|Handler|Listener|Function|Func|Fn|Factory|Predicate|Creator|Create|Update|Selector|Mapper|Interceptor|Transformer|Action|Cb)$/;

/** By tree and body of a type: the types of its fields. */
const FIELDS = new WeakMap<FlatSyntaxTree, Map<number, ReadonlyMap<string, number>>>();

/**
 * Returns the mark of a definition. Of a function that takes functions, it is the shape of its parameters: first those with
 * names, as an object, then the others. `{<onEvent={@Event}>,,{@Item}}`; see src/base/type-shape.ts. Of a constructor, what it
 * sets follows: ` .name ^key` for `this.name` and `super.key`.
 */
export function dartMarkOf(definition: number, tree: FlatSyntaxTree): string {
  switch (tree.typeName(definition)) {
    case "extension_declaration":
      return EXTENSION;
    case "type_alias": {
      const type = tree.childrenOfType(definition, "function_type")[0];
      return type === undefined ? "" : functionShape(type, tree);
    }
    case "constructor": {
      const list = parametersOf(definition, tree);
      return list === -1 ? "" : parametersShape(list, tree) + fieldsSetBy(list, tree);
    }
    case "initialized_identifier": {
      const type = typeAround(definition, tree);
      const isFunction = type !== -1 && tree.typeName(type) === "function_type";
      return isFunction ? functionShape(type, tree) : "";
    }
    case "function": {
      const list = parametersOf(definition, tree);
      return list === -1 ? "" : parametersShape(list, tree);
    }
    default:
      return "";
  }
}

function fieldsSetBy(list: number, tree: FlatSyntaxTree): string {
  let marks = "";
  for (const parameter of tree.childrenOfType(list, "formal_parameter")) {
    const inner = tree.child(parameter, 0);
    const type = inner === -1 ? "" : tree.typeName(inner);
    if (type === "constructor_param") marks += ` .${tree.textOf(tree.child(inner, -1))}`;
    if (type === "super_formal_parameter") marks += ` ^${tree.textOf(tree.child(inner, -1))}`;
  }
  return marks;
}

function parametersShape(list: number, tree: FlatSyntaxTree): string {
  const named: string[] = [];
  const others: string[] = [];
  for (const parameter of tree.childrenOfType(list, "formal_parameter")) {
    const shape = parameterShape(parameter, tree);
    if (tree.fieldName(parameter) !== "name") others.push(shape);
    else if (shape !== "") named.push(`${nameIn(parameter, tree)}=${shape}`);
  }
  const last = others.findLastIndex((shape) => shape !== "");
  if (last === -1 && named.length === 0) return "";
  const first = named.length === 0 ? "" : `<${named.join(",")}>`;
  return `{${[first, ...others.slice(0, last + 1)].join(",")}}`;
}

function nameIn(parameter: number, tree: FlatSyntaxTree): string {
  const initializing = initializingIn(parameter, tree);
  const name =
    initializing === -1 ? nameOfParameter(parameter, tree) : tree.child(initializing, -1);
  return name === -1 ? "" : tree.textOf(name);
}

/** Returns the node of `this.name`, or -1. */
function initializingIn(parameter: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(parameter, "constructor_param")[0] ?? -1;
}

function parameterShape(parameter: number, tree: FlatSyntaxTree): string {
  const [list] = tree.childrenOfType(parameter, "formal_parameter_list");
  if (list !== undefined) return shapeOf(namedTypes(list, tree));
  const initializing = initializingIn(parameter, tree);
  const type =
    initializing === -1
      ? typeIn(parameter, tree)
      : fieldType(parameter, tree.textOf(tree.child(initializing, -1)), tree);
  if (type === -1) return "";
  if (tree.typeName(type) === "function_type") return functionShape(type, tree);
  // An alias of a function has the shape itself.
  const name = nameShape(type, tree);
  return CALLBACK.test(name) ? name : "";
}

/** Returns the type of a field of the type around a node. */
function fieldType(node: number, name: string, tree: FlatSyntaxTree): number {
  let body = tree.parent(node);
  while (body !== -1 && !/^(?:class|enum)_body$/.test(tree.typeName(body)))
    body = tree.parent(body);
  if (body === -1) return -1;
  let fields = FIELDS.get(tree)?.get(body);
  if (fields === undefined) {
    fields = fieldTypes(body, tree);
    const known = FIELDS.get(tree) ?? new Map<number, ReadonlyMap<string, number>>();
    FIELDS.set(tree, known.set(body, fields));
  }
  return fields.get(name) ?? -1;
}

function fieldTypes(body: number, tree: FlatSyntaxTree): ReadonlyMap<string, number> {
  const types = new Map<string, number>();
  for (const declaration of tree.childrenOfType(body, "declaration")) {
    const type = typeIn(declaration, tree);
    for (const list of tree.childrenOfType(declaration, "initialized_identifier_list")) {
      for (const field of tree.children(list)) types.set(tree.textOf(field + 1), type);
    }
  }
  return types;
}

function functionShape(type: number, tree: FlatSyntaxTree): string {
  const [list] = tree.childrenOfType(type, "parameter_type_list");
  if (list === undefined) return "";
  const parameters = tree.children(list).map((parameter) => {
    const inner = tree.child(parameter, 0);
    const isNamed = inner !== -1 && tree.typeName(inner) === "typed_identifier";
    return nameShape(typeIn(isNamed ? inner : parameter, tree), tree);
  });
  const shape = shapeOf(parameters);
  const result = nameShape(typeIn(type, tree), tree);
  return result === "" ? shape : `${shape || "{}"}${result}`;
}

function namedTypes(list: number, tree: FlatSyntaxTree): readonly string[] {
  return tree
    .childrenOfType(list, "formal_parameter")
    .map((one) => (nameOfParameter(one, tree) === -1 ? "" : nameShape(typeIn(one, tree), tree)));
}

function shapeOf(parameters: readonly string[]): string {
  return parameters.some((shape) => shape !== "") ? `{${parameters.join(",")}}` : "";
}

function nameShape(type: number, tree: FlatSyntaxTree): string {
  if (type === -1) return "";
  const isGeneric = tree.typeName(type) === "generic_type";
  const name = isGeneric ? tree.child(type, 0) : type;
  if (name === -1 || tree.typeName(name) !== "type_identifier") return "";
  const text = tree.textOf(name);
  if (isGeneric && FUTURE.test(text)) return nameShape(tree.child(tree.child(type, 1), 0), tree);
  return UNKNOWN_TYPE.test(text) ? "" : `@${text}`;
}

/** Returns the call that a function is passed to; undefined for other functions. */
export function passedTo(callable: number, tree: FlatSyntaxTree): PassedFunction | undefined {
  const around = tree.parent(callable);
  const isNamed = around !== -1 && tree.typeName(around) === "named_argument";
  const argument = isNamed ? around : callable;
  const list = tree.parent(argument);
  const call = list === -1 ? -1 : tree.parent(list);
  if (call === -1 || tree.typeName(call) !== "call" || tree.typeName(list) !== "arguments") {
    return undefined;
  }
  const callee = tree.child(call, 0);
  if (isNamed) {
    const label = tree.child(argument, 0);
    return { callee, parameter: 0, member: tree.textOf(tree.child(label, 0)) };
  }
  const others = tree.children(list).filter((one) => tree.typeName(one) !== "named_argument");
  return { callee, parameter: 1 + others.indexOf(argument) };
}

/** Returns the declared type of a function without a name that is returned, or given to a variable: see `ReferenceRules`. */
export function expectedFunction(
  callable: number,
  tree: FlatSyntaxTree,
): { readonly type: number; readonly calls: number } | undefined {
  const around = tree.parent(callable);
  const place = around === -1 ? "" : tree.typeName(around);
  if (place === "initialized_variable_definition") return declared(typeIn(around, tree));
  if (place === "initialized_identifier") return declared(typeAround(around, tree));
  if (!/^(?:return_statement|function_body|function_expression_body)$/.test(place))
    return undefined;
  let outer = around;
  while (outer !== -1 && !/^(?:function|function_expression)$/.test(tree.typeName(outer))) {
    outer = tree.parent(outer);
  }
  if (outer === -1) return undefined;
  if (tree.typeName(outer) === "function") return declared(resultIn(outer, tree));
  const expected = expectedFunction(outer, tree);
  return expected && { ...expected, calls: expected.calls + 1 };
}

function declared(type: number): { readonly type: number; readonly calls: number } | undefined {
  return type === -1 ? undefined : { type, calls: 0 };
}
