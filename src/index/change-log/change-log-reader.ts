import type { ChangeLogReader } from "../port.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** Reads the change log of an open catalogue. A call with several statements sees one consistent state. */
export function changeLogReader(catalog: Catalog): ChangeLogReader {
  const { changeLog } = catalog;
  return {
    state: () => catalog.snapshot(() => changeLog.state()),
    after: (...given) => catalog.snapshot(() => changeLog.after(...given)),
    before: (...given) => catalog.snapshot(() => changeLog.before(...given)),
    hitsAfter: (...given) => changeLog.hitsAfter(...given),
    seqAtGeneration: (generation) => catalog.snapshot(() => changeLog.seqAtGeneration(generation)),
    seqBefore: (atMs) => catalog.snapshot(() => changeLog.seqBefore(atMs)),
  };
}
