// Copies a syntax tree out of the parser's memory into columns of numbers. The library's cursor calls into
// WebAssembly four times a node, and copies its own state there and back each time: reading the memory takes less
// than half as long, which is 5 % of a first index. A test compares it with what the cursor finds.
import type { Node } from "web-tree-sitter";

import { parserMemory } from "../parser-memory.ts";
import {
  capacity,
  ends,
  fields,
  growColumns,
  grown,
  nexts,
  parents,
  starts,
  types,
} from "./tree-columns.ts";
import {
  ERROR_SYMBOL,
  FIELD_BYTES,
  FIELD_CHILD,
  FIELD_INHERITED,
  HEAP_BITS,
  HEAP_CHILD_COUNT,
  HEAP_PADDING,
  HEAP_PRODUCTION,
  HEAP_SIZE,
  HEAP_SYMBOL,
  HEAP_VISIBLE_CHILDREN,
  IS_EXTRA,
  IS_INLINE,
  IS_VISIBLE,
  LANGUAGE_ALIASES,
  LANGUAGE_ALIAS_LENGTH,
  LANGUAGE_FIELD_COUNT,
  LANGUAGE_FIELD_ENTRIES,
  LANGUAGE_FIELD_SLICES,
  LANGUAGE_PUBLIC_SYMBOLS,
  SUBTREE_BYTES,
  TREE_LANGUAGE,
} from "./tree-sitter-layout.ts";

/** What to do with a node, by its type. */
export const ANONYMOUS = 0;
export const SKIPPED = 1;
/** Its children need not be looked at. */
export const LEAF_NODE = 2;
export const INNER_NODE = 3;

/** What is left to be done of the nodes around, innermost last: `FRAME` numbers each. */
let frames = new Int32Array(1 << 10);
const FRAME = 10;

/**
 * Copies the named nodes of the tree of `root` without those that are skipped; returns how many they are.
 * `classes` says what to do by type. What could not be parsed is an inner node of type `errorType`.
 */
export function flattenTree(root: Node, classes: Uint8Array, errorType: number): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- where the library keeps it; its types do not tell
  const { 0: tree } = root.tree as unknown as { readonly 0: number };
  return new TreeFlattener(tree, classes, errorType).run();
}

class TreeFlattener {
  readonly #bytes = new Uint8Array(parserMemory());
  readonly #shorts = new Uint16Array(this.#bytes.buffer);
  readonly #words = new Int32Array(this.#bytes.buffer);
  readonly #classes: Uint8Array;
  readonly #errorType: number;
  /** Tables of the grammar, as indices of what they hold. */
  readonly #publicSymbols: number;
  readonly #fieldSlices: number;
  readonly #fieldEntries: number;
  readonly #hasFields: boolean;
  readonly #aliases: number;
  readonly #aliasLength: number;

  #count = 0;
  #parent = -1;
  /** The first node that does not know its start: it is the one of the first token in it. */
  #unstarted = 0;
  #depth = 0;

  /** The subtrees at hand: the next of them, their end, and where in the text (in bytes) the one before ended. */
  #next: number;
  #last: number;
  #position = 0;
  #isFirst = false;
  /** Of what they are children of: how many of them were no extras, and what it says of types and fields. */
  #structural = 0;
  #ownAliases = 0;
  #fieldsFrom = 0;
  #fieldsTo = 0;
  /** The field that it stands in, where it is left out of the tree itself. */
  #outerField = 0;

  /** Of the subtree that was read last. */
  #bits = 0;
  #symbol = 0;
  #start = 0;
  /** Its children; 0 where none of them is seen in the tree. */
  #children = 0;

  constructor(tree: number, classes: Uint8Array, errorType: number) {
    this.#classes = classes;
    this.#errorType = errorType;
    this.#next = tree;
    this.#last = tree + SUBTREE_BYTES;
    const language = this.#word(tree + TREE_LANGUAGE);
    this.#publicSymbols = this.#word(language + LANGUAGE_PUBLIC_SYMBOLS) >> 1;
    this.#hasFields = this.#word(language + LANGUAGE_FIELD_COUNT) > 0;
    this.#fieldSlices = this.#word(language + LANGUAGE_FIELD_SLICES) >> 1;
    this.#fieldEntries = this.#word(language + LANGUAGE_FIELD_ENTRIES);
    this.#aliases = this.#word(language + LANGUAGE_ALIASES) >> 1;
    this.#aliasLength = this.#short(language + LANGUAGE_ALIAS_LENGTH);
  }

  run(): number {
    for (;;) {
      if (this.#next !== this.#last) this.#take();
      else if (this.#depth > 0) this.#leave();
      else return this.#count;
    }
  }

  #word(address: number): number {
    return this.#words[address >> 2] ?? 0;
  }

  #short(address: number): number {
    return this.#shorts[address >> 1] ?? 0;
  }

  #index(short: number): number {
    return this.#shorts[short] ?? 0;
  }

  /** Copies the next of the subtrees at hand, or goes into it. */
  #take(): void {
    const subtree = this.#word(this.#next);
    this.#read(subtree);
    const number = this.#structural;
    const isExtra = (this.#bits & IS_EXTRA) !== 0;
    if (!isExtra) this.#structural += 1;
    const alias = isExtra || this.#ownAliases === 0 ? 0 : this.#index(this.#ownAliases + number);
    if (alias === 0 && (this.#bits & IS_VISIBLE) === 0) {
      if (this.#children === 0) return;
      this.#enter(subtree, this.#parent, isExtra ? 0 : this.#fieldOf(number));
      return;
    }
    const type = this.#typeOf(alias === 0 ? this.#symbol : alias);
    const group = type < this.#classes.length ? this.#classes[type] : INNER_NODE;
    if (group === SKIPPED) return;
    if (group === ANONYMOUS) {
      this.#begin(this.#start);
      return;
    }
    const node = this.#add(type, isExtra ? 0 : this.#fieldOf(number));
    if (group === INNER_NODE && this.#children > 0) {
      this.#enter(subtree, node, 0);
      return;
    }
    this.#begin(this.#start);
    ends[node] = this.#position >> 1;
    nexts[node] = this.#count;
  }

  #typeOf(symbol: number): number {
    return symbol === ERROR_SYMBOL ? this.#errorType : this.#index(this.#publicSymbols + symbol);
  }

  #read(subtree: number): void {
    let padding: number;
    let size: number;
    if ((subtree & IS_INLINE) === 1) {
      const more = this.#word(this.#next + 4);
      this.#bits = subtree >> 1;
      this.#symbol = (subtree >>> 8) & 0xff;
      padding = (more >>> 16) & 0xff;
      size = more >>> 24;
      this.#children = 0;
    } else {
      this.#bits = this.#bytes[subtree + HEAP_BITS] ?? 0;
      this.#symbol = this.#short(subtree + HEAP_SYMBOL);
      padding = this.#word(subtree + HEAP_PADDING);
      size = this.#word(subtree + HEAP_SIZE);
      const children = this.#word(subtree + HEAP_CHILD_COUNT);
      const isOpen = children > 0 && this.#word(subtree + HEAP_VISIBLE_CHILDREN) > 0;
      this.#children = isOpen ? children : 0;
    }
    this.#next += SUBTREE_BYTES;
    // What comes before the first child comes before its parent.
    this.#start = this.#isFirst ? this.#position : this.#position + padding;
    this.#isFirst = false;
    this.#position = this.#start + size;
  }

  /** Of the child with that number. */
  #fieldOf(number: number): number {
    const bytes = this.#bytes;
    for (let entry = this.#fieldsFrom; entry < this.#fieldsTo; entry += FIELD_BYTES) {
      if (bytes[entry + FIELD_CHILD] === number && bytes[entry + FIELD_INHERITED] === 0) {
        return this.#short(entry);
      }
    }
    return this.#outerField;
  }

  #add(type: number, field: number): number {
    const node = this.#count;
    if (node === capacity) growColumns();
    types[node] = type;
    fields[node] = field;
    parents[node] = this.#parent;
    this.#count = node + 1;
    return node;
  }

  /** Who has not begun begins here. */
  #begin(start: number): void {
    for (; this.#unstarted < this.#count; this.#unstarted += 1) {
      starts[this.#unstarted] = start >> 1;
    }
  }

  /** Goes to the children of the subtree that was read last; `parent` is their parent in the copy. */
  #enter(subtree: number, parent: number, outerField: number): void {
    const frame = this.#depth * FRAME;
    if (frame + FRAME > frames.length) frames = grown(new Int32Array(frames.length * 2), frames);
    this.#depth += 1;
    frames[frame] = this.#parent;
    frames[frame + 1] = this.#start;
    frames[frame + 2] = this.#next;
    frames[frame + 3] = this.#last;
    frames[frame + 4] = this.#position;
    frames[frame + 5] = this.#structural;
    frames[frame + 6] = this.#ownAliases;
    frames[frame + 7] = this.#fieldsFrom;
    frames[frame + 8] = this.#fieldsTo;
    frames[frame + 9] = this.#outerField;
    this.#parent = parent;
    this.#next = subtree - this.#children * SUBTREE_BYTES;
    this.#last = subtree;
    this.#position = this.#start;
    this.#isFirst = true;
    this.#structural = 0;
    const production = this.#short(subtree + HEAP_PRODUCTION);
    this.#ownAliases = production === 0 ? 0 : this.#aliases + production * this.#aliasLength;
    this.#outerField = outerField;
    this.#fieldsTo = this.#fieldsFrom = 0;
    if (!this.#hasFields) return;
    const slice = this.#fieldSlices + production * 2;
    this.#fieldsFrom = this.#fieldEntries + this.#index(slice) * FIELD_BYTES;
    this.#fieldsTo = this.#fieldsFrom + this.#index(slice + 1) * FIELD_BYTES;
  }

  /** Goes back to the subtrees around. */
  #leave(): void {
    this.#depth -= 1;
    const frame = this.#depth * FRAME;
    const around = at(frame);
    if (around !== this.#parent) this.#close(at(frame + 1));
    this.#parent = around;
    this.#next = at(frame + 2);
    this.#last = at(frame + 3);
    this.#position = at(frame + 4);
    this.#structural = at(frame + 5);
    this.#ownAliases = at(frame + 6);
    this.#fieldsFrom = at(frame + 7);
    this.#fieldsTo = at(frame + 8);
    this.#outerField = at(frame + 9);
    this.#isFirst = false;
  }

  /** Ends the parent, which began at `start`. */
  #close(start: number): void {
    const node = this.#parent;
    nexts[node] = this.#count;
    if (this.#count > node + 1) return;
    // Whatever is in it was skipped.
    ends[node] = this.#position >> 1;
    this.#begin(start);
  }
}

function at(index: number): number {
  return frames[index] ?? 0;
}
