// The imports of a file of Scala. One statement may have several paths: `import a.b.{C => D, _}, e.f`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ImportReader } from "../../references/imports.ts";

const RENAMED = /^(?:arrow|as)_renamed_identifier$/;

/** Adds the imports of a statement, and each object or type in a path, which the statement uses. */
export function readScalaImport(statement: number, reader: ImportReader): boolean {
  const { tree } = reader;
  let path: number[] = [];
  const finish = (): void => {
    const last = path.pop();
    if (last !== undefined) addName(path, last, reader);
    path = [];
  };
  for (const child of tree.children(statement)) {
    if (tree.fieldName(child) === "path") {
      const before = path.at(-1);
      if (before !== undefined && tree.textBetween(before, child).includes(",")) finish();
      path.push(child);
      continue;
    }
    const selectors =
      tree.typeName(child) === "namespace_selectors" ? tree.children(child) : [child];
    addSelected(path, selectors, reader);
    path = [];
  }
  finish();
  return true;
}

function addSelected(
  path: readonly number[],
  selectors: readonly number[],
  reader: ImportReader,
): void {
  const { tree, add } = reader;
  addPath(path, reader);
  const module = pathText(path, tree);
  const from = variableIn(path);
  for (const node of selectors) {
    const type = tree.typeName(node);
    if (type === "namespace_wildcard") {
      add({ node, module: `${module}.*`, bindings: [], isWildcard: true, ...from });
    } else if (RENAMED.test(type)) {
      const name = tree.childInField(node, "name");
      const alias = tree.childInField(node, "alias");
      // `{Name => _}` hides a name.
      const isHidden = alias === -1 || tree.typeName(alias) === "wildcard";
      addBinding(
        module,
        { leaf: name, local: isHidden ? "" : nameOf(alias, tree), node, ...from },
        reader,
      );
    } else if (tree.isLeaf(node)) {
      addBinding(module, { leaf: node, local: nameOf(node, tree), node, ...from }, reader);
    }
  }
}

function addName(path: readonly number[], leaf: number, reader: ImportReader): void {
  addPath(path, reader);
  const module = pathText(path, reader.tree);
  addBinding(
    module,
    { leaf, local: nameOf(leaf, reader.tree), node: leaf, ...variableIn(path) },
    reader,
  );
}

function addBinding(
  module: string,
  { leaf, local, node, from }: { leaf: number; local: string; node: number; from?: number },
  { tree, add }: ImportReader,
): void {
  if (leaf === -1) return;
  const name = nameOf(leaf, tree);
  const whole = module === "" ? name : `${module}.${name}`;
  const bindings = [{ name, local, node: leaf }];
  add({ node, module: whole, bindings, ...(from !== undefined && { from }) });
}

/** The only name of a path may be that of a variable. */
function variableIn(path: readonly number[]): { readonly from?: number } {
  const [from] = path.length === 1 ? path : [];
  return from === undefined ? {} : { from };
}

/** Adds a use of each object in a path: packages have small letters, and the first name may be one of the file. */
function addPath(path: readonly number[], { tree, add }: ImportReader): void {
  for (const [at, leaf] of path.entries()) {
    const name = nameOf(leaf, tree);
    const isObject = /^\p{Lu}/u.test(name) || path.length === 1;
    if (!isObject) continue;
    const module = pathText(path.slice(0, at + 1), tree);
    const bindings = [{ name, local: "", node: leaf }];
    add({ node: leaf, module, bindings, ...variableIn(path) });
  }
}

function pathText(path: readonly number[], tree: FlatSyntaxTree): string {
  return path.map((leaf) => nameOf(leaf, tree)).join(".");
}

function nameOf(leaf: number, tree: FlatSyntaxTree): string {
  return tree.textOf(leaf).replaceAll("`", "");
}
