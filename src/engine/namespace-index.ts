import { Catalog } from "../index/catalog.ts";
import { SnapshotSource, type Snapshot } from "../index/snapshot.ts";
import { diskStorage } from "../index/storage-disk.ts";
import { indexLayout } from "./layout.ts";

/** The index of one namespace, open for reading. */
export class NamespaceIndex {
  readonly catalog: Catalog;
  readonly #snapshots: SnapshotSource;

  private constructor(catalog: Catalog, segments: string) {
    this.catalog = catalog;
    this.#snapshots = new SnapshotSource(catalog, diskStorage(segments));
  }

  /** Undefined when nothing has been indexed yet. */
  static open(dataDirectory: string, namespace: string): NamespaceIndex | undefined {
    const layout = indexLayout(dataDirectory, namespace);
    const catalog = Catalog.openToRead(layout.catalog);
    return catalog === undefined ? undefined : new NamespaceIndex(catalog, layout.segments);
  }

  snapshot(): Snapshot {
    return this.#snapshots.current();
  }

  close(): void {
    this.#snapshots.close();
    this.catalog.close();
  }
}
