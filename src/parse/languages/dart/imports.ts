// Imports, exports and parts of libraries of Dart. `HIDDEN` and the marks of parts are names of bindings that no code can have.
import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Before a name that an import hides. */
const HIDDEN = "-";
const PART = "<part>";
const PART_OF = "<part of>";

function mark(name: string): FoundBinding {
  return { name, local: "", node: -1 };
}

/** Reads `import "a.dart" as a show B hide C;`. */
export function readDartImport(node: number, { tree, add }: ImportReader): boolean {
  const [specification = node] = tree.childrenOfType(node, "import_specification");
  const [prefix] = tree.childrenOfType(specification, "identifier");
  const { shown, hidden } = combinatorsIn(specification, tree);
  const local = prefix === undefined ? "" : tree.textOf(prefix);
  for (const module of modulesIn(specification, tree)) {
    if (prefix !== undefined) {
      add({ node, module, bindings: [{ name: "*", local, node: -1 }, ...shown.map(unbound)] });
    } else if (shown.length > 0) add({ node, module, bindings: shown });
    else add({ node, module, bindings: hidden, isWildcard: true });
  }
  return true;
}

/** With a prefix, a shown name is a use of the definition, but no name of the file. */
function unbound({ name, node }: FoundBinding): FoundBinding {
  return { name, local: "", node };
}

/** Reads `export "a.dart" show B;`. */
export function readExport(node: number, { tree, add }: ImportReader): boolean {
  const { shown, hidden } = combinatorsIn(node, tree);
  for (const module of modulesIn(node, tree)) {
    if (shown.length > 0) add({ node, module, bindings: shown, isReexport: true });
    else add({ node, module, bindings: hidden, isWildcard: true, isReexport: true });
  }
  return true;
}

/** Reads `part "a.dart";`: what the part defines belongs to the library. */
export function readPart(node: number, { tree, add }: ImportReader): boolean {
  for (const module of modulesIn(node, tree)) {
    add({ node, module, bindings: [mark(PART)], isWildcard: true, isReexport: true });
  }
  return true;
}

/** Reads `part of "library.dart";` and `part of a.library;`. */
export function readPartOf(node: number, { tree, add }: ImportReader): boolean {
  const [module = tree.textOf(tree.child(node, -1))] = modulesIn(node, tree);
  add({ node, module, bindings: [mark(PART_OF)], isWildcard: true });
  return true;
}

/** Returns the addresses in an import: several if it depends on the platform. */
function modulesIn(node: number, tree: FlatSyntaxTree): readonly string[] {
  const found: string[] = [];
  for (let inside = node; inside < tree.next(node); inside += 1) {
    if (tree.typeName(inside) === "uri") found.push(tree.literalOf(inside));
  }
  return found;
}

function combinatorsIn(
  node: number,
  tree: FlatSyntaxTree,
): { readonly shown: readonly FoundBinding[]; readonly hidden: readonly FoundBinding[] } {
  const shown: FoundBinding[] = [];
  const hidden: FoundBinding[] = [];
  for (const combinator of tree.childrenOfType(node, "combinator")) {
    const isHiding = tree.text.startsWith("hide", tree.start(combinator));
    for (const leaf of tree.children(combinator)) {
      const name = tree.textOf(leaf);
      if (isHiding) hidden.push(mark(HIDDEN + name));
      else shown.push({ name, local: name, node: leaf });
    }
  }
  return { shown, hidden };
}
