import type { IndexReader } from "../index/backend.ts";

/** A language that so many of the files are written in is that of the project. */
const MAIN_SHARE = 0.3;

/** Ids of the languages that much of an index is written in. */
export async function mainLanguages(index: IndexReader): Promise<ReadonlySet<string>> {
  const { languages } = await index.makeup();
  return new Set([...languages].flatMap(([name, share]) => (share >= MAIN_SHARE ? [name] : [])));
}
