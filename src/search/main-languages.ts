import type { IndexReader } from "../index/port.ts";

/** A language is a main language of the project if at least this share of its files is written in it. */
const MIN_MAIN_SHARE = 0.3;

/** Returns the ids of the main languages of an index. */
export async function mainLanguages(
  index: Pick<IndexReader, "corpusStats">,
): Promise<ReadonlySet<string>> {
  const { languages } = await index.corpusStats();
  return new Set(
    [...languages].flatMap(([name, share]) => (share >= MIN_MAIN_SHARE ? [name] : [])),
  );
}
