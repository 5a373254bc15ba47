import type { IndexReader } from "../index/port.ts";

/** A language that so many of the files are written in is that of the project. */
const MIN_MAIN_SHARE = 0.3;

/** Ids of the languages that much of an index is written in. */
export async function mainLanguages(index: IndexReader): Promise<ReadonlySet<string>> {
  const { languages } = await index.corpusStats();
  return new Set(
    [...languages].flatMap(([name, share]) => (share >= MIN_MAIN_SHARE ? [name] : [])),
  );
}
