// The properties that distinguish Java's overloads.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import {
  FUNCTION_REFERENCE,
  lambdaType,
  NULL_TYPE,
  type OverloadRules,
  type ParameterNode,
} from "../overload-rules.ts";

/** Numeric types, the widest first. */
const NUMERIC = ["@double", "@float", "@long"];
const UNBOXED: Readonly<Record<string, string>> = {
  "@Integer": "@int",
  "@Long": "@long",
  "@Double": "@double",
  "@Float": "@float",
  "@Short": "@int",
  "@Byte": "@int",
  "@Character": "@int",
  "@short": "@int",
  "@byte": "@int",
  "@char": "@int",
  "@Boolean": "@boolean",
};
/** Expressions that are statements too: a lambda with such a body may return a value or not. */
const STATEMENTS =
  /^(?:method_invocation|object_creation_expression|assignment_expression|update_expression)$/;

export const javaOverloads: OverloadRules = {
  parametersOf,
  result: "type",
  noResult: "void",
  argumentsOf,
  outside:
    /^@?(?:String|StringBuilder|List|Map|Set|Integer|Long|Math|System|Objects|Arrays|Collections)(?![\w$])|^@[\w$]+\*/,
  counted: /^assert\p{Lu}/u,
  valueTypes: {
    null_literal: () => NULL_TYPE,
    decimal_integer_literal: integerType,
    hex_integer_literal: integerType,
    octal_integer_literal: integerType,
    binary_integer_literal: integerType,
    decimal_floating_point_literal: floatType,
    hex_floating_point_literal: floatType,
    binary_expression: binaryType,
    unary_expression: (node, tree, typeOf) => {
      const operand = typeOf(tree.childInField(node, "operand"));
      return tree.text[tree.start(node)] === "!" ? "@boolean" : promoted(operand, "@int");
    },
    update_expression: (node, tree, typeOf) => typeOf(tree.child(node, 0)),
    lambda_expression: typeOfLambda,
    method_reference: () => FUNCTION_REFERENCE,
  },
};

function parametersOf(
  definition: number,
  tree: FlatSyntaxTree,
): readonly ParameterNode[] | undefined {
  const type = tree.typeName(definition);
  const record = type === "compact_constructor_declaration" ? tree.parent(definition) : -1;
  const owner = record === -1 ? definition : tree.parent(record);
  if (record === -1 && !/^(?:method|constructor)_declaration$/.test(type)) return undefined;
  const list = tree.childInField(owner, "parameters");
  if (list === -1) return undefined;
  return tree.childrenOfType(list, "formal_parameter", "spread_parameter").map((node) => {
    if (tree.typeName(node) === "spread_parameter")
      return { type: spreadType(node, tree), isVariadic: true };
    const dimensions = tree.childInField(node, "dimensions");
    const suffix = dimensions === -1 ? {} : { suffix: brackets(tree.textOf(dimensions)) };
    return { type: tree.childInField(node, "type"), ...suffix };
  });
}

function spreadType(node: number, tree: FlatSyntaxTree): number {
  return (
    tree
      .children(node)
      .find((child) => !/^(?:modifiers|variable_declarator)$/.test(tree.typeName(child))) ?? -1
  );
}

function brackets(text: string): string {
  return "[]".repeat(text.split("[").length - 1);
}

function argumentsOf(leaf: number, tree: FlatSyntaxTree): number | "reference" {
  let node = leaf;
  let parent = tree.parent(node);
  while (/^(?:generic_type|scoped_type_identifier|annotated_type)$/.test(tree.typeName(parent))) {
    node = parent;
    parent = tree.parent(node);
  }
  const around = tree.typeName(parent);
  if (around === "method_reference") return "reference";
  const named =
    around === "method_invocation"
      ? tree.childInField(parent, "name")
      : around === "object_creation_expression"
        ? tree.childInField(parent, "type")
        : -1;
  return named === node ? tree.childInField(parent, "arguments") : -1;
}

function integerType(node: number, tree: FlatSyntaxTree): string {
  return /l$/i.test(tree.textOf(node)) ? "@long" : "@int";
}

function floatType(node: number, tree: FlatSyntaxTree): string {
  return /f$/i.test(tree.textOf(node)) ? "@float" : "@double";
}

function binaryType(node: number, tree: FlatSyntaxTree, typeOf: (node: number) => string): string {
  const left = tree.childInField(node, "left");
  const right = tree.childInField(node, "right");
  const operator = tree.text
    .slice(tree.end(left), tree.start(right))
    .replaceAll(/\/\*.*?\*\/|[\s"]+/g, "");
  if (/^(?:==|!=|<=?|>=?|&&|\|\|)$/.test(operator)) return "@boolean";
  const types = [typeOf(left), typeOf(right)] as const;
  if (operator === "+" && types.includes("@String")) return "@String";
  if (operator.startsWith("<<") || operator.startsWith(">>")) return promoted(types[0], "@int");
  return promoted(...types);
}

/** Returns the type of an operation on two numbers; "?" if one of them is unknown. */
function promoted(one: string, other: string): string {
  const types = [UNBOXED[one] ?? one, UNBOXED[other] ?? other];
  if (types.every((type) => type === "@boolean")) return "@boolean";
  if (!types.every((type) => type === "@int" || NUMERIC.includes(type))) return "?";
  return NUMERIC.find((type) => types.includes(type)) ?? "@int";
}

function typeOfLambda(node: number, tree: FlatSyntaxTree): string {
  const parameters = tree.childInField(node, "parameters");
  const count =
    tree.isLeaf(parameters) && tree.typeName(parameters) === "identifier"
      ? 1
      : tree.children(parameters).length;
  const body = tree.childInField(node, "body");
  if (tree.typeName(body) !== "block") {
    return lambdaType(count, STATEMENTS.test(tree.typeName(body)) ? "" : "r");
  }
  return lambdaType(count, returnsIn(body, tree));
}

function returnsIn(body: number, tree: FlatSyntaxTree): "r" | "v" | "" {
  const end = tree.next(body);
  let hasThrow = false;
  for (let node = body + 1; node < end; node += 1) {
    const type = tree.typeName(node);
    if (type === "lambda_expression" || type === "class_body") node = tree.next(node) - 1;
    else if (type === "return_statement") return tree.child(node, 0) === -1 ? "v" : "r";
    else if (type === "throw_statement") hasThrow = true;
  }
  // A body that always throws fits both.
  return hasThrow ? "" : "v";
}
