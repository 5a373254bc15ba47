// Caches values that are computed from one version of an index, such as its reference graph.

import { forgetAtRest } from "../base/at-rest.ts";
import type { IndexVersion } from "../index/port.ts";

/** Computes a value once per version of an index, and keeps it until there is a newer version or the program rests. */
export class VersionCache<T> {
  /** Namespace -> value of its latest version. */
  readonly #entries = new Map<string, { readonly version: string; readonly value: Promise<T> }>();

  constructor() {
    forgetAtRest(this);
  }

  readonly forget = (): void => this.#entries.clear();

  /** Concurrent calls share one computation; a failed one is repeated. */
  get(namespace: string, { epoch, at }: IndexVersion, create: () => Promise<T>): Promise<T> {
    const version = `${epoch} ${at}`;
    const known = this.#entries.get(namespace);
    if (known?.version === version) return known.value;
    const value = create();
    this.#entries.set(namespace, { version, value });
    value.catch(() => {
      if (this.#entries.get(namespace)?.value === value) this.#entries.delete(namespace);
    });
    return value;
  }
}
