// The values of literals in expressions and in types.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { constantText, stringText } from "../type-conditions.ts";

const LITERALS = /^(?:number|true|false|null|undefined)$/;
const CONSTANTS = /^(?:member_expression|nested_type_identifier|nested_identifier)$/;

/** Returns the text of a literal, as in `TypeCondition`; undefined for other values. */
export function textOfLiteral(node: number, tree: FlatSyntaxTree): string | undefined {
  if (node === -1) return undefined;
  const type = tree.typeName(node);
  if (type === "string") return stringText(tree.literalOf(node));
  const text = tree.textOf(node);
  if (LITERALS.test(type) || text === "undefined") return constantText(text);
  return CONSTANTS.test(type) && /^\w+\.\w+$/.test(text) ? constantText(text) : undefined;
}

/** Returns the texts of the literals of which a type is one; undefined if it is another type. */
export function literalsOfType(type: number, tree: FlatSyntaxTree): readonly string[] | undefined {
  switch (type === -1 ? "" : tree.typeName(type)) {
    case "type_annotation":
    case "parenthesized_type":
      return literalsOfType(tree.child(type, 0), tree);
    case "literal_type":
      return asList(textOfLiteral(tree.child(type, 0), tree));
    case "nested_type_identifier":
      return asList(textOfLiteral(type, tree));
    case "union_type": {
      const parts = tree.children(type).map((part) => literalsOfType(part, tree));
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    default:
      return undefined;
  }
}

function asList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}
