// The arrays of flat syntax trees; see `FlatSyntaxTree` for their content. All trees share them, because only
// one tree is read at a time.

/** The columns of one tree; see `FlatSyntaxTree`. */
export interface TreeColumns {
  readonly count: number;
  readonly types: Uint16Array;
  readonly fields: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly parents: Int32Array;
  readonly nexts: Int32Array;
}

/** The number of nodes that fit into the arrays. */
export let capacity = 0;
export let types = new Uint16Array(0);
export let fields = new Uint16Array(0);
export let starts = new Int32Array(0);
export let ends = new Int32Array(0);
export let parents = new Int32Array(0);
export let nexts = new Int32Array(0);

/** Doubles the arrays and keeps their content. */
export function growColumns(): void {
  capacity = Math.max(4096, capacity * 2);
  types = grown(new Uint16Array(capacity), types);
  fields = grown(new Uint16Array(capacity), fields);
  starts = grown(new Int32Array(capacity), starts);
  ends = grown(new Int32Array(capacity), ends);
  parents = grown(new Int32Array(capacity), parents);
  nexts = grown(new Int32Array(capacity), nexts);
}

/** Copies `smaller` into `larger` and returns it. */
export function grown<T extends Uint16Array | Int32Array>(larger: T, smaller: T): T {
  larger.set(smaller);
  return larger;
}
