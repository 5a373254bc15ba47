/**
 * Rendezvous hashing: each namespace orders the nodes by a hash of both, and belongs to the first ones. The loss of
 * a node moves only the namespaces that it had.
 */
export class Placement {
  /** How many nodes of each order are stored. */
  readonly depth: number;
  /** The nodes of namespace n begin at n * depth. */
  readonly #nodes: Uint16Array;

  constructor(
    namespaces: number,
    { nodes, depth }: { readonly nodes: number; readonly depth: number },
  ) {
    this.depth = Math.min(depth, nodes);
    this.#nodes = new Uint16Array(namespaces * this.depth);
    const hashes = new Float64Array(this.depth);
    for (let namespace = 0; namespace < namespaces; namespace += 1) {
      hashes.fill(-1);
      for (let node = 0; node < nodes; node += 1) this.#insert(namespace, node, hashes);
    }
  }

  /** The node at a position of the order, from 0; undefined after the last stored one. */
  node(namespace: number, place: number): number | undefined {
    return place < this.depth ? this.#nodes[namespace * this.depth + place] : undefined;
  }

  /** `hashes`: the hashes of the nodes in the order so far, the largest first. */
  #insert(namespace: number, node: number, hashes: Float64Array): void {
    const hash = hashOf(namespace, node);
    const first = namespace * this.depth;
    let place = this.depth;
    while (place > 0 && hash > (hashes[place - 1] ?? 0)) {
      if (place < this.depth) {
        hashes[place] = hashes[place - 1] ?? 0;
        this.#nodes[first + place] = this.#nodes[first + place - 1] ?? 0;
      }
      place -= 1;
    }
    if (place === this.depth) return;
    hashes[place] = hash;
    this.#nodes[first + place] = node;
  }
}

/** The finalizer of MurmurHash3 (Appleby) over both numbers. */
function hashOf(namespace: number, node: number): number {
  let hash = Math.imul(namespace + 1, 0x9e3779b1) ^ Math.imul(node + 1, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
