// What questions about symbols share as long as the index stays as it is.

import type { IndexReader } from "../index/backend.ts";

/** Something that is made of a version of an index once, and kept until there is a newer one. */
export class PerVersion<T> {
  readonly #make: (reader: IndexReader, namespace: string) => Promise<T>;
  /** The last one of each namespace. */
  readonly #made = new Map<string, { readonly version: string; readonly value: Promise<T> }>();

  constructor(make: (reader: IndexReader, namespace: string) => Promise<T>) {
    this.#make = make;
  }

  /**
   * Calls at the same time share what is being made; what failed is made again. `open` gives a reader of its
   * own: that of a call may be cancelled or late.
   */
  of(
    namespace: string,
    { version: { epoch, at } }: Pick<IndexReader, "version">,
    open: () => Promise<IndexReader>,
  ): Promise<T> {
    const version = `${epoch} ${at}`;
    const known = this.#made.get(namespace);
    if (known?.version === version) return known.value;
    const value = open().then((reader) => this.#make(reader, namespace));
    this.#made.set(namespace, { version, value });
    value.catch(() => {
      if (this.#made.get(namespace)?.value === value) this.#made.delete(namespace);
    });
    return value;
  }
}
