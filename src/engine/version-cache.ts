// Caches values that are computed from one version of an index, such as its reference graph.

import type { IndexReader } from "../index/port.ts";

/** Computes a value once per version of an index, and keeps it until there is a newer version. */
export class VersionCache<T> {
  readonly #create: (reader: IndexReader, namespace: string) => Promise<T>;
  /** Namespace -> value of its latest version. */
  readonly #entries = new Map<string, { readonly version: string; readonly value: Promise<T> }>();

  constructor(create: (reader: IndexReader, namespace: string) => Promise<T>) {
    this.#create = create;
  }

  /**
   * Concurrent calls share one computation; a failed one is repeated. `open` returns a separate reader, because that of
   * a call may be cancelled or reach its deadline.
   */
  get(
    namespace: string,
    { version: { epoch, at } }: Pick<IndexReader, "version">,
    open: () => Promise<IndexReader>,
  ): Promise<T> {
    const version = `${epoch} ${at}`;
    const known = this.#entries.get(namespace);
    if (known?.version === version) return known.value;
    const value = open().then((reader) => this.#create(reader, namespace));
    this.#entries.set(namespace, { version, value });
    value.catch(() => {
      if (this.#entries.get(namespace)?.value === value) this.#entries.delete(namespace);
    });
    return value;
  }
}
