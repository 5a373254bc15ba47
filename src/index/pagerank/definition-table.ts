// The definitions of a project by name, in typed arrays: a large project has millions, and as objects they would take half
// a gigabyte. Names are compared by a hash of 64 bits, so that the table keeps none of them.

/** A definition. */
export interface DefinedSymbol {
  /** The file, as a node of the graph. Definitions are added file after file. */
  readonly node: number;
  /** Index over all files. */
  readonly symbol: number;
  /**
   * Whether it is a member of a type: its bare name may also refer to a member of another type, inside or outside this
   * project.
   */
  readonly isMember: boolean;
}

/** The share of used slots above which the table grows. */
const MAX_LOAD = 0.6;

/** Seeds of two hashes. */
const SEEDS = [0x811c9dc5, 0x9e3779b1] as const;
/** Odd multipliers of full length: those of FNV and of MurmurHash3. */
const PRIMES = [0x01000193, 0xcc9e2d51] as const;

export class DefinitionTable {
  /** Of each slot: both halves of the hash of a name, its number of definitions, and the first and last of them plus 1. */
  #high = new Uint32Array(1 << 10);
  #low = new Uint32Array(1 << 10);
  #counts = new Uint32Array(1 << 10);
  #first = new Uint32Array(1 << 10);
  #last = new Uint32Array(1 << 10);
  #used = 0;
  /** Of each definition: its file, its symbol times two, plus 1 for a member, and the next of its name plus 1. */
  #nodes = new Uint32Array(1 << 10);
  #symbols = new Uint32Array(1 << 10);
  #next = new Uint32Array(1 << 10);
  #length = 0;

  add(name: string, { node, symbol, isMember }: DefinedSymbol): void {
    if (this.#used >= this.#high.length * MAX_LOAD) this.#growSlots();
    if (this.#length === this.#nodes.length) this.#growDefinitions();
    const slot = this.#slotOf(hashOf(name, 0), hashOf(name, 1));
    const definition = this.#length;
    this.#length += 1;
    this.#nodes[definition] = node;
    this.#symbols[definition] = symbol * 2 + (isMember ? 1 : 0);
    const last = this.#last[slot] ?? 0;
    if (last > 0) {
      this.#next[last - 1] = definition + 1;
    } else {
      this.#high[slot] = hashOf(name, 0);
      this.#low[slot] = hashOf(name, 1);
      this.#first[slot] = definition + 1;
      this.#used += 1;
    }
    this.#last[slot] = definition + 1;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  /** Returns the definitions of a name in the order in which they were added; none if there are more than `limit`. */
  of(name: string, limit: number): readonly DefinedSymbol[] {
    const slot = this.#slotOf(hashOf(name, 0), hashOf(name, 1));
    if ((this.#counts[slot] ?? 0) > limit) return [];
    const found: DefinedSymbol[] = [];
    for (let at = this.#first[slot] ?? 0; at > 0; at = this.#next[at - 1] ?? 0) {
      const symbol = this.#symbols[at - 1] ?? 0;
      found.push({
        node: this.#nodes[at - 1] ?? 0,
        symbol: symbol >>> 1,
        isMember: (symbol & 1) === 1,
      });
    }
    return found;
  }

  /** Returns the slot with this hash, or the free one where it belongs. */
  #slotOf(high: number, low: number): number {
    const mask = this.#high.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      if (this.#first[slot] === 0) return slot;
      if (this.#high[slot] === high && this.#low[slot] === low) return slot;
    }
  }

  #growSlots(): void {
    const before = {
      high: this.#high,
      low: this.#low,
      counts: this.#counts,
      first: this.#first,
      last: this.#last,
    };
    const size = before.high.length * 2;
    this.#high = new Uint32Array(size);
    this.#low = new Uint32Array(size);
    this.#counts = new Uint32Array(size);
    this.#first = new Uint32Array(size);
    this.#last = new Uint32Array(size);
    for (const [at, first] of before.first.entries()) {
      if (first === 0) continue;
      const [high = 0, low = 0] = [before.high[at], before.low[at]];
      const slot = this.#slotOf(high, low);
      this.#high[slot] = high;
      this.#low[slot] = low;
      this.#counts[slot] = before.counts[at] ?? 0;
      this.#first[slot] = first;
      this.#last[slot] = before.last[at] ?? 0;
    }
  }

  #growDefinitions(): void {
    this.#nodes = doubled(this.#nodes);
    this.#symbols = doubled(this.#symbols);
    this.#next = doubled(this.#next);
  }
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Returns half of the hash of a name: 32 bits, mixed by the finalizer of MurmurHash3. */
function hashOf(name: string, half: 0 | 1): number {
  const prime = PRIMES[half];
  let hash: number = SEEDS[half];
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), prime);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
