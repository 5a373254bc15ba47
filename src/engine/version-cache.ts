// What questions about symbols share as long as the index stays as it is.

import type { IndexReader } from "../index/port.ts";

/** Something that is made of a version of an index once, and kept until there is a newer one. */
export class VersionCache<T> {
  readonly #create: (reader: IndexReader, namespace: string) => Promise<T>;
  /** The last one of each namespace. */
  readonly #entries = new Map<string, { readonly version: string; readonly value: Promise<T> }>();

  constructor(create: (reader: IndexReader, namespace: string) => Promise<T>) {
    this.#create = create;
  }

  /**
   * Calls at the same time share what is being made; what failed is made again. `open` gives a reader of its
   * own: that of a call may be cancelled or late.
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
