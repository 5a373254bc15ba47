import { MIN_UNUSED_MS } from "./constants.ts";

/** What a copy shows of a namespace. */
export interface Copy {
  readonly bytes: number;
  /** Pushes that it shows. */
  readonly pushes: number;
}

/** No place: they begin at 1. */
const NONE = 0;
const MIN_PLACES = 64;

/**
 * The copies of one machine. If they are too large, the least recently used ones are deleted. A large team has millions of
 * them: they are columns of numbers and not objects, which takes a third of the memory.
 */
export class Copies {
  readonly #maxBytes: number;
  /** Of each namespace: its place in the columns, or 0. */
  readonly #places: Int32Array;
  readonly #namespace = new Column();
  readonly #bytesOf = new Column();
  readonly #pushes = new Column();
  readonly #usedAtMs = new Column();
  /** The places of the copies that were used before and after. */
  readonly #older = new Column();
  readonly #newer = new Column();
  readonly #free: number[] = [];
  #oldest = NONE;
  #newest = NONE;
  #count = 0;
  #bytes = 0;

  /** `namespaces`: how many there are, from 0. */
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

  /** Returns the pushes that the copy shows, which is then the most recently used one; undefined if there is none. */
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

  /** A copy that shows these pushes now; nothing if it was deleted. */
  update(namespace: number, pushes: number): void {
    const place = this.#placeOf(namespace);
    if (place !== NONE) this.#pushes.set(place, pushes);
  }

  /** Adds a copy, which was not there. One that was used in the last two minutes stays, even if the copies are too large. */
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

/** Numbers by their places, which grow from 1. */
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
