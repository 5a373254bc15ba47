// What the index has of the parameters of functions: see `FileReferences.signatures`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Longer types are left out. */
const MAX_CHARS = 80;
/** What is before the name of a type: `?*const`, `[]`, `Error!`. */
const BEFORE = /^(?:[?*!]|[\w.]+!|\[[^\]]*\]|(?:const|volatile|allowzero)\b|\s)/;
const NAME = /^(?:@This\(\)|[\w.]+)/;
const NO_NAME = /^(?:fn|anytype|type|struct|enum|union)\b/;
/** The mark of the names of errors. */
const ERROR = "error";

/** Returns the types of the parameters of a function: `(Store,Options*)`; of an error its mark; "" for other definitions. */
export function parameterMarks(node: number, tree: FlatSyntaxTree, leaf: number): string {
  if (leaf !== -1 && tree.typeName(tree.parent(leaf)) === "error_set_declaration") return ERROR;
  if (node === -1 || tree.typeName(node) !== "function_declaration") return "";
  const [list = -1] = tree.childrenOfType(node, "parameters");
  const parameters = list === -1 ? [] : tree.childrenOfType(list, "parameter");
  const types = parameters.map((one) => typeText(tree.childInField(one, "type"), tree));
  return types.length === 0 ? "" : `(${types.join(",")})`;
}

/** Returns the name of a type, with "*" for each list around it; "" if it has none. */
function typeText(node: number, tree: FlatSyntaxTree): string {
  if (node === -1 || tree.end(node) - tree.start(node) > MAX_CHARS) return "";
  let text = tree.text.slice(tree.start(node), tree.end(node));
  let layers = "";
  for (let found = BEFORE.exec(text); found !== null; found = BEFORE.exec(text)) {
    if (found[0].startsWith("[")) layers += "*";
    text = text.slice(found[0].length);
  }
  const name = NO_NAME.test(text) ? "" : (NAME.exec(text)?.[0] ?? "");
  if (name === "") return "";
  const isCall = text.startsWith("(", name.length);
  return (name.startsWith("@") ? "Self" : name) + (isCall ? "()" : "") + layers;
}
