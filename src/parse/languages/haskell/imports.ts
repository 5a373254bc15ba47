// The imports and the list of exports of a module of Haskell. A binding keeps more than its name:
//   "*" with "Map"          the module can be named `Map` here; with "Map." its names need that prefix
//   "insert" with "insert"  the name is in the list of the import, or of the exports
//   "Node" with "Tree.Node" the name is listed below `Tree`; "pattern.Node" and "type.++": it has that word before it
//   ".." with "Tree.."      all that belongs to `Tree` is listed
// In an import, `isWildcard` means that there is no list, or that the list hides names, which begin with "-.". In the list of
// exports, which is an import of no module, "*" is a module all of whose names are exported, and "insert" may be with
// "Map.insert".
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import { leafOf } from "./names.ts";

const MODULE = "*";
const ALL = "..";
const HIDDEN = "-.";
/** Longer lines of imports have a list. */
const MAX_LINE = 300;

/** Adds the import of `import qualified Data.Map as Map (insert)`. */
export function readModuleImport(node: number, { tree, add }: ImportReader): boolean {
  const named = tree.childInField(node, "module");
  if (named === -1) return true;
  const module = tree.textOf(named);
  const alias = tree.childInField(node, "alias");
  const local = alias === -1 ? module : tree.textOf(alias);
  const list = tree.childInField(node, "names");
  const words = keywordsOf(node, [list, alias], tree);
  const isQualified = /\bqualified\b/.test(words);
  const isHiding = /\bhiding\b/.test(words);
  const listed = list === -1 ? [] : tree.children(list).flatMap((item) => bindingsOf(item, tree));
  add({
    node,
    module,
    bindings: [
      { name: MODULE, local: isQualified ? `${local}.` : local, node: -1 },
      ...listed.map((one) => (isHiding ? { ...one, local: HIDDEN + one.local } : one)),
    ],
    isWildcard: list === -1 || isHiding,
  });
  return true;
}

/** Adds the list of exports of `module Name (a, T (..), module Other) where`. */
export function readExportList(node: number, { tree, add }: ImportReader): boolean {
  const list = tree.childInField(node, "exports");
  if (list === -1) return true;
  const bindings = tree.children(list).flatMap((item) => bindingsOf(item, tree));
  add({ node, module: "", bindings, isReexport: true });
  return true;
}

/** Returns the text of an import before its list, else before its alias, else its line. */
function keywordsOf(node: number, inner: readonly number[], tree: FlatSyntaxTree): string {
  const [next] = inner.filter((one) => one !== -1);
  const start = tree.start(node);
  const line = /^[^\n]*?(?=--|\n|$)/.exec(tree.text.slice(start, start + MAX_LINE))?.[0] ?? "";
  return next === undefined ? line : tree.text.slice(start, tree.start(next));
}

/** Returns the bindings of one item of a list. */
function bindingsOf(item: number, tree: FlatSyntaxTree): readonly FoundBinding[] {
  if (tree.typeName(item) === "module_export") {
    const module = tree.childInField(item, "module");
    return module === -1 ? [] : [{ name: MODULE, local: tree.textOf(module), node: -1 }];
  }
  const [first = -1, second = -1] = tree.children(item);
  const isMarked = first !== -1 && tree.typeName(first) === "namespace";
  const named = isMarked ? second : first;
  if (named === -1) return [];
  const isQualified = tree.typeName(named) === "qualified";
  const leaf = leafOf(isQualified ? tree.childInField(named, "id") : named, tree);
  if (leaf === -1) return [];
  const name = tree.textOf(leaf);
  const prefix = isMarked ? `${tree.textOf(first)}.` : "";
  const local = isQualified ? tree.textOf(named) : prefix + name;
  const children = tree.childInField(item, "children");
  const inside = children === -1 ? [] : tree.children(children);
  return [bindingOf(name, local, leaf), ...inside.flatMap((one) => childBinding(one, name, tree))];
}

function childBinding(
  element: number,
  parent: string,
  tree: FlatSyntaxTree,
): readonly FoundBinding[] {
  if (tree.typeName(element) === "all_names")
    return [{ name: ALL, local: `${parent}${ALL}`, node: -1 }];
  const leaf = leafOf(element, tree);
  return leaf === -1 ? [] : [bindingOf(tree.textOf(leaf), `${parent}.${tree.textOf(leaf)}`, leaf)];
}

/** An operator `*` would be taken for the module. */
function bindingOf(name: string, local: string, node: number): FoundBinding {
  return name === MODULE ? { name: "(*)", local: "(*)", node: -1 } : { name, local, node };
}
