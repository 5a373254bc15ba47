import { splitNamespace } from "../../index/multi/multi-reader.ts";
import type { ReadNow, TextReader, TextResult } from "../../sources/text/port.ts";

/** A path without a known namespace has no text. */
const GONE: TextResult = { problem: "gone", stamp: "" };

/** Reads the texts of several namespaces by paths that begin with the namespace. */
export function multiTexts(byNamespace: ReadonlyMap<string, TextReader>): TextReader {
  const find = (full: string): { texts: TextReader | undefined; path: string } => {
    const { namespace, path } = splitNamespace(full);
    return { texts: byNamespace.get(namespace), path };
  };
  return {
    read: async (full, known) => {
      const { texts, path } = find(full);
      return (await texts?.read(path, known)) ?? GONE;
    },
    prefetch: async (paths) => {
      const groups = Map.groupBy(paths, (full) => splitNamespace(full).namespace);
      const readers = new Map<string, ReadNow>();
      for (const [namespace, ofNamespace] of groups) {
        const own = ofNamespace.map((full) => splitNamespace(full).path);
        // oxlint-disable-next-line no-await-in-loop -- files are read one after the other in any case
        const readNow = await byNamespace.get(namespace)?.prefetch(own);
        if (readNow !== undefined) readers.set(namespace, readNow);
      }
      return (full) => {
        const { namespace, path } = splitNamespace(full);
        return readers.get(namespace)?.(path) ?? GONE;
      };
    },
    stampOf: async (full) => {
      const { texts, path } = find(full);
      return (await texts?.stampOf(path)) ?? "";
    },
  };
}
