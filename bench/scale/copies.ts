import { MIN_UNUSED_MS } from "./constants.ts";

/** The state of a namespace that a copy shows. */
export interface Copy {
  readonly bytes: number;
  /** Number of pushes that it includes. */
  readonly pushes: number;
}

/** Means no place: places begin at 1. */
const NONE = 0;
const MIN_PLACES = 64;

/**
 * The copies of one machine. If they are too large, the least recently used ones are deleted. A large team has millions
 * of copies, so they are columns of numbers and not objects, which takes a third of the memory.
 */
export class Copies {
  readonly #maxBytes: number;
  /** Namespace -> its place in the columns, or 0. */
  readonly #places: Int32Array;
  readonly #namespace = new Column();
  readonly #bytesOf = new Column();
  readonly #pushes = new Column();
  readonly #usedAtMs = new Column();
  /** The places of the copies that were used just before and just after. */
  readonly #older = new Column();
  readonly #newer = new Column();
  readonly #free: number[] = [];
  #oldest = NONE;
  #newest = NONE;
  #count = 0;
  #bytes = 0;

  /** `namespaces`: the number of namespaces, which count from 0. */
  constructor(maxBytes: number, namespaces: number) {
    this.#maxBytes = maxBytes;
    this.#places = new Int32Array(namespaces);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#count;
  }

  has(namespace: number): boolean {
    return this.#placeOf(namespace) !== NONE;
  }

  /** Returns the pushes that the copy includes, and marks it as most recently used; undefined if there is no copy. */
  use(namespace: number, nowMs: number): number | undefined {
    const place = this.#placeOf(namespace);
    if (place === NONE) return undefined;
    this.#usedAtMs.set(place, nowMs);
    if (place !== this.#newest) {
      this.#unlink(place);
      this.#append(place);
    }
    return this.#pushes.get(place);
  }

  /** Records that a copy now includes these pushes; does nothing if it was deleted. */
  update(namespace: number, pushes: number): void {
    const place = this.#placeOf(namespace);
    if (place !== NONE) this.#pushes.set(place, pushes);
  }

  /** Adds a new copy. A copy that was used in the last two minutes stays, even if the copies are too large. */
  add(namespace: number, { bytes, pushes }: Copy, nowMs: number): void {
    this.#count += 1;
    const place = this.#free.pop() ?? this.#count;
    this.#places[namespace] = place;
    this.#namespace.set(place, namespace);
    this.#bytesOf.set(place, bytes);
    this.#pushes.set(place, pushes);
    this.#usedAtMs.set(place, nowMs);
    this.#append(place);
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#oldest;
      if (nowMs - this.#usedAtMs.get(oldest) < MIN_UNUSED_MS) break;
      this.#unlink(oldest);
      this.#places[this.#namespace.get(oldest)] = NONE;
      this.#count -= 1;
      this.#free.push(oldest);
      this.#bytes -= this.#bytesOf.get(oldest);
    }
  }

  #placeOf(namespace: number): number {
    return this.#places[namespace] ?? NONE;
  }

  #append(place: number): void {
    this.#older.set(place, this.#newest);
    this.#newer.set(place, NONE);
    if (this.#newest === NONE) this.#oldest = place;
    else this.#newer.set(this.#newest, place);
    this.#newest = place;
  }

  #unlink(place: number): void {
    const [older, newer] = [this.#older.get(place), this.#newer.get(place)];
    if (older === NONE) this.#oldest = newer;
    else this.#newer.set(older, newer);
    if (newer === NONE) this.#newest = older;
    else this.#older.set(newer, older);
  }
}

/** A growing column of numbers; places begin at 1. */
class Column {
  #values = new Float64Array(MIN_PLACES);

  get(place: number): number {
    return this.#values[place] ?? NONE;
  }

  set(place: number, value: number): void {
    if (place >= this.#values.length) {
      const grown = new Float64Array(2 * place);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[place] = value;
  }
}
