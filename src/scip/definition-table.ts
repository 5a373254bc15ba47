// Where the global symbols of SCIP indexes are defined. A large project has a million: each takes some forty bytes and the
// name of its definition.

import type { FactTarget } from "../index/compiler-facts/compiler-facts.ts";

/** A symbol may be defined in several places, such as an interface that several files extend. More are not kept. */
const MAX_PLACES = 8;
const NONE = -1;

export class ScipDefinitions {
  readonly #first = new Map<number, number>();
  readonly #next: number[] = [];
  readonly #paths: number[] = [];
  readonly #qualifiedNames: string[] = [];
  readonly #names: string[] = [];
  readonly #pathNumbers = new Map<string, number>();
  readonly #pathList: string[] = [];

  add(symbol: string, { path, qualifiedName, name }: FactTarget): void {
    const key = keyOf(symbol);
    const others = this.of(symbol);
    const isKnown = others.some((one) => one.path === path && one.qualifiedName === qualifiedName);
    if (isKnown || others.length >= MAX_PLACES) return;
    const number = this.#next.length;
    this.#next.push(this.#first.get(key) ?? NONE);
    this.#first.set(key, number);
    this.#paths.push(this.#numberOf(path));
    this.#qualifiedNames.push(qualifiedName);
    this.#names.push(name);
  }

  /** Returns the definitions of a symbol; none if no index defines it. */
  of(symbol: string): readonly FactTarget[] {
    const found: FactTarget[] = [];
    let at = this.#first.get(keyOf(symbol)) ?? NONE;
    while (at !== NONE) {
      found.push({
        path: this.#pathList[this.#paths[at] ?? 0] ?? "",
        qualifiedName: this.#qualifiedNames[at] ?? "",
        name: this.#names[at] ?? "",
      });
      at = this.#next[at] ?? NONE;
    }
    return found.toReversed();
  }

  #numberOf(path: string): number {
    const known = this.#pathNumbers.get(path);
    if (known !== undefined) return known;
    this.#pathNumbers.set(path, this.#pathList.length);
    this.#pathList.push(path);
    return this.#pathList.length - 1;
  }
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const OTHER_OFFSET = 0x2f0b4c47;
const OTHER_PRIME = 0x5bd1e995;
const HIGH_BITS = 21;

/** A number of 53 bits for a symbol: of a million symbols, two have the same one with a chance of 1 to 18,000. */
function keyOf(symbol: string): number {
  let low = FNV_OFFSET;
  let high = OTHER_OFFSET;
  for (let at = 0; at < symbol.length; at += 1) {
    const code = symbol.charCodeAt(at);
    low = Math.imul(low ^ code, FNV_PRIME);
    high = Math.imul(high ^ code, OTHER_PRIME) ^ (high >>> 15);
  }
  return (high >>> (32 - HIGH_BITS)) * 2 ** 32 + (low >>> 0);
}
