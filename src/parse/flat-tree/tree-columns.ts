// The columns that syntax trees are copied to: see `FlatSyntaxTree` for what is in them. They are shared by all
// trees, as one is read at a time.

/** For so many nodes there is room. */
export let capacity = 0;
export let types = new Uint16Array(0);
export let fields = new Uint16Array(0);
export let starts = new Int32Array(0);
export let ends = new Int32Array(0);
export let parents = new Int32Array(0);
export let nexts = new Int32Array(0);

/** Makes more room; what is in the columns stays. */
export function growColumns(): void {
  capacity = Math.max(4096, capacity * 2);
  types = grown(new Uint16Array(capacity), types);
  fields = grown(new Uint16Array(capacity), fields);
  starts = grown(new Int32Array(capacity), starts);
  ends = grown(new Int32Array(capacity), ends);
  parents = grown(new Int32Array(capacity), parents);
  nexts = grown(new Int32Array(capacity), nexts);
}

export function grown<T extends Uint16Array | Int32Array>(larger: T, smaller: T): T {
  larger.set(smaller);
  return larger;
}
