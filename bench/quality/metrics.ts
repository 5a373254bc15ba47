// Rates one answer by the measures of information retrieval. Discounts are 1 / log2(rank + 1)
// (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
import type { Gold } from "./questions.ts";
import type { Reply } from "./reply.ts";
import type { Mention } from "./reply-text.ts";

export interface Score {
  /** NDCG of files, each counted at its first rank, with their grades. */
  readonly ndcg10: number;
  /** By semble's formula: files count each time they occur, and only with the lines of the gold. */
  readonly ndcg10Raw: number;
  /** Share of the relevant files among the first 5 and the first 10. */
  readonly recall5: number;
  readonly recall10: number;
  /** 0 if none of the first 10 files is relevant. */
  readonly reciprocalRank: number;
  /** 1 if the first file is relevant, else 0. */
  readonly hit1: number;
  /** 1 if one of the first 3 files is relevant, else 0. */
  readonly hit3: number;
  /** 1 if one of the first 3 (or 10) results overlaps lines of the gold; undefined if the gold has no lines. */
  readonly span3?: number | undefined;
  readonly span10?: number | undefined;
  /** Tokens to the end of the first relevant result; undefined if there is none. */
  readonly tokensToFirst?: number | undefined;
  readonly tokensOfReply: number;
}

const DEPTH = 10;
/** The usual estimate for source text. */
const CHARACTERS_PER_TOKEN = 4;

export function scoreQuery(
  gold: readonly Gold[],
  { mentions, characters }: Pick<Reply, "mentions" | "characters">,
): Score {
  const grades = new Map<string, number>();
  for (const { path, grade = 1 } of gold) {
    grades.set(path, Math.max(grades.get(path) ?? 0, grade));
  }
  const gains = [...new Set(mentions.map(({ path }) => path))].map((path) => grades.get(path) ?? 0);
  const recall = (depth: number): number =>
    gains.slice(0, depth).filter((gain) => gain > 0).length / grades.size;
  const ideal = [...grades.values()].toSorted((one, other) => other - one);
  const rank = gains.slice(0, DEPTH).findIndex((gain) => gain > 0) + 1;
  const first = mentions.find(({ path }) => grades.has(path));
  return {
    ndcg10: gainOf(gains) / gainOf(ideal),
    ndcg10Raw: rawNdcg(gold, mentions),
    recall5: recall(5),
    recall10: recall(10),
    reciprocalRank: rank === 0 ? 0 : 1 / rank,
    hit1: rank === 1 ? 1 : 0,
    hit3: rank >= 1 && rank <= 3 ? 1 : 0,
    span3: spanHit(gold, mentions, 3),
    span10: spanHit(gold, mentions, DEPTH),
    tokensToFirst: first === undefined ? undefined : tokensOf(first.to),
    tokensOfReply: tokensOf(characters),
  };
}

/** Discounted cumulated gain at 10. */
function gainOf(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, at) => sum + gain * discount(at + 1), 0);
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

/** Each target counts 1 at the first result that matches it, and a result counts for one target only. */
function rawNdcg(gold: readonly Gold[], mentions: readonly Mention[]): number {
  const ranks = gold.map((target) => {
    const isMet = (mention: Mention): boolean =>
      mention.path === target.path &&
      (target.start === undefined || mention.start === undefined || overlaps(mention, target));
    return mentions.slice(0, DEPTH).findIndex(isMet) + 1;
  });
  const met = [...new Set(ranks)].filter((rank) => rank > 0);
  const sum = met.reduce((total, rank) => total + discount(rank), 0);
  return sum / gainOf(gold.map(() => 1));
}

function spanHit(
  gold: readonly Gold[],
  mentions: readonly Mention[],
  depth: number,
): number | undefined {
  const targets = gold.filter(({ start }) => start !== undefined);
  if (targets.length === 0) return undefined;
  const isHit = (mention: Mention): boolean =>
    targets.some((target) => mention.path === target.path && overlaps(mention, target));
  return mentions.slice(0, depth).some(isHit) ? 1 : 0;
}

/** False if the mention has no lines. */
function overlaps(mention: Mention, { start = 0, end = start }: Gold): boolean {
  const { start: first, end: last = first } = mention;
  return first !== undefined && last !== undefined && last >= start && first <= end;
}

function tokensOf(characters: number): number {
  return Math.round(characters / CHARACTERS_PER_TOKEN);
}
