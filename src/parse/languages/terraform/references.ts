// Names in Terraform are chains: `var.region`, `module.vpc.id`, `data.aws_ami.linux.id`. A chain has no node of its own: its
// parts are neighbours.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ImportReader } from "../../references/imports.ts";
import type { TextName } from "../../references/text-names.ts";
import type { ReferenceRules } from "../reference-rules.ts";

/** Neighbours that select elements: `[0]`, `.0`, `[*]`. */
const SELECTS = new Set(["index", "splat"]);
const IN_SPLAT = new Set(["full_splat", "attr_splat"]);
/** Arguments that each module block may have. */
const META_ARGUMENTS = new Set(
  "source version providers count for_each depends_on lifecycle".split(" "),
);
/** Values that Terraform itself provides. */
const PROVIDED = new Set(["each", "count", "self", "path", "terraform"]);
/** Blocks with a type and a name, which both follow the word. */
const WITH_TYPE = new Set(["data", "ephemeral", "list", "action"]);
const LOOPS = new Set(["for_tuple_expr", "for_object_expr"]);
/** What an iterator of a dynamic block has. */
const OF_ITERATOR = /^(?:key|value)$/;

export const terraformReferences: ReferenceRules = {
  names: { identifier: "member" },
  nodes: {
    variable_expr: { value: { is: "through", of: 0 } },
    get_attr: { value: { is: "member", object: objectOf, name: 0 }, accepts: isOfDefinition },
    for_tuple_expr: { scope: "block" },
    for_object_expr: { scope: "block" },
    for_intro: {
      declares: [{ names: keyOf }, { names: elementOf, value: collectionIn, step: "[]" }],
    },
    block: {
      value: { is: "member", object: 0, name: lastLabel },
      imports: readModule,
    },
    attribute: {
      isKey: true,
      value: { is: "member", object: moduleAround, name: 0, isKey: true },
      accepts: (name) => !META_ARGUMENTS.has(name),
      text: readSetting,
    },
  },
};

/** Returns the part of the chain before a part, without the elements that it selects; -1 if it is no name. */
function objectOf(part: number, tree: FlatSyntaxTree): number {
  let around = tree.parent(part);
  let from = part;
  // The first part in a splat follows the splat itself, the others each other.
  if (IN_SPLAT.has(tree.typeName(around)) && tree.child(around, 0) === part) {
    from = tree.parent(around);
    around = tree.parent(from);
  }
  let before = -1;
  for (const each of tree.children(around)) {
    if (each >= from) break;
    before = SELECTS.has(tree.typeName(each)) ? before : each;
  }
  const type = before === -1 ? "" : tree.typeName(before);
  return type === "get_attr" || type === "variable_expr" ? before : -1;
}

/** Whether a part of a chain names a definition: not one of the attributes of a resource or of a value. */
function isOfDefinition(name: string, leaf: number, tree: FlatSyntaxTree): boolean {
  let number = 0;
  let first = objectOf(tree.parent(leaf), tree);
  for (; first !== -1 && tree.typeName(first) === "get_attr"; number += 1) {
    if (number > 1) return false;
    first = objectOf(first, tree);
  }
  if (first === -1) return false;
  const root = tree.textOf(tree.child(first, 0));
  if (root === "module") return number < 2;
  if (WITH_TYPE.has(root)) return number === 1;
  if (number !== 0 || PROVIDED.has(root)) return false;
  if (root === "var" || root === "local") return true;
  if (OF_ITERATOR.test(name) && isIterator(root, leaf, tree)) return false;
  const collection = collectionOf(root, leaf, tree);
  return collection === undefined || /^module\.[\w-]+$/.test(collection);
}

/** Returns the text of the collection through whose elements a name goes in a `for`; undefined if it is no such name. */
function collectionOf(name: string, leaf: number, tree: FlatSyntaxTree): string | undefined {
  for (let around = tree.parent(leaf); around !== -1; around = tree.parent(around)) {
    if (!LOOPS.has(tree.typeName(around))) continue;
    const [intro = -1] = tree.childrenOfType(around, "for_intro");
    const names = intro === -1 ? [] : tree.childrenOfType(intro, "identifier");
    if (!names.some((each) => tree.textOf(each) === name)) continue;
    const isElement = tree.textOf(names.at(-1) ?? -1) === name;
    return isElement ? tree.textOf(tree.child(intro, -1)) : "";
  }
  return undefined;
}

/** Whether a dynamic block around gives its elements that name: its own, or the one that it sets as its iterator. */
function isIterator(name: string, leaf: number, tree: FlatSyntaxTree): boolean {
  for (let block = tree.parent(leaf); block !== -1; block = tree.parent(block)) {
    if (tree.typeName(block) !== "block" || wordOf(block, tree) !== "dynamic") continue;
    const iterator = attributeIn(block, "iterator", tree);
    const label = lastLabel(block, tree);
    const own = iterator === -1 ? label : tree.child(iterator, 1);
    if (own !== -1 && tree.textOf(own) === name) return true;
  }
  return false;
}

function keyOf(intro: number, tree: FlatSyntaxTree): number {
  const [key = -1, ...others] = tree.childrenOfType(intro, "identifier");
  return others.length === 0 ? -1 : key;
}

function elementOf(intro: number, tree: FlatSyntaxTree): number {
  return tree.childrenOfType(intro, "identifier").at(-1) ?? -1;
}

/** Returns the last part of the chain that a `for` goes through. */
function collectionIn(intro: number, tree: FlatSyntaxTree): number {
  return tree.child(tree.child(intro, -1), -1);
}

/** Returns the first word of a block. */
function wordOf(block: number, tree: FlatSyntaxTree): string {
  return tree.textOf(tree.child(block, 0));
}

/** Returns the text of the last label of a block; -1 if it has none. */
function lastLabel(block: number, tree: FlatSyntaxTree): number {
  const label = tree.childrenOfType(block, "string_lit").at(-1) ?? -1;
  return label === -1 ? -1 : (tree.childrenOfType(label, "template_literal")[0] ?? -1);
}

function attributeIn(block: number, name: string, tree: FlatSyntaxTree): number {
  const [body = -1] = tree.childrenOfType(block, "body");
  const attributes = body === -1 ? [] : tree.childrenOfType(body, "attribute");
  return attributes.find((each) => tree.textOf(tree.child(each, 0)) === name) ?? -1;
}

/** Returns the module block whose argument an attribute is; -1 for other attributes. */
function moduleAround(attribute: number, tree: FlatSyntaxTree): number {
  const block = tree.parent(tree.parent(attribute));
  const isModule = block !== -1 && tree.typeName(block) === "block";
  return isModule && wordOf(block, tree) === "module" ? block : -1;
}

/** Adds the folder in the `source` of a module block as an import with the name of the module. */
function readModule(block: number, { tree, add }: ImportReader): boolean {
  const label = wordOf(block, tree) === "module" ? lastLabel(block, tree) : -1;
  const source = label === -1 ? -1 : attributeIn(block, "source", tree);
  if (source === -1) return false;
  const [, module = ""] = /^"([^"$]+)"$/.exec(tree.textOf(tree.child(source, 1))) ?? [];
  if (module === "") return false;
  const name = `module.${tree.textOf(label)}`;
  add({ node: block, module, bindings: [{ name, local: name, node: -1 }] });
  return false;
}

/** A setting outside of blocks, in a file of values, sets a variable. */
function readSetting(attribute: number, tree: FlatSyntaxTree): readonly TextName[] {
  const around = tree.parent(tree.parent(attribute));
  if (around === -1 || tree.typeName(around) !== "config_file") return [];
  const leaf = tree.child(attribute, 0);
  return [{ name: tree.textOf(leaf), role: "value", receiver: "var", offset: tree.start(leaf) }];
}
