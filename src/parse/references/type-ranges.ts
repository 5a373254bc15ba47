// Which nodes of a file are part of types.
import { IS_TYPE, type GrammarRules } from "./grammar-rules.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** Reads the nodes of a tree in their order. */
export class TypeRanges {
  readonly #tree: FlatSyntaxTree;
  readonly #grammar: GrammarRules;
  /** Names before this node are type names. */
  #typeEnd = 0;
  /** Those before this node are values in spite of that: `typeof value`. */
  #valueEnd = 0;

  constructor(tree: FlatSyntaxTree, grammar: GrammarRules) {
    this.#tree = tree;
    this.#grammar = grammar;
  }

  /** `mark`: that of the node's type. */
  read(node: number, mark: number): void {
    if ((mark & IS_TYPE) === 0) return;
    const { isType, type } = this.#grammar.nodes[this.#tree.types[node] ?? 0] ?? {};
    if (typeof isType === "string") {
      this.#readPart(this.#tree.childInField(node, isType));
      return;
    }
    const end = this.#tree.next(node);
    const isOfValue = type?.is === "value";
    if (isOfValue) this.#valueEnd = Math.max(this.#valueEnd, end);
    else this.#typeEnd = Math.max(this.#typeEnd, end);
  }

  /** Names in a part are type names, and those before it are values. */
  #readPart(part: number): void {
    if (part === -1 || part < this.#typeEnd) return;
    this.#valueEnd = Math.max(this.#valueEnd, part);
    this.#typeEnd = this.#tree.next(part);
  }

  /** Returns whether a leaf that is read next is part of a type. */
  has(leaf: number): boolean {
    return leaf < this.#typeEnd && leaf >= this.#valueEnd;
  }
}
