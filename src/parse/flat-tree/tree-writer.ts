// Writes a syntax tree again in other columns, for grammars whose trees are too flat: nodes may be left out, and nodes that the
// grammar does not have may be put around others.
import type { FlatSyntaxTree } from "./flat-syntax-tree.ts";
import { grown, type TreeColumns } from "./tree-columns.ts";

/** Writes nodes in the order of the text, parents first. */
export class TreeWriter {
  readonly #from: FlatSyntaxTree;
  #count = 0;
  #parent = -1;
  #types: Uint16Array;
  #fields: Uint16Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #parents: Int32Array;
  #nexts: Int32Array;

  constructor(from: FlatSyntaxTree) {
    this.#from = from;
    const size = from.count + (from.count >> 1) + 64;
    this.#types = new Uint16Array(size);
    this.#fields = new Uint16Array(size);
    this.#starts = new Int32Array(size);
    this.#ends = new Int32Array(size);
    this.#parents = new Int32Array(size);
    this.#nexts = new Int32Array(size);
  }

  /** Opens a node of a type that starts where a node of the original tree does. Returns its number. */
  open(type: number, first: number, field: number): number {
    const node = this.#count;
    if (node === this.#types.length) this.#grow();
    this.#types[node] = type;
    this.#fields[node] = field;
    this.#starts[node] = this.#from.start(first);
    this.#ends[node] = this.#from.ends[first] ?? 0;
    this.#parents[node] = this.#parent;
    this.#nexts[node] = node + 1;
    this.#parent = node;
    this.#count = node + 1;
    return node;
  }

  /** Closes the node that was opened last. */
  close(): void {
    const node = this.#parent;
    this.#nexts[node] = this.#count;
    this.#parent = this.#parents[node] ?? -1;
  }

  /** Copies a node with all that is in it. */
  copy(node: number, field: number): void {
    const { types, fields } = this.#from;
    const next = this.#from.next(node);
    const open: number[] = [];
    for (let inside = node; inside < next; inside += 1) {
      while (open.length > 0 && inside >= (open.at(-1) ?? next)) {
        this.close();
        open.pop();
      }
      this.open(types[inside] ?? 0, inside, inside === node ? field : (fields[inside] ?? 0));
      open.push(this.#from.next(inside));
    }
    for (const _ of open) this.close();
  }

  columns(): TreeColumns {
    return {
      count: this.#count,
      types: this.#types,
      fields: this.#fields,
      starts: this.#starts,
      ends: this.#ends,
      parents: this.#parents,
      nexts: this.#nexts,
    };
  }

  #grow(): void {
    const size = this.#types.length * 2;
    this.#types = grown(new Uint16Array(size), this.#types);
    this.#fields = grown(new Uint16Array(size), this.#fields);
    this.#starts = grown(new Int32Array(size), this.#starts);
    this.#ends = grown(new Int32Array(size), this.#ends);
    this.#parents = grown(new Int32Array(size), this.#parents);
    this.#nexts = grown(new Int32Array(size), this.#nexts);
  }
}
