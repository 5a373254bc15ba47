import type { ChangeLogReader } from "../../port.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** Reads the change log of an open catalogue. A call with several statements sees one consistent state. */
export function changeLogReader(catalog: Catalog): ChangeLogReader {
  const { changeLog } = catalog;
  return {
    note: async (name) => changeLog.note(name),
    state: async () => catalog.snapshot(() => changeLog.state()),
    after: async (...given) => catalog.snapshot(() => changeLog.after(...given)),
    before: async (...given) => catalog.snapshot(() => changeLog.before(...given)),
    hitsAfter: async (...given) => changeLog.hitsAfter(...given),
    seqAtGeneration: async (generation) =>
      catalog.snapshot(() => changeLog.seqAtGeneration(generation)),
    seqBefore: async (atMs) => catalog.snapshot(() => changeLog.seqBefore(atMs)),
  };
}
