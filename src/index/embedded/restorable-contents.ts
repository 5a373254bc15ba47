// The contents that a writer can give files without parsing them: those that they had before, and those of the index that
// was fetched from another machine.

import type { EarlierContents, RestoredFile } from "../earlier-contents.ts";
import { damagedFile } from "../damage.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { EarlierContent } from "./catalog/earlier-table.ts";
import type { SegmentFingerprints } from "./change-log/segment-fingerprints.ts";
import { restoredFile } from "./earlier-contents.ts";
import type { FetchedContents, LinkedSegments } from "./fetched-contents.ts";
import type { PendingChanges } from "./pending-changes.ts";

interface RestorableOptions {
  readonly catalog: Catalog;
  readonly fingerprints: SegmentFingerprints;
  readonly pending: () => PendingChanges;
  /** Opens what was fetched for this index; undefined if there is nothing. */
  readonly openFetched: () => FetchedContents | undefined;
}

/** Valid until the next transaction, while nobody else writes the index. */
export class RestorableContents implements EarlierContents {
  readonly #options: RestorableOptions;
  /** The segments of the index by name. */
  readonly #ids: ReadonlyMap<string, number>;
  #keepsReplaced = false;
  #fetched: FetchedContents | undefined;

  constructor(options: RestorableOptions) {
    this.#options = options;
    this.#ids = new Map(options.catalog.segments.all().map(({ id, name }) => [name, id]));
  }

  /** Whether the contents that are replaced are kept. */
  get keepsReplaced(): boolean {
    return this.#keepsReplaced;
  }

  readonly hashesOf = (path: string, size: number): readonly string[] =>
    this.#contentsOf(path).flatMap((one) => (one.size === size ? [one.hash] : []));

  readonly restore = (file: RestoredFile): void => {
    const found = this.#contentsOf(file.path).find(({ hash }) => hash === file.hash);
    if (found === undefined) throw new RangeError(`no earlier content of ${file.path}`);
    const fingerprints = this.#fingerprintsOf(found);
    if (fingerprints === undefined) throw damagedFile(found.segment);
    const { state, version } = restoredFile(found, fingerprints, file);
    this.#options.pending().restore(state, found, version);
  };

  readonly keepReplaced = (): void => void (this.#keepsReplaced = true);

  readonly useFetched = (): void => void (this.#fetched ??= this.#options.openFetched());

  /** Links the fetched segments that pending files are in. */
  link({ files }: PendingChanges): LinkedSegments | undefined {
    const names = [...files.values()].flatMap(({ earlier }) => earlier?.segment ?? []);
    return names.length === 0 ? undefined : this.#fetched?.link(new Set(names), this.#catalog);
  }

  close(): void {
    this.#fetched?.close();
  }

  get #catalog(): Catalog {
    return this.#options.catalog;
  }

  #contentsOf(path: string): readonly EarlierContent[] {
    // An svc that does not know the table may have removed some.
    const own = this.#catalog.earlier.of(path).filter(({ segment }) => this.#ids.has(segment));
    const fetched = this.#fetched?.of(path);
    // The content that it has needs no place.
    if (fetched === undefined || this.#catalog.files.get(path)?.hash === fetched.hash) return own;
    return [...own, fetched];
  }

  #fingerprintsOf(content: EarlierContent): Uint8Array | undefined {
    const id = this.#ids.get(content.segment);
    if (id === undefined) return this.#fetched?.fingerprints(content);
    return this.#options.fingerprints.of(id, content.ordinal);
  }
}
