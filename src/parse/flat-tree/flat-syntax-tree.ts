// A syntax tree as arrays of numbers. Every access to a node of the library calls into WebAssembly, so the
// tree is walked once and copied, and all readers use the copy.
import type { Language, Node } from "web-tree-sitter";

import { ends, fields, nexts, parents, starts, types, type TreeColumns } from "./tree-columns.ts";
import { ANONYMOUS, flattenTree, INNER_NODE, LEAF_NODE, SKIPPED } from "./flatten-tree.ts";

/** Node types that are leaves in every grammar that has them, so their children are not visited. */
const LEAF =
  /^(?:identifier|(?:property|type|field|simple|package|statement|shorthand_property)_identifier(?:_pattern)?|number|integer|string_(?:fragment|content|start|end)|true|false|null|none|this|super|self)$/;
const COMMENT = /comment/;

/** The node types and fields of a grammar. */
export interface GrammarShape {
  readonly typeNames: readonly string[];
  readonly fieldNames: readonly (string | null)[];
  /** By type: whether a node is copied and whether it may have children. Values: see flatten-tree.ts. */
  readonly classes: Uint8Array;
  /** Returns another form of a tree of the grammar. */
  readonly arrange?: (tree: FlatSyntaxTree) => TreeColumns;
}

/** How to change the trees of a grammar, and names of node types which only the changed ones have. */
export interface Arrangement {
  readonly types: readonly string[];
  readonly arrange: (tree: FlatSyntaxTree) => TreeColumns;
}

/** Returns the shape of a grammar. `keywords` are anonymous node types that are copied nevertheless. */
export function shapeOf(
  language: Language,
  keywords: readonly string[] = [],
  arrangement?: Arrangement,
): GrammarShape {
  const ofGrammar = language.types.map((name) => name ?? "");
  const typeNames = [...ofGrammar, ...(arrangement?.types ?? [])];
  const classes = new Uint8Array(typeNames.length);
  for (const [id, name] of ofGrammar.entries()) {
    classes[id] = keywords.includes(name) ? LEAF_NODE : classOf(language, id, name);
  }
  const shape = { typeNames, fieldNames: language.fields, classes };
  return arrangement === undefined ? shape : { ...shape, arrange: arrangement.arrange };
}

function classOf(language: Language, id: number, name: string): number {
  if (!language.nodeTypeIsNamed(id)) return ANONYMOUS;
  if (COMMENT.test(name)) return SKIPPED;
  return LEAF.test(name) ? LEAF_NODE : INNER_NODE;
}

/**
 * The named nodes of a tree, without comments, in order of their start, parents first. Valid until the next
 * tree is created, because all trees share their arrays.
 */
export class FlatSyntaxTree {
  readonly text: string;
  readonly shape: GrammarShape;
  readonly count: number;
  /** By node. The type of an ERROR node is the number of types. */
  readonly types: Uint16Array;
  /** The field of a node in its parent; 0 for none. */
  readonly fields: Uint16Array;
  /** In UTF-16 code units. */
  readonly starts: Int32Array;
  /** Only set for nodes without children. */
  readonly ends: Int32Array;
  /** -1 for the root. */
  readonly parents: Int32Array;
  /** The first node after all descendants. */
  readonly nexts: Int32Array;
  /** The node whose text was read last, and its text: readers ask several times for the name that they read. */
  #lastNode = -1;
  #lastText = "";

  constructor(root: Node, text: string, shape: GrammarShape) {
    this.text = text;
    this.shape = shape;
    this.count = flattenTree(root, shape.classes, shape.typeNames.length);
    this.types = types;
    this.fields = fields;
    this.starts = starts;
    this.ends = ends;
    this.parents = parents;
    this.nexts = nexts;
    if (shape.arrange !== undefined) {
      ({
        count: this.count,
        types: this.types,
        fields: this.fields,
        starts: this.starts,
        ends: this.ends,
        parents: this.parents,
        nexts: this.nexts,
      } = shape.arrange(this));
    }
  }

  /** Returns the type's name, "ERROR" for text that could not be parsed. */
  typeName(node: number): string {
    return this.shape.typeNames[this.types[node] ?? 0] ?? "ERROR";
  }

  /** Returns the parent; -1 for the root. */
  parent(node: number): number {
    return this.parents[node] ?? -1;
  }

  /** Returns the first node after all descendants of this one. */
  next(node: number): number {
    return this.nexts[node] ?? this.count;
  }

  start(node: number): number {
    return this.starts[node] ?? 0;
  }

  /** Returns the end of the last leaf in the node, in UTF-16 code units. */
  end(node: number): number {
    return this.ends[this.next(node) - 1] ?? 0;
  }

  isLeaf(node: number): boolean {
    return this.nexts[node] === node + 1;
  }

  /** Returns the text up to the end of the last leaf in the node, without closing brackets and quotes. */
  textOf(node: number): string {
    if (node !== this.#lastNode) {
      this.#lastText = this.text.slice(this.starts[node], this.end(node));
      this.#lastNode = node;
    }
    return this.#lastText;
  }

  /** Returns the text between two children, such as an operator. */
  textBetween(one: number, other: number): string {
    return this.text.slice(this.ends[this.next(one) - 1], this.starts[other]);
  }

  /** Returns the content of a string literal. */
  literalOf(node: number): string {
    return this.textOf(node).replace(/^[\w@$]{0,2}["'`<]+|["'`>]+$/g, "");
  }

  children(node: number): number[] {
    const children: number[] = [];
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) children.push(child);
    return children;
  }

  /** Returns the child before a node in its parent, or -1. */
  previous(node: number): number {
    const parent = this.parent(node);
    let at = node - 1;
    if (at <= parent) return -1;
    for (let above = this.parent(at); above !== parent; above = this.parent(at)) at = above;
    return at;
  }

  childrenOfType(node: number, ...names: readonly string[]): number[] {
    return this.children(node).filter((child) => names.includes(this.typeName(child)));
  }

  /** Returns the first child in the field, or -1. */
  childInField(node: number, field: string): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (this.shape.fieldNames[this.fields[child] ?? 0] === field) return child;
    }
    return -1;
  }

  /** Returns the name of the node's field in its parent; "" for none. */
  fieldName(node: number): string {
    return this.shape.fieldNames[this.fields[node] ?? 0] ?? "";
  }

  /** Returns the child with that index, counted from the end if it is negative, or -1. */
  child(node: number, number: number): number {
    const end = this.next(node);
    if (number === 0) return node + 1 < end ? node + 1 : -1;
    if (number < 0) return this.children(node).at(number) ?? -1;
    let left = number;
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (left === 0) return child;
      left -= 1;
    }
    return -1;
  }
}
