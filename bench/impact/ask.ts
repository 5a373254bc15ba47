// Runs the queries for the commits of one repository, each at its parent.
import { join } from "node:path";

import type { LikelyCandidate } from "../../src/engine/impact/likely-evidence.ts";
import { GitHistoryCache } from "../../src/sources/git-history.ts";
import { mirrorDirectory } from "../quality/mirror.ts";
import { answersFor, evidenceFor, RANKERS, type Answers, type Ranker } from "./answers.ts";
import { drawTasks, isTest, type Task } from "./commits.ts";
import { HistoryLog } from "./history-log.ts";
import { HistoryTree } from "./history-tree.ts";
import { scoreOf, type Score } from "./metrics.ts";
import type { HistoryRepository } from "./repositories.ts";

/** The result of one commit. */
export interface Outcome extends Task {
  readonly repository: string;
  readonly scores: Readonly<Record<Ranker, Score>>;
  /** Only for tests; undefined if the commit changed no tests. */
  readonly testScores: Readonly<Record<Ranker, Score>> | undefined;
  /** Evidence from the half for fitting weights, if requested. */
  readonly candidates: readonly LikelyCandidate[] | undefined;
}

export interface AskOptions {
  readonly mirrors: string;
  /** Folder for trees and indexes, which are removed at the end. */
  readonly cache: string;
  readonly commits: number;
  readonly withEvidence: boolean;
}

export async function askRepository(
  repository: HistoryRepository,
  { mirrors, cache, commits, withEvidence }: AskOptions,
): Promise<readonly Outcome[]> {
  const { name, github, tip, window } = repository;
  const mirror = mirrorDirectory(mirrors, github);
  const log = HistoryLog.read(mirror, tip);
  const recent = log.commits.filter(({ parents }) => parents.length < 2).slice(0, window);
  const tasks = drawTasks(recent, { count: commits, seed: `impact ${name}` });
  const tree = new HistoryTree(mirror, join(cache, `${name}-${process.pid}`));
  const histories = new GitHistoryCache();
  const outcomes: Outcome[] = [];
  try {
    for (const task of tasks) {
      // oxlint-disable-next-line no-await-in-loop -- one work tree
      const moment = await tree.moveTo(task.parent);
      const changeTimes = log.changeTimes(task.parent);
      const context = { ...moment, root: tree.root, histories, changeTimes };
      // oxlint-disable-next-line no-await-in-loop -- as above
      const answers = await answersFor(context, task.asked);
      const isOther = task.tests !== undefined && task.tests.asked !== task.asked;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const forTests = isOther ? await answersFor(context, task.tests?.asked ?? "") : answers;
      const isWanted = withEvidence && task.half === "tuning";
      outcomes.push({
        ...task,
        repository: name,
        scores: scoresOf(answers, task.others),
        testScores: task.tests && scoresOf(testsOf(forTests), task.tests.changed),
        // oxlint-disable-next-line no-await-in-loop -- as above
        candidates: isWanted ? await evidenceFor(context, task.asked) : undefined,
      });
    }
  } finally {
    histories.close();
    tree.close();
  }
  return outcomes;
}

function scoresOf(answers: Answers, wanted: readonly string[]): Record<Ranker, Score> {
  return {
    svc: scoreOf(answers.svc, wanted),
    usersAndTests: scoreOf(answers.usersAndTests, wanted),
    sameFolder: scoreOf(answers.sameFolder, wanted),
    changedTogether: scoreOf(answers.changedTogether, wanted),
  };
}

function testsOf(answers: Answers): Answers {
  const tests = RANKERS.map((ranker) => [ranker, answers[ranker].filter(isTest)] as const);
  return { ...answers, ...Object.fromEntries(tests) };
}
