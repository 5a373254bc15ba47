// Finds the passages that answer a question about a setting by its name: first those with the name in a heading, then
// those with it in the text.

import { scanWords } from "../parse/tokenizer.ts";
import type { CandidateChunk, Candidates } from "../index/scoring/candidates.ts";
import type { Query } from "./parse-query.ts";

/** Returns how well a passage answers: 2 if it is named after the setting, 1 if it contains its name, otherwise 0. */
export type SettingGrade = (chunk: Pick<CandidateChunk, "namesTerms" | "bodyTerms">) => 0 | 1 | 2;

/** Undefined if the query does not name a setting, or the index does not contain the name. */
export function settingGrade(
  { settingName, split }: Pick<Query, "settingName" | "split">,
  { terms }: Pick<Candidates, "terms">,
): SettingGrade | undefined {
  if (settingName === undefined) return undefined;
  const bits = new Map(terms.slice(0, 32).map(({ term }, at) => [term, 1 << at]));
  let mask = 0;
  let isKnown = true;
  scanWords(settingName, (word) => {
    const bit = bits.get(split(word).at(-1) ?? "");
    if (bit === undefined) isKnown = false;
    else mask |= bit;
  });
  if (!isKnown || mask === 0) return undefined;
  const has = (set: number): boolean => (set & mask) === mask;
  return ({ namesTerms, bodyTerms }) => (has(namesTerms) ? 2 : has(bodyTerms) ? 1 : 0);
}
