import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

const VERSION = /^v\d+$/;

/** Adds an import of Go. Always returns true. */
export function readImport(node: number, { tree, add }: ImportReader): boolean {
  const path = tree.childInField(node, "path");
  if (path === -1) return true;
  const module = tree.literalOf(path);
  const named = tree.childInField(node, "name");
  const name =
    named === -1 ? packageName(module, tree) : tree.text.slice(tree.start(named), tree.end(named));
  const isWildcard = named !== -1 && tree.typeName(named) === "dot";
  const isBound = name !== "_" && !isWildcard;
  add({
    node,
    module,
    bindings: isBound ? [{ name: "*", local: name, node: -1 }] : [],
    isWildcard,
  });
  return true;
}

/**
 * Returns the package name: usually the last part of the path. If that is not an identifier, the part that
 * the file uses.
 */
function packageName(module: string, tree: FlatSyntaxTree): string {
  const parts = module.split("/").filter((part) => part !== "");
  const last = parts.findLast((part) => !VERSION.test(part)) ?? module;
  if (/^\w+$/.test(last)) return last;
  const words = last.split(/[^\w]+/).filter((word) => word !== "" && !VERSION.test(word));
  const joined = words.join("_");
  const used = [...words.toReversed(), joined, words.join("")];
  return used.find((word) => tree.text.includes(`${word}.`)) ?? joined;
}
