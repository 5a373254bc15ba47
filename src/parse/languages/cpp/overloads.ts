// The properties that distinguish C++'s overloads.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import {
  FUNCTION_REFERENCE,
  NULL_TYPE,
  type OverloadRules,
  type ParameterNode,
} from "../overload-rules.ts";

const UNKNOWN = "?";
/** Deeper declarators and types are unknown. */
const MAX_DEPTH = 8;
/** Declarators that do not change the type, and expressions in brackets. */
const TRANSPARENT = /^(?:init|attributed|variadic)_declarator$/;
/** The name of a macro, whose arguments are text. */
const MACRO = /^[A-Z][A-Z0-9_]+$/;

export const cppOverloads: OverloadRules = {
  parametersOf,
  result: "",
  noResult: "",
  argumentsOf,
  outside: /^std(?:\.|$)/,
  ofLocal,
  valueTypes: {
    number_literal: numberType,
    string_literal: stringType,
    raw_string_literal: stringType,
    concatenated_string: (node, tree) => stringType(tree.child(node, 0), tree),
    char_literal: () => "@char",
    true: () => "@bool",
    false: () => "@bool",
    null: () => NULL_TYPE,
    lambda_expression: () => FUNCTION_REFERENCE,
    parenthesized_expression: (node, tree, typeOf) => typeOf(tree.child(node, 0)),
    binary_expression: (node, tree) =>
      /^[\s)]*(?:[=!]=|[<>]=?|&&|\|\|)[\s(]*$/.test(
        tree.textBetween(tree.child(node, 0), tree.child(node, 1)),
      )
        ? "@bool"
        : UNKNOWN,
    new_expression: (node, tree) => value(`${typeIn(node, tree)}*`),
    compound_literal_expression: (node, tree) => value(`${typeIn(node, tree)}&&`),
    pointer_expression: (node, tree, typeOf) => {
      const of = plain(typeOf(tree.child(node, -1)));
      if (tree.text[tree.start(node)] === "&") return value(`${of}*`);
      return of.endsWith("*") ? value(of.slice(0, -1)) : UNKNOWN;
    },
    call_expression: callType,
  },
};

/** Returns `Foo*` for `@Foo` or `:Foo*`. */
function plain(type: string): string {
  return type.replace(/^[@:]|&+$/g, "");
}

/** Writes a type as a value has it; unknown if its name is. */
function value(text: string): string {
  if (!/^\w/.test(text)) return text.endsWith("&&") ? ":?&&" : UNKNOWN;
  return /^\w+$/.test(text) ? `@${text}` : `:${text}`;
}

function parametersOf(
  definition: number,
  tree: FlatSyntaxTree,
): readonly ParameterNode[] | undefined {
  const declarator = functionDeclaratorIn(definition, tree);
  const list = declarator === -1 ? -1 : tree.childInField(declarator, "parameters");
  if (list === -1) return undefined;
  const nodes = tree
    .children(list)
    .filter((node) => tree.typeName(node).endsWith("parameter_declaration"));
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined && tree.textOf(only) === "void") return [];
  const isParameter = typeParameters(definition, tree);
  const parameters = nodes.map((node): ParameterNode => {
    const kind = tree.typeName(node);
    const isVariadic = kind === "variadic_parameter_declaration";
    const text = parameterType(node, tree, isParameter);
    return { type: -1, text, isVariadic, isOptional: kind.startsWith("optional") };
  });
  // The dots of C are no node.
  const isOpen = /^[\s,]*\.\.\./.test(tree.text.slice(tree.end(list), tree.end(list) + 20));
  return isOpen ? [...parameters, { type: -1, text: UNKNOWN, isVariadic: true }] : parameters;
}

/** Returns the declarator with the parameters of a function, below the pointers and references of its result; -1 for others. */
export function functionDeclaratorIn(definition: number, tree: FlatSyntaxTree): number {
  let declarator = tree.childInField(definition, "declarator");
  for (let left = MAX_DEPTH; left > 0 && declarator !== -1; left -= 1) {
    const type = tree.typeName(declarator);
    if (type === "function_declarator") return declarator;
    if (type !== "pointer_declarator" && type !== "reference_declarator") return -1;
    declarator = tree.child(declarator, -1);
  }
  return -1;
}

/** Returns a test for the names of the type parameters around a definition. */
function typeParameters(definition: number, tree: FlatSyntaxTree): (name: string) => boolean {
  const texts: string[] = [];
  for (let node = tree.parent(definition); node !== -1; node = tree.parent(node)) {
    if (tree.typeName(node) !== "template_declaration") continue;
    const list = tree.childInField(node, "parameters");
    if (list !== -1) texts.push(tree.textOf(list));
  }
  if (texts.length === 0) return () => false;
  const names = new Set(texts.join(" ").match(/\w+/g));
  return (name) => names.has(name);
}

/** Returns the type of a parameter: `Foo*`, `Foo&&`, `$` for a type parameter. */
function parameterType(
  node: number,
  tree: FlatSyntaxTree,
  isParameter: (name: string) => boolean,
): string {
  let marks = "";
  let declarator = tree.childInField(node, "declarator");
  for (let left = MAX_DEPTH; left > 0 && declarator !== -1; left -= 1) {
    const mark = markOf(declarator, tree);
    if (mark === undefined) return UNKNOWN;
    marks = mark + marks;
    const inner = tree.childInField(declarator, "declarator");
    const last = inner === -1 ? tree.child(declarator, -1) : inner;
    declarator = last !== -1 && tree.typeName(last).endsWith("declarator") ? last : -1;
  }
  const name = typeIn(node, tree);
  if (name === UNKNOWN) return UNKNOWN;
  return isParameter(name.replace("<>", "")) ? `$${marks}` : name + marks;
}

/** Returns what a declarator adds to the type; undefined if it is a function's. */
function markOf(declarator: number, tree: FlatSyntaxTree): string | undefined {
  const type = tree.typeName(declarator).replace("abstract_", "");
  if (type === "pointer_declarator" || type === "array_declarator") return "*";
  if (type === "reference_declarator") {
    return tree.text.startsWith("&&", tree.start(declarator)) ? "&&" : "";
  }
  return TRANSPARENT.test(type) || tree.isLeaf(declarator) ? "" : undefined;
}

/** Returns the last part of the name of the declared type, `<>` instead of its arguments. */
function typeIn(node: number, tree: FlatSyntaxTree): string {
  return typeName(tree.childInField(node, "type"), tree);
}

function typeName(type: number, tree: FlatSyntaxTree): string {
  let node = type;
  for (let left = MAX_DEPTH; left > 0 && node !== -1; left -= 1) {
    switch (tree.typeName(node)) {
      case "primitive_type":
      case "type_identifier":
        return tree.textOf(node);
      case "sized_type_specifier":
        return tree.text.slice(tree.start(node), tree.end(node)).replaceAll(/\s+/g, "_");
      case "template_type":
        return `${typeName(tree.childInField(node, "name"), tree)}<>`;
      case "qualified_identifier":
      case "struct_specifier":
      case "class_specifier":
      case "enum_specifier":
        node = tree.childInField(node, "name");
        break;
      case "dependent_type":
        node = tree.child(node, 0);
        break;
      default:
        return UNKNOWN;
    }
  }
  return UNKNOWN;
}

function argumentsOf(leaf: number, tree: FlatSyntaxTree): number {
  let node = leaf;
  let around = tree.parent(node);
  while (
    /^(?:qualified_identifier|template_function|template_method)$/.test(tree.typeName(around))
  ) {
    if (tree.childInField(around, "name") !== node) return -1;
    node = around;
    around = tree.parent(node);
  }
  if (tree.typeName(around) === "field_expression") {
    if (tree.childInField(around, "field") !== node) return -1;
    node = around;
    around = tree.parent(node);
  }
  if (tree.typeName(around) !== "call_expression") return -1;
  if (tree.childInField(around, "function") !== node || MACRO.test(tree.textOf(leaf))) return -1;
  return tree.childInField(around, "arguments");
}

/** Returns the declared type of a local; "" if its value shows it. */
function ofLocal(name: number, tree: FlatSyntaxTree): string {
  let marks = "";
  let node = tree.parent(name);
  for (let left = MAX_DEPTH; left > 0 && node !== -1; left -= 1) {
    if (!tree.typeName(node).endsWith("declarator")) break;
    const mark = markOf(node, tree);
    if (mark === undefined) return UNKNOWN;
    marks += mark;
    node = tree.parent(node);
  }
  const type = tree.childInField(node, "type");
  if (type === -1) return UNKNOWN;
  if (tree.typeName(type) === "placeholder_type_specifier") return "";
  const text = typeName(type, tree);
  const isParameter = typeParameters(node, tree);
  return isParameter(text.replace("<>", "")) ? UNKNOWN : value(text + marks.replaceAll("&", ""));
}

function numberType(node: number, tree: FlatSyntaxTree): string {
  const text = tree.textOf(node);
  // `0` may be a null pointer.
  if (text === "0") return ":0";
  if (/^\d+$/.test(text)) return "@int";
  return /^[\d.]+$/.test(text) ? "@double" : UNKNOWN;
}

/** Literals with the other prefixes, such as `L"…"`, are rare. */
function stringType(node: number, tree: FlatSyntaxTree): string {
  return /^R?"/.test(tree.textOf(node)) ? ":char*" : UNKNOWN;
}

/** Only what is moved or cast shows its type. */
function callType(node: number, tree: FlatSyntaxTree, typeOf: (node: number) => string): string {
  const callee = tree.childInField(node, "function");
  if (/^(?:std::)?move$/.test(tree.textOf(callee))) {
    return value(`${plain(typeOf(tree.child(tree.child(node, -1), 0)))}&&`);
  }
  if (!/^\w+_cast\b/.test(tree.textOf(callee))) return UNKNOWN;
  const target = tree.child(tree.child(callee, -1), 0);
  return value(parameterType(target, tree, () => false));
}
