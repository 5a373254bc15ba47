// Imports of Rust. Each name in a `use` declaration is an import of its own.
import type { ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

interface Clause {
  readonly node: number;
  /** The path before it, with the trailing separator: `crate::a::`. */
  readonly prefix: string;
  readonly isReexport: boolean;
}

/** Maximum nesting of lists. No real program comes near. */
const MAX_DEPTH = 20;

/** Adds the imports of a `use` declaration. Always returns true. */
export function readUse(node: number, reader: ImportReader): boolean {
  const { tree } = reader;
  const argument = tree.childInField(node, "argument");
  const isReexport = tree.childrenOfType(node, "visibility_modifier").length > 0;
  if (argument !== -1) readClause({ node: argument, prefix: "", isReexport }, reader, 0);
  return true;
}

function readClause(clause: Clause, reader: ImportReader, depth: number): void {
  const { node, prefix, isReexport } = clause;
  const { tree, add } = reader;
  const type = tree.typeName(node);
  if (depth > MAX_DEPTH) return;
  if (type === "scoped_use_list" || type === "use_list") {
    const path = type === "use_list" ? -1 : tree.childInField(node, "path");
    const list = type === "use_list" ? node : tree.childInField(node, "list");
    const inner = path === -1 ? prefix : `${prefix}${pathOf(path, tree)}::`;
    for (const child of list === -1 ? [] : tree.children(list)) {
      readClause({ node: child, prefix: inner, isReexport }, reader, depth + 1);
    }
  } else if (type === "use_wildcard") {
    const path = tree.child(node, 0);
    const module = path === -1 ? prefix.slice(0, -2) : `${prefix}${pathOf(path, tree)}`;
    add({ node, module, bindings: [], isWildcard: true, isReexport });
  } else if (type === "use_as_clause") {
    const alias = tree.childInField(node, "alias");
    const local = alias === -1 ? "_" : tree.textOf(alias);
    readName({ ...clause, node: tree.childInField(node, "path") }, local, reader);
  } else readName(clause, "", reader);
}

/** Reads the path of one name. `self` in a list refers to the path before the list. */
function readName(
  { node, prefix, isReexport }: Clause,
  alias: string,
  { tree, add }: ImportReader,
): void {
  if (node === -1) return;
  const path = pathOf(node, tree);
  const module = path === "self" && prefix !== "" ? prefix.slice(0, -2) : `${prefix}${path}`;
  const name = module.slice(module.lastIndexOf(":") + 1);
  const local = alias === "" ? name : alias;
  const last = tree.isLeaf(node) ? node : tree.childInField(node, "name");
  const isNamed = path !== "self" && last !== -1;
  const bindings = [{ name, local: local === "_" ? "" : local, node: isNamed ? last : -1 }];
  add({ node, module, bindings, isReexport, isBound: true });
}

function pathOf(node: number, tree: FlatSyntaxTree): string {
  return tree.textOf(node).replaceAll(/\s+/g, "");
}

/** Reads `mod x;`, which imports the module's file. A module with a body is not an import. */
export function readModule(node: number, { tree, add }: ImportReader): boolean {
  const named = tree.childInField(node, "name");
  if (named === -1 || tree.childInField(node, "body") !== -1) return false;
  const local = tree.textOf(named);
  add({ node, module: `self::${local}`, bindings: [{ name: "*", local, node: -1 }] });
  return true;
}

/** Reads `extern crate foo as bar`. Always returns true. */
export function readCrate(node: number, { tree, add }: ImportReader): boolean {
  const named = tree.childInField(node, "name");
  if (named === -1) return true;
  const module = tree.textOf(named);
  const alias = tree.childInField(node, "alias");
  const local = alias === -1 ? module : tree.textOf(alias);
  add({ node, module, bindings: [{ name: "*", local, node: -1 }] });
  return true;
}
