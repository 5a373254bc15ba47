// The types of functions and objects in TypeScript, and the types that values are expected to have.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import {
  attributesOf,
  componentClause,
  componentIn,
  componentParts,
  elementOfAttribute,
  ofAttribute,
  ofComponentCall,
} from "./components.ts";
import { modelCalled, stepInQuery } from "../javascript/prisma-calls.ts";
import { mappedType } from "./computed-types.ts";
import { literalsOfType, textOfLiteral } from "../javascript/literals.ts";
import type {
  Expectation,
  FunctionParts,
  ShapeMember,
  Selection,
  ShapeParameter,
  ShapeRules,
} from "../shape-rules.ts";

const FUNCTIONS = new Set([
  "arrow_function",
  "function_expression",
  "function_declaration",
  "generator_function",
  "generator_function_declaration",
  "method_definition",
]);
const SIGNATURES = new Set([
  "function_signature",
  "method_signature",
  "abstract_method_signature",
  "call_signature",
  "function_type",
]);
const NAMELESS = /^(?:intersection_type|constructor_type)$/;
const WRAPPERS = /^(?:type_annotation|parenthesized_type|readonly_type)$/;
const CLASSES = /^(?:abstract_)?class(?:_declaration)?$/;
const FIELDS = /^(?:property_signature|public_field_definition|(?:required|optional)_parameter)$/;
const TYPES =
  /^(?:class|(?:abstract_)?class_declaration|interface_declaration|type_alias_declaration)$/;
/** Further type parameters are unknown. */
const MAX_TYPE_PARAMETER = 9;
const EMPTY = /^(?:undefined|null)$/;
/** Levels between a value and the function that returns it. */
const MAX_LEVELS = 40;
const MAX_OVERLOADS = 20;

export const typescriptShapes: ShapeRules = {
  functionParts,
  membersOf,
  partsOf,
  selectionOf,
  literalsOf,
  testedBy,
  typeParameterAt,
  constructedBy,
  genericOf,
  unwrapped,
  callablesOf,
  expectationOf,
  keys: new Set(["property_identifier", "shorthand_property_identifier"]),
  objectOfKey,
  stepOf: stepInQuery,
};

/** Returns the texts of the literals of which a field is one; none for other definitions. */
function literalsOf(definition: number, tree: FlatSyntaxTree): readonly string[] {
  if (!FIELDS.test(tree.typeName(definition))) return [];
  const type = tree.childInField(definition, "type");
  const value = tree.childInField(definition, "value");
  const literals =
    type === -1 ? literalOfValue(definition, value, tree) : literalsOfType(type, tree);
  if (literals === undefined || type === -1) return literals ?? [];
  const name = tree.child(definition, 0);
  const isOptional = tree.text.slice(tree.start(name), tree.start(type)).includes("?");
  return isOptional ? [...literals, "=undefined"] : literals;
}

/** A field that is not `readonly` may get another value, unless its value is `"circle" as const`. */
function literalOfValue(
  field: number,
  value: number,
  tree: FlatSyntaxTree,
): readonly string[] | undefined {
  if (value === -1) return undefined;
  const isConst =
    tree.typeName(value) === "as_expression" &&
    /^["'`]?\s+as\s+const\b/.test(tree.text.slice(tree.end(value), tree.end(value) + 20));
  const isFixed = /\breadonly\s/.test(tree.text.slice(tree.start(field), tree.start(value)));
  const text = textOfLiteral(isConst ? tree.child(value, 0) : value, tree);
  return text !== undefined && (isConst || isFixed) ? [text] : undefined;
}

function functionParts(node: number, tree: FlatSyntaxTree): FunctionParts | undefined {
  const type = tree.typeName(node);
  if (!FUNCTIONS.has(type) && !SIGNATURES.has(type)) return componentParts(node, tree);
  const list = tree.childInField(node, "parameters");
  const children = list === -1 ? [] : tree.children(list);
  const isThis = (child: number): boolean =>
    tree.textOf(tree.childInField(child, "pattern")) === "this";
  const parameters = children
    .filter((child) => !isThis(child))
    .map((child): ShapeParameter => {
      const pattern = tree.childInField(child, "pattern");
      const isRest = pattern !== -1 && tree.typeName(pattern) === "rest_pattern";
      return { type: tree.childInField(child, "type"), isRest };
    });
  return { parameters, result: tree.childInField(node, "return_type") };
}

function membersOf(node: number, tree: FlatSyntaxTree): readonly ShapeMember[] | undefined {
  if (tree.typeName(node) !== "object_type" || mappedType(node, tree) !== -1) return undefined;
  return tree
    .childrenOfType(node, "property_signature", "method_signature")
    .flatMap((member): readonly ShapeMember[] => {
      const key = tree.childInField(member, "name");
      const isName = key !== -1 && tree.typeName(key) === "property_identifier";
      const isMethod = tree.typeName(member) === "method_signature";
      const type = isMethod ? member : tree.childInField(member, "type");
      return isName && type !== -1 ? [{ name: tree.textOf(key), type }] : [];
    });
}

function partsOf(node: number, tree: FlatSyntaxTree): readonly number[] {
  return tree.typeName(node) === "intersection_type" ? tree.children(node) : [];
}

/** Returns `Foo` of `value is Foo`. */
function testedBy(result: number, tree: FlatSyntaxTree): number {
  const type = tree.typeName(result);
  const predicate = type === "type_predicate_annotation" ? tree.child(result, 0) : result;
  return predicate === -1 || tree.typeName(predicate) !== "type_predicate"
    ? -1
    : tree.childInField(predicate, "type");
}

function typeParameterAt(leaf: number, callable: number, tree: FlatSyntaxTree): string {
  const parameter = tree.parent(leaf);
  const list = parameter === -1 ? -1 : tree.parent(parameter);
  if (list === -1 || tree.typeName(list) !== "type_parameters") return "";
  const index = tree.children(list).indexOf(parameter);
  const owner = tree.parent(list);
  if (index > MAX_TYPE_PARAMETER) return "";
  if (owner === callable) return `f${index}`;
  return TYPES.test(tree.typeName(owner)) ? `c${index}` : "";
}

function selectionOf(node: number, tree: FlatSyntaxTree): Selection | undefined {
  if (tree.typeName(node) !== "generic_type") return undefined;
  const name = tree.textOf(tree.childInField(node, "name"));
  if (name !== "Pick" && name !== "Omit") return undefined;
  const list = tree.childInField(node, "type_arguments");
  const [of = -1, keys = -1] = list === -1 ? [] : tree.children(list);
  const names: string[] = [];
  let isKnown = keys !== -1;
  for (let leaf = keys; isKnown && leaf < tree.next(keys); leaf += 1) {
    if (!tree.isLeaf(leaf)) continue;
    if (tree.typeName(leaf) === "string_fragment") names.push(tree.textOf(leaf));
    else isKnown = false;
  }
  const areNames = isKnown && names.every((one) => /^[\w$]+$/.test(one));
  return { of, names: areNames ? names : undefined, isWithout: name === "Omit" };
}

/** Returns `T` of `new (…) => T`. */
function constructedBy(node: number, tree: FlatSyntaxTree): number {
  return tree.typeName(node) === "constructor_type" ? tree.childInField(node, "type") : -1;
}

function genericOf(
  node: number,
  tree: FlatSyntaxTree,
): { readonly name: number; readonly argument: number } | undefined {
  if (tree.typeName(node) !== "generic_type") return undefined;
  const name = tree.childInField(node, "name");
  const list = tree.childInField(node, "type_arguments");
  const types = list === -1 ? [] : tree.children(list);
  const [argument] = types;
  return types.length === 1 && argument !== undefined && tree.isLeaf(name)
    ? { name, argument }
    : undefined;
}

/** Of `A | undefined` too. */
function unwrapped(node: number, tree: FlatSyntaxTree): number {
  const type = tree.typeName(node);
  if (WRAPPERS.test(type)) return tree.child(node, 0);
  if (type !== "union_type") return -1;
  const members = tree.children(node).filter((child) => !EMPTY.test(tree.textOf(child)));
  return members.length === 1 ? (members[0] ?? -1) : -1;
}

function callablesOf(definition: number, tree: FlatSyntaxTree): readonly number[] {
  const type = tree.typeName(definition);
  if (type === "interface_declaration") {
    const body = tree.childInField(definition, "body");
    return body === -1 ? [] : tree.childrenOfType(body, "call_signature");
  }
  if (SIGNATURES.has(type)) return overloadsFrom(definition, tree);
  if (FUNCTIONS.has(type)) return [definition];
  if (CLASSES.test(type)) {
    const clause = componentClause(definition, tree);
    return clause === -1 ? [] : [clause];
  }
  return callablesOfValue(definition, tree);
}

/** Returns the function that is the value of a definition, or the type of one that it is declared to be. */
function callablesOfValue(definition: number, tree: FlatSyntaxTree): readonly number[] {
  const value = tree.childInField(definition, "value");
  const declared = tree.childInField(definition, "type");
  const cast = declared === -1 ? castOf(value, tree) : declared;
  const callable = cast === -1 ? value : innermost(cast, tree);
  if (callable === -1) return [];
  const component = componentIn(callable, tree);
  if (component !== -1) return [component];
  const inner = tree.typeName(callable);
  const isType = tree.typeName(definition) === "type_alias_declaration" || cast !== -1;
  return FUNCTIONS.has(inner) || SIGNATURES.has(inner) || (isType && NAMELESS.test(inner))
    ? [callable]
    : [];
}

/** Returns the type of `value as Type`; -1 for other values. */
function castOf(value: number, tree: FlatSyntaxTree): number {
  return value !== -1 && tree.typeName(value) === "as_expression" ? tree.child(value, 1) : -1;
}

function innermost(type: number, tree: FlatSyntaxTree): number {
  let node = type;
  for (let next = node; next !== -1; next = unwrapped(node, tree)) node = next;
  return node;
}

/** Returns the signatures of one name in a row, without the function that implements them. */
function overloadsFrom(first: number, tree: FlatSyntaxTree): readonly number[] {
  const name = nameOf(first, tree);
  const overloads = [first];
  const outer =
    tree.typeName(tree.parent(first)) === "export_statement" ? tree.parent(first) : first;
  for (let next = tree.next(outer); overloads.length < MAX_OVERLOADS; next = tree.next(next)) {
    if (next >= tree.count || tree.parent(next) !== tree.parent(outer)) break;
    const inner = tree.typeName(next) === "export_statement" ? tree.child(next, 0) : next;
    if (inner === -1 || nameOf(inner, tree) !== name || !SIGNATURES.has(tree.typeName(inner)))
      break;
    overloads.push(inner);
  }
  return overloads;
}

function nameOf(node: number, tree: FlatSyntaxTree): string {
  const name = tree.childInField(node, "name");
  return name === -1 ? "" : tree.textOf(name);
}

function expectationOf(value: number, tree: FlatSyntaxTree): Expectation | undefined {
  const around = tree.parent(value);
  if (around === -1) return undefined;
  const attributes = attributesOf(value, tree);
  if (attributes !== undefined) return attributes;
  const type = tree.typeName(around);
  const find = Object.hasOwn(EXPECTATIONS, type) ? EXPECTATIONS[type] : undefined;
  return find?.({ value, around, field: tree.fieldName(value) }, tree);
}

/** A value, the node that contains it, and its field there. */
interface ValuePlace {
  readonly value: number;
  readonly around: number;
  readonly field: string;
}

type FindExpectation = (place: ValuePlace, tree: FlatSyntaxTree) => Expectation | undefined;

const ofDeclared: FindExpectation = ({ around, field }, tree) =>
  field === "value" ? ofType(tree.childInField(around, "type")) : undefined;
/** `as const` expects only what its surroundings expect. */
const ofCast: FindExpectation = ({ around }, tree) =>
  ofType(tree.child(around, 1)) ?? ofAround(around, "");
const ofWrapped: FindExpectation = ({ around }) => ofAround(around, "");

/** By the type of the node around a value. */
const EXPECTATIONS: Readonly<Record<string, FindExpectation>> = {
  variable_declarator: ofDeclared,
  required_parameter: ofDeclared,
  optional_parameter: ofDeclared,
  public_field_definition: ofDeclared,
  assignment_expression: ({ around, field }, tree) =>
    field === "right" ? { from: "value", value: tree.childInField(around, "left") } : undefined,
  as_expression: ofCast,
  satisfies_expression: ofCast,
  parenthesized_expression: ofWrapped,
  await_expression: ofWrapped,
  jsx_expression: ofWrapped,
  jsx_attribute: ({ around }, tree) => ofAttribute(around, tree),
  ternary_expression: ({ around, field }) =>
    field === "condition" ? undefined : ofAround(around, ""),
  binary_expression: ({ value, around, field }, tree) =>
    field === "right" && /\?\?|\|\|/.test(tree.textBetween(tree.child(around, 0), value))
      ? ofAround(around, "")
      : undefined,
  array: ({ around }) => ofAround(around, "[]"),
  pair: ({ around, field }, tree) =>
    field === "value" ? ofMember(tree.childInField(around, "key"), around, tree) : undefined,
  object: ({ value }, tree) =>
    tree.typeName(value) === "method_definition"
      ? ofMember(tree.childInField(value, "name"), value, tree)
      : undefined,
  arguments: ({ value, around }, tree) => ofArgument(value, around, tree),
  return_statement: ({ around }, tree) => ofResult(around, tree),
  arrow_function: ({ around, field }, tree) =>
    field === "body" ? ofCallable(around, tree) : undefined,
};

function ofType(type: number): Expectation | undefined {
  return type === -1 ? undefined : { from: "type", type };
}

function ofAround(value: number, step: string): Expectation {
  return { from: "around", value, step };
}

/** `member`: the pair or method in the object. */
function ofMember(key: number, member: number, tree: FlatSyntaxTree): Expectation | undefined {
  const name = key === -1 ? "" : tree.literalOf(key);
  return /^[A-Za-z_$][\w$]*$/.test(name) && tree.typeName(key) !== "computed_property_name"
    ? ofAround(tree.parent(member), `.${name}`)
    : undefined;
}

function ofArgument(value: number, list: number, tree: FlatSyntaxTree): Expectation | undefined {
  const call = tree.parent(list);
  const passed = tree.children(list);
  const parameter = passed.indexOf(value);
  const isSpread = passed
    .slice(0, parameter)
    .some((child) => tree.typeName(child) === "spread_element");
  if (isSpread) return undefined;
  const ofComponent = ofComponentCall(call, parameter, tree);
  if (ofComponent !== undefined) return ofComponent;
  const isConstruction = tree.typeName(call) === "new_expression";
  const callee = tree.childInField(call, isConstruction ? "constructor" : "function");
  if (callee === -1) return undefined;
  const model = parameter === 0 && !isConstruction ? modelCalled(callee, tree) : undefined;
  if (model !== undefined) return { from: "place", expression: model.record };
  return { from: "argument", callee, parameter, isConstruction };
}

function ofResult(statement: number, tree: FlatSyntaxTree): Expectation | undefined {
  let node = tree.parent(statement);
  for (let left = MAX_LEVELS; left > 0 && node !== -1; left -= 1) {
    if (FUNCTIONS.has(tree.typeName(node))) return ofCallable(node, tree);
    node = tree.parent(node);
  }
  return undefined;
}

/** The result of a generator is not the value that it returns. */
function ofCallable(callable: number, tree: FlatSyntaxTree): Expectation | undefined {
  const head = tree.text.slice(tree.start(callable), tree.start(callable) + 60);
  return /^(?:async\s+)?(?:function\s*)?\*/.test(head) ? undefined : { from: "result", callable };
}

function objectOfKey(leaf: number, tree: FlatSyntaxTree): number {
  const around = tree.parent(leaf);
  if (around === -1) return -1;
  const type = tree.typeName(around);
  if (type === "jsx_attribute") return elementOfAttribute(around, tree);
  if (type === "object") {
    return tree.typeName(leaf) === "shorthand_property_identifier" ? around : -1;
  }
  const isKey =
    (type === "pair" && tree.fieldName(leaf) === "key") ||
    (type === "method_definition" && tree.fieldName(leaf) === "name");
  const object = isKey ? tree.parent(around) : -1;
  return object !== -1 && tree.typeName(object) === "object" ? object : -1;
}
