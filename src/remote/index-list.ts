// The list of an index that a server sends: its form. Whether its values make sense is checked where it is used.

import * as v from "valibot";

import type { ExportedIndex } from "../base/exported-index.ts";

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const NUMBER_32 = v.pipe(COUNT, v.maxValue(0xffff_ffff));
const RANKS = v.object({ files: v.string(), symbols: v.string() });

const LIST = v.object({
  format: COUNT,
  embedder: v.string(),
  generation: COUNT,
  shards: v.pipe(COUNT, v.minValue(1)),
  staleRanks: COUNT,
  segments: v.array(
    v.object({ name: v.string(), files: NUMBER_32, bytes: COUNT, ranks: v.optional(RANKS) }),
  ),
  files: v.array(
    v.tuple([
      v.string(),
      v.string(),
      COUNT,
      v.string(),
      NUMBER_32,
      NUMBER_32,
      NUMBER_32,
      NUMBER_32,
      NUMBER_32,
      NUMBER_32,
    ]),
  ),
});

/** Undefined if the text is not of this form. */
export function parseIndexList(text: string): ExportedIndex | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(LIST, value, { abortEarly: true });
  return parsed.success ? parsed.output : undefined;
}
