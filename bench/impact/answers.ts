// The answers of svc and of the baselines for one file of a commit.
import { analyzeImpact } from "../../src/engine/impact/analyze-impact.ts";
import { resolveImpactTarget } from "../../src/engine/impact/impact-target.ts";
import {
  changeHistoryOf,
  likelyCandidates,
  type LikelyCandidate,
} from "../../src/engine/impact/likely-evidence.ts";

import type { GitHistoryCache } from "../../src/sources/git-history.ts";
import { localOwner } from "../../src/sources/principal.ts";
import { changedTogether, sameFolder } from "./baselines.ts";
import { isCode } from "./commits.ts";
import type { Moment } from "./history-tree.ts";

const CALLER = localOwner();
/** The default of the tool. */
const DEPTH = 3;
/** A history is read within two seconds, and a late call returns what it has. */
const TIME_LIMIT_MS = 60_000;

export const RANKERS = ["svc", "usersAndTests", "sameFolder", "changedTogether"] as const;
export type Ranker = (typeof RANKERS)[number];

/** Paths of code and tests, the best first, without the queried file. */
export type Answers = Readonly<Record<Ranker, readonly string[]>>;

interface AnswerContext extends Moment {
  readonly root: string;
  readonly histories: GitHistoryCache;
  readonly changeTimes: ReadonlyMap<string, number>;
}

/**
 * svc: the files as `analyze_impact` lists them, section by section: those that likely changed too, users, tests.
 * `usersAndTests` is the same without the first section, which uses git's history.
 */
export async function answersFor(context: AnswerContext, target: string): Promise<Answers> {
  const { reader, root, histories, changeTimes } = context;
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const impact = await analyzeImpact(context, {
    target,
    depth: DEPTH,
    signal,
    principal: CALLER,
  });
  const tree = await reader.fileTree();
  const { history } = await histories.of({ root }, signal);
  const filesIn = (folder: string): readonly string[] => tree.filesIn(folder);
  const changedAt = (path: string): number => changeTimes.get(path) ?? 0;
  const usersAndTests = [...impact.files, ...impact.tests].map(({ path }) => path);
  const lists: Answers = {
    svc: [...impact.likelyChanges.map(({ path }) => path), ...usersAndTests],
    usersAndTests,
    sameFolder: sameFolder(target, { filesIn, changedAt }),
    changedTogether: changedTogether(target, history).filter((path) => tree.has(path)),
  };
  const right = (paths: readonly string[]): readonly string[] =>
    [...new Set(paths)].filter((path) => path !== target && isCode(path));
  return {
    svc: right(lists.svc),
    usersAndTests: right(lists.usersAndTests),
    sameFolder: right(lists.sameFolder),
    changedTogether: right(lists.changedTogether),
  };
}

/** The evidence for each file, from which the weights are fitted. */
export async function evidenceFor(
  context: AnswerContext,
  target: string,
): Promise<readonly LikelyCandidate[]> {
  const { reader } = context;
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const impact = await analyzeImpact(context, {
    target,
    depth: DEPTH,
    signal,
    principal: CALLER,
  });
  const { files } = await resolveImpactTarget(context, target, signal);
  const roles = async (path: string): Promise<string> => (await reader.file(path))?.role ?? "";
  const history = await changeHistoryOf(
    context,
    files.map(({ path }) => path),
    signal,
  );
  const known = { changedFiles: files, users: impact.files, tests: impact.tests, history };
  const candidates = await likelyCandidates({ ...context, roles }, known);
  return candidates.filter(({ path }) => isCode(path));
}
