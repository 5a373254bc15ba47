// Which modules the names in a file of Elixir mean: `alias`, `import`, `use`, `require`, and names in full.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { FoundBinding, ImportReader } from "../../references/imports.ts";

const DIRECTIVE = /^(?:alias|import|use|require)$/;
const DEFINES_MODULE = /^def(?:module|protocol)$/;

/** By tree: the modules that names mean. An alias counts in the whole file. */
const MEANINGS = new WeakMap<FlatSyntaxTree, Map<string, string>>();

/** Adds the imports of `alias A.B, as: C`, `alias A.{B, C}`, `import A.B`, `use A.B` and `require A.B`. */
export function readDirective(call: number, reader: ImportReader): boolean {
  const { tree, add } = reader;
  const target = tree.childInField(call, "target");
  const directive = target !== -1 && tree.isLeaf(target) ? tree.textOf(target) : "";
  const [list = -1] = tree.childrenOfType(call, "arguments");
  const named = DIRECTIVE.test(directive) && list !== -1 ? tree.child(list, 0) : -1;
  if (named === -1) return false;
  const meanings = meaningsIn(tree);
  for (const [leaf, written] of modulesIn(named, tree)) {
    const module = inFull(written, meanings);
    const short = module.slice(module.lastIndexOf(".") + 1);
    const local = directive === "alias" ? (newName(list, tree) ?? short) : "";
    if (local !== "") meanings.set(local, module);
    const binding: FoundBinding = { name: module, local: local || module, node: leaf };
    const isWildcard = directive === "import" || directive === "use";
    add({ node: call, module, bindings: [binding], isWildcard });
  }
  return true;
}

/** Adds an import for a module that is named in full, `A.B.C`, or from an alias on. */
export function readFullName(leaf: number, { tree, add }: ImportReader): boolean {
  const written = tree.textOf(leaf);
  const meanings = meaningsIn(tree);
  if (!written.includes(".") || meanings.has(written) || isDefined(leaf, tree)) return false;
  const module = inFull(written, meanings);
  meanings.set(written, module);
  add({ node: leaf, module, bindings: [{ name: module, local: written, node: -1 }] });
  return false;
}

/** Returns `A.B.C` for `B.C` after `alias A.B`. An import has the meaning of a name without dots. */
export function nameInFull(name: string, tree: FlatSyntaxTree): string {
  return name.includes(".") ? inFull(name, meaningsIn(tree)) : name;
}

function meaningsIn(tree: FlatSyntaxTree): Map<string, string> {
  const known = MEANINGS.get(tree);
  if (known !== undefined) return known;
  const meanings = new Map<string, string>();
  MEANINGS.set(tree, meanings);
  return meanings;
}

/** Returns the modules of `A.B` or `A.{B, C}`, with their leaves. */
function modulesIn(node: number, tree: FlatSyntaxTree): readonly (readonly [number, string])[] {
  if (tree.typeName(node) === "alias") return [[node, tree.textOf(node)]];
  const [left, right] = [tree.childInField(node, "left"), tree.childInField(node, "right")];
  if (left === -1 || right === -1 || tree.typeName(left) !== "alias") return [];
  return tree
    .childrenOfType(right, "alias")
    .map((leaf) => [leaf, `${tree.textOf(left)}.${tree.textOf(leaf)}`]);
}

function inFull(written: string, meanings: ReadonlyMap<string, string>): string {
  const [first = "", ...rest] = written.split(".");
  return [meanings.get(first) ?? first, ...rest].join(".");
}

/** Returns `C` of `as: C`. */
function newName(list: number, tree: FlatSyntaxTree): string | undefined {
  const [keywords = -1] = tree.childrenOfType(list, "keywords");
  for (const pair of keywords === -1 ? [] : tree.children(keywords)) {
    const [key, value] = [tree.childInField(pair, "key"), tree.childInField(pair, "value")];
    if (key !== -1 && value !== -1 && tree.textOf(key).startsWith("as:")) return tree.textOf(value);
  }
  return undefined;
}

/** Whether a name is that of the module that a definition makes. */
function isDefined(leaf: number, tree: FlatSyntaxTree): boolean {
  const list = tree.parent(leaf);
  if (tree.typeName(list) !== "arguments" || tree.child(list, 0) !== leaf) return false;
  const target = tree.childInField(tree.parent(list), "target");
  return target !== -1 && DEFINES_MODULE.test(tree.textOf(target));
}
