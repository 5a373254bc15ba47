// The size of the index compared with the text it was made from.
import { statSync } from "node:fs";

import { Catalog } from "../../src/index/embedded/catalog/catalog.ts";
import { SECTIONS, type SectionName } from "../../src/index/embedded/segment/format.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { openSegment } from "../../src/index/embedded/snapshot.ts";
import { diskStorage } from "../../src/index/embedded/storage/storage-disk.ts";
import { filesBelow, totalBytes } from "../workspace.ts";
import { figure, type Figure } from "./figure.ts";
import type { IndexedTree } from "./tree.ts";

type Part = "words" | "outlines" | "trigrams";

const PARTS: Readonly<Partial<Record<SectionName, Part>>> = {
  outlines: "outlines",
  trigramKeys: "trigrams",
  trigramPostings: "trigrams",
};

export function indexSize({ dataDirectory, namespace, textBytes }: IndexedTree): readonly Figure[] {
  const layout = indexLayout(dataDirectory, namespace);
  const catalog = Catalog.openToRead(layout.catalog);
  if (catalog === undefined) throw new Error(`${layout.catalog}: there is no index`);
  const sizes: Record<Part, number> = { words: 0, outlines: 0, trigrams: 0 };
  const storage = diskStorage(layout.segments);
  let inCatalog = 0;
  for (const row of catalog.segments.all()) {
    const segment = openSegment(catalog, storage, row);
    for (const name of SECTIONS) {
      sizes[PARTS[name] ?? "words"] += segment.directory.sections[name][1];
    }
    if (row.isRow) inCatalog += row.bytes;
    segment.close();
  }
  catalog.close();
  const ends = ["", "-wal"].map((end) => statSync(layout.catalog + end, { throwIfNoEntry: false }));
  const catalogue = ends.reduce((sum, stat) => sum + (stat?.size ?? 0), 0) - inCatalog;
  const share = (name: string, bytes: number, target?: string): Figure => {
    return figure(name, [(100 * bytes) / textBytes], { unit: "% text", work: "nothing", target });
  };
  const total = share("index on disk", totalBytes(filesBelow(layout.directory)));
  return [
    share("index, words", sizes.words, "up to 25"),
    share("index, trigrams", sizes.trigrams, "up to 20"),
    share("index, outlines", sizes.outlines),
    share("index, catalogue", catalogue),
    {
      ...total,
      ratio: total.value === undefined ? undefined : { value: total.value / 100, to: "the text" },
    },
  ];
}
