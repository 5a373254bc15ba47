// What the index has of the parameters of functions: see `FileReferences.signatures`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Longer types are left out. */
const MAX_CHARS = 60;

/** Returns the types of the parameters of a function: `(Store,Options*)`; of an error its mark; "" for other definitions. */
export function parametersOf(node: number, tree: FlatSyntaxTree, leaf: number): string {
  if (leaf !== -1 && tree.typeName(tree.parent(leaf)) === "error_set_declaration") return ERROR;
  if (node === -1) return "";
  if (tree.typeName(node) !== "function_declaration") return "";
  const [list = -1] = tree.childrenOfType(node, "parameters");
  const parameters = list === -1 ? [] : tree.childrenOfType(list, "parameter");
  const types = parameters.map((one) => typeText(tree.childInField(one, "type"), tree));
  return types.length === 0 ? "" : `(${types.join(",")})`;
}

/** The mark of the names of errors. */
const ERROR = "error";

/** Returns the name of a type, with "*" for each list around it; "" if it has none. */
function typeText(node: number, tree: FlatSyntaxTree): string {
  let inner = node;
  let layers = "";
  while (inner !== -1) {
    const type = tree.typeName(inner);
    if (type === "slice_type" || type === "array_type") layers += "*";
    else if (type === "error_union_type") {
      inner = tree.childInField(inner, "ok");
      continue;
    } else if (type !== "pointer_type" && type !== "nullable_type") break;
    inner = tree.child(inner, -1);
  }
  if (inner === -1) return "";
  const type = tree.typeName(inner);
  const isCall = type === "call_expression";
  const name = isCall ? tree.childInField(inner, "function") : inner;
  if (name === -1 || !/^(?:identifier|field_expression|call_expression|builtin_function)$/.test(type)) return "";
  const text = tree.textOf(name);
  if (text === "@This" || text.startsWith("@This(")) return `Self${layers}`;
  return /^[\w.]+$/.test(text) && text.length <= MAX_CHARS
    ? `${text}${isCall ? "()" : ""}${layers}`
    : "";
}
