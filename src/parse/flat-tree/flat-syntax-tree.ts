// A syntax tree as columns of numbers. Every question to a node of the library goes through WebAssembly, so
// the tree is walked once and copied; all else reads the copy.
import type { Language, Node } from "web-tree-sitter";

import { ends, fields, nexts, parents, starts, types } from "./tree-columns.ts";
import { ANONYMOUS, flattenTree, INNER_NODE, LEAF_NODE, SKIPPED } from "./flatten-tree.ts";

/** Leaves in all grammars that have them: their children need not be asked for. */
const LEAF =
  /^(?:identifier|(?:property|type|field|simple|package|statement|shorthand_property)_identifier(?:_pattern)?|number|integer|string_(?:fragment|content|start|end)|true|false|null|none|this|super|self)$/;
const COMMENT = /comment/;

/** What is known of the node types of a grammar. */
export interface GrammarShape {
  readonly typeNames: readonly string[];
  readonly fieldNames: readonly (string | null)[];
  /** By type: whether it is copied, and whether it may have children. */
  readonly classes: Uint8Array;
}

/** `keywords` are copied although they are no named nodes. */
export function shapeOf(language: Language, keywords: readonly string[] = []): GrammarShape {
  const typeNames = language.types.map((name) => name ?? "");
  const classes = new Uint8Array(typeNames.length);
  for (const [id, name] of typeNames.entries()) {
    classes[id] = keywords.includes(name) ? LEAF_NODE : classOf(language, id, name);
  }
  return { typeNames, fieldNames: language.fields, classes };
}

function classOf(language: Language, id: number, name: string): number {
  if (!language.nodeTypeIsNamed(id)) return ANONYMOUS;
  if (COMMENT.test(name)) return SKIPPED;
  return LEAF.test(name) ? LEAF_NODE : INNER_NODE;
}

/**
 * The named nodes of a tree without comments, numbered in the order in which they begin, the outer ones
 * first. Valid until the next one is made.
 */
export class FlatSyntaxTree {
  readonly text: string;
  readonly shape: GrammarShape;
  readonly count: number;
  /** By node. Type of what could not be parsed: the number of types. */
  readonly types: Uint16Array;
  /** Field of the parent that a node stands in; 0 for none. */
  readonly fields: Uint16Array;
  /** In UTF-16 units. */
  readonly starts: Int32Array;
  /** Known of nodes without children in the table. */
  readonly ends: Int32Array;
  /** -1 for the root. */
  readonly parents: Int32Array;
  /** The first node after all that are inside. */
  readonly nexts: Int32Array;

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
  }

  typeName(node: number): string {
    return this.shape.typeNames[this.types[node] ?? 0] ?? "ERROR";
  }

  parent(node: number): number {
    return this.parents[node] ?? -1;
  }

  /** The node after all that are inside of this one. */
  next(node: number): number {
    return this.nexts[node] ?? this.count;
  }

  start(node: number): number {
    return this.starts[node] ?? 0;
  }

  /** Where the last name or literal in it ends. */
  end(node: number): number {
    return this.ends[this.next(node) - 1] ?? 0;
  }

  isLeaf(node: number): boolean {
    return this.nexts[node] === node + 1;
  }

  /** To the end of the last name or literal in it: brackets and quotes at the end are left out. */
  textOf(node: number): string {
    return this.text.slice(this.starts[node], this.end(node));
  }

  /** What stands between two children, such as an operator. */
  textBetween(one: number, other: number): string {
    return this.text.slice(this.ends[this.next(one) - 1], this.starts[other]);
  }

  /** What is in a string literal. */
  literalOf(node: number): string {
    return this.textOf(node).replace(/^[\w@$]{0,2}["'`<]+|["'`>]+$/g, "");
  }

  children(node: number): number[] {
    const children: number[] = [];
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) children.push(child);
    return children;
  }

  childrenOfType(node: number, ...names: readonly string[]): number[] {
    return this.children(node).filter((child) => names.includes(this.typeName(child)));
  }

  /** The first child in the field; -1 when there is none. */
  childInField(node: number, field: string): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (this.shape.fieldNames[this.fields[child] ?? 0] === field) return child;
    }
    return -1;
  }

  fieldName(node: number): string {
    return this.shape.fieldNames[this.fields[node] ?? 0] ?? "";
  }

  /** The child with that number, counted from the end when negative; -1 when there is none. */
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
