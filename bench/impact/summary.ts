// The summary of the outcomes: a mean for each ranker, and the lead of svc over the others.
import { share, table } from "../quality/table.ts";
import { RANKERS, type Ranker } from "./answers.ts";
import type { Outcome } from "./ask.ts";
import { differenceOf, meanScore, type Difference, type Score } from "./metrics.ts";

export interface Summary {
  readonly commits: number;
  readonly scores: Readonly<Record<Ranker, Score>>;
  /** svc minus each baseline; undefined without commits. */
  readonly ahead: Readonly<
    Record<Baseline, { readonly hit: Difference; readonly recall: Difference }>
  >;
}

const BASELINES = ["sameFolder", "changedTogether"] as const;
type Baseline = (typeof BASELINES)[number];

const TITLES: Readonly<Record<Ranker, string>> = {
  svc: "svc",
  usersAndTests: "users, tests",
  sameFolder: "same folder",
  changedTogether: "co-change",
};

/** Summaries of all queries, and of those for tests only. */
export function summarise(outcomes: readonly Outcome[], kind: "all" | "tests"): Summary {
  const rows = outcomes.flatMap(({ scores, testScores }) => {
    const row = kind === "all" ? scores : testScores;
    return row === undefined ? [] : [row];
  });
  const of = (ranker: Ranker): readonly Score[] => rows.map((row) => row[ranker]);
  const ahead = (baseline: Baseline): { hit: Difference; recall: Difference } => ({
    hit: differenceOf(of("svc"), of(baseline), "hit"),
    recall: differenceOf(of("svc"), of(baseline), "recall"),
  });
  return {
    commits: rows.length,
    scores: {
      svc: meanScore(of("svc")),
      usersAndTests: meanScore(of("usersAndTests")),
      sameFolder: meanScore(of("sameFolder")),
      changedTogether: meanScore(of("changedTogether")),
    },
    ahead: { sameFolder: ahead("sameFolder"), changedTogether: ahead("changedTogether") },
  };
}

/** A row for each group: hit rate and recall of each ranker. */
export function scoreTable(groups: Readonly<Record<string, Summary>>): string {
  const headings = ["", "commits", ...RANKERS.map((ranker) => TITLES[ranker])];
  const rows = Object.entries(groups).map(([name, { commits, scores }]) => [
    name,
    commits,
    ...RANKERS.map((ranker) => `${share(scores[ranker].hit)} ${share(scores[ranker].recall)}`),
  ]);
  return table(headings, rows);
}

/** The lead of svc, with the 95 % interval. */
export function aheadTable(groups: Readonly<Record<string, Summary>>): string {
  const headings = ["svc less", "", "hit@10", "recall@10"];
  const rows = Object.entries(groups).flatMap(([name, { ahead }]) =>
    BASELINES.map((baseline) => [
      name,
      TITLES[baseline],
      differenceText(ahead[baseline].hit),
      differenceText(ahead[baseline].recall),
    ]),
  );
  return table(headings, rows);
}

function differenceText({ mean, low, high }: Difference): string {
  const [text, from, to] = [mean, low, high].map((value) => share(value) ?? "");
  return `${text} (${from} to ${to})`;
}
