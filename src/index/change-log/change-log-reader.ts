import type { ChangeLogReader } from "../port.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** The journal of an open catalogue. What takes several statements sees one state of it. */
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
