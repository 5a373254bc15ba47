import type { JournalReader } from "../backend.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** The journal of an open catalogue. What takes several statements sees one state of it. */
export function journalReader(catalog: Catalog): JournalReader {
  const { journal } = catalog;
  return {
    state: () => catalog.snapshot(() => journal.state()),
    after: (...given) => catalog.snapshot(() => journal.after(...given)),
    before: (...given) => catalog.snapshot(() => journal.before(...given)),
    hitsAfter: (...given) => journal.hitsAfter(...given),
    seqAtGeneration: (generation) => catalog.snapshot(() => journal.seqAtGeneration(generation)),
    seqBefore: (atMs) => catalog.snapshot(() => journal.seqBefore(atMs)),
  };
}
