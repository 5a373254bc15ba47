// What a value may be: objects of several types, or several classes.

import { isType, type Entity, type SymbolRef } from "./entity.ts";

/** Of more types, a member is not looked up in each. */
const MAX_TYPES = 12;

/** Collects the values that an expression may have. */
export class Values {
  readonly #objects: SymbolRef[] = [];
  readonly #classes: SymbolRef[] = [];
  #layers = 0;

  add(value: Entity | undefined): void {
    if (value?.kind === "symbols") addTo(this.#classes, value.symbols.filter(isType).slice(0, 1));
    if (value?.kind !== "instance") return;
    if (this.#objects.length === 0) this.#layers = value.layers;
    if (value.layers === this.#layers) addTo(this.#objects, [value.type, ...(value.variants ?? [])]);
  }

  /** Returns a value that is one of them; undefined if none is known, or if there are more than `maxTypes`. */
  entity(maxTypes = MAX_TYPES): Entity | undefined {
    const [type, ...variants] = this.#objects;
    if (this.#objects.length + this.#classes.length > maxTypes) return undefined;
    // There may be others that are not known, so members that none of these has may exist.
    if (type !== undefined) return { kind: "instance", type, layers: this.#layers, variants };
    return this.#classes.length === 0 ? undefined : { kind: "symbols", symbols: this.#classes };
  }
}

function addTo(all: SymbolRef[], refs: readonly SymbolRef[]): void {
  for (const ref of refs) {
    if (!all.some(({ file, number }) => file === ref.file && number === ref.number)) all.push(ref);
  }
}
