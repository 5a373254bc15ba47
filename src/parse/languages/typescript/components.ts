// Components of React, whose properties and state are type arguments, and whose properties are set as attributes.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { InheritedField } from "../reference-rules.ts";
import type { Expectation, FunctionParts } from "../shape-rules.ts";

const CLASSES = /^(?:React\.)?(?:Pure)?Component$/;
const TYPES =
  /^(?:React\.)?(?:FC|VFC|FunctionComponent|ComponentType|ComponentClass|JSXElementConstructor)$/;
/** Functions that return a component like the one that they are called with. */
const WRAPPERS = /^(?:React\.)?(?:forwardRef|memo|observer)$/;
const FORWARDS = /forwardRef$/;
const ELEMENTS = /^jsx_(?:opening|self_closing)_element$/;
const FUNCTION = /^(?:arrow_function|function_expression)$/;
const MAX_WRAPPERS = 3;

/** Returns the type arguments of a node; none if it has none. */
function argumentsOf(node: number, tree: FlatSyntaxTree): readonly number[] {
  const list = tree.childInField(node, "type_arguments");
  return list === -1 ? [] : tree.children(list);
}

/** Returns the clause with the class of React that a class inherits from; -1 if it inherits from another one. */
export function componentClause(definition: number, tree: FlatSyntaxTree): number {
  const [heritage = -1] = tree.childrenOfType(definition, "class_heritage");
  const [clause = -1] = heritage === -1 ? [] : tree.childrenOfType(heritage, "extends_clause");
  const base = clause === -1 ? -1 : tree.childInField(clause, "value");
  return base !== -1 && CLASSES.test(tree.textOf(base)) ? clause : -1;
}

/** Returns the fields that a class has from `React.Component<Props, State>`. */
export function componentFields(
  definition: number,
  tree: FlatSyntaxTree,
): readonly InheritedField[] {
  const clause = componentClause(definition, tree);
  const [props, state] = clause === -1 ? [] : argumentsOf(clause, tree);
  return [
    ...(props === undefined ? [] : [{ name: "props", type: props }]),
    ...(state === undefined ? [] : [{ name: "state", type: state }]),
  ];
}

/** Returns the node that says which properties a component takes, of its value or its declared type; -1 for others. */
export function componentIn(node: number, tree: FlatSyntaxTree): number {
  let inner = node;
  for (let left = MAX_WRAPPERS; left > 0 && inner !== -1; left -= 1) {
    if (componentParts(inner, tree) !== undefined || FUNCTION.test(tree.typeName(inner))) {
      return inner;
    }
    if (tree.typeName(inner) !== "call_expression" || !isWrapper(inner, tree)) return -1;
    const list = tree.childInField(inner, "arguments");
    inner = list === -1 ? -1 : tree.child(list, 0);
  }
  return -1;
}

function isWrapper(call: number, tree: FlatSyntaxTree): boolean {
  const callee = tree.childInField(call, "function");
  return callee !== -1 && WRAPPERS.test(tree.textOf(callee));
}

/** Returns a component as a function of its properties; undefined for other nodes. */
export function componentParts(node: number, tree: FlatSyntaxTree): FunctionParts | undefined {
  const type = tree.typeName(node);
  if (type === "extends_clause") return functionOf(argumentsOf(node, tree).slice(0, 1));
  if (type === "generic_type") {
    const name = tree.childInField(node, "name");
    return TYPES.test(tree.textOf(name)) ? functionOf(argumentsOf(node, tree)) : undefined;
  }
  if (type !== "call_expression" || !isWrapper(node, tree)) return undefined;
  const passed = argumentsOf(node, tree);
  const isForwarded = FORWARDS.test(tree.textOf(tree.childInField(node, "function")));
  return functionOf(isForwarded ? passed.toReversed() : passed);
}

function functionOf(parameters: readonly number[]): FunctionParts | undefined {
  return parameters.length === 0
    ? undefined
    : { parameters: parameters.map((type) => ({ type, isRest: false })), result: -1 };
}

/** What is expected of the attributes of an element: the properties of its component. */
export function attributesOf(element: number, tree: FlatSyntaxTree): Expectation | undefined {
  if (!ELEMENTS.test(tree.typeName(element))) return undefined;
  const callee = tree.childInField(element, "name");
  const isComponent = callee !== -1 && /^[A-Z]|\./.test(tree.textOf(callee));
  return isComponent
    ? { from: "argument", callee, parameter: 0, isConstruction: false }
    : undefined;
}

/** Returns the element of an attribute; -1 for other nodes. */
export function elementOfAttribute(attribute: number, tree: FlatSyntaxTree): number {
  const element = tree.typeName(attribute) === "jsx_attribute" ? tree.parent(attribute) : -1;
  return element !== -1 && ELEMENTS.test(tree.typeName(element)) ? element : -1;
}

/** What is expected of the value of an attribute. */
export function ofAttribute(attribute: number, tree: FlatSyntaxTree): Expectation | undefined {
  const element = elementOfAttribute(attribute, tree);
  const name = tree.textOf(tree.child(attribute, 0));
  return element === -1 || !/^\w+$/.test(name)
    ? undefined
    : { from: "around", value: element, step: `.${name}` };
}

/** What is expected of the argument of a call: of `this.setState(…)` the state, of a function in `forwardRef<…>(…)` its types. */
export function ofComponentCall(
  call: number,
  parameter: number,
  tree: FlatSyntaxTree,
): Expectation | undefined {
  if (parameter !== 0 || tree.typeName(call) !== "call_expression") return undefined;
  const callee = tree.childInField(call, "function");
  if (callee === -1) return undefined;
  if (tree.textOf(callee) === "this.setState") return { from: "field", name: "state" };
  return componentParts(call, tree) === undefined ? undefined : { from: "type", type: call };
}
