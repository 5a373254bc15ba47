// Collects the evidence that a file changes together with the target: shared commits, users of the target, files that
// it uses, its tests, and files with the same name.

import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { CoChange, GitHistoryCache, GitHistory } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import { rootProblem } from "../../sources/source-root.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { ImpactFile, ImpactTest } from "../api/impact.ts";
import type { ChangedTargetFile } from "./impact-target.ts";

export interface LikelyContext {
  readonly reader: Pick<IndexReader, "fileTree">;
  readonly graph: Pick<ReferenceGraph, "usesFrom" | "usesFromFile">;
  /** Returns the role of a file. */
  readonly roles: (path: string) => Promise<string>;
}

/** Results of the other parts of the analysis. */
export interface KnownImpact {
  readonly changedFiles: readonly ChangedTargetFile[];
  readonly users: readonly ImpactFile[];
  readonly tests: readonly ImpactTest[];
  readonly history: ChangeHistory;
}

/** Evidence that a file changes too, each from 0 to 1. */
export interface Evidence {
  /** Share of the target's commits that also changed the file. */
  readonly share: number;
  /** Number of these commits, on a logarithmic scale. */
  readonly times: number;
  /** Score as a user, and score as a test of the target. */
  readonly user: number;
  readonly test: number;
  /** Number of its names that the target uses, relative to the file with the most. */
  readonly used: number;
  /** 1 when it has the same name, apart from the marks of a test. */
  readonly name: number;
  /** 1 when the newest commit changed it, halved for each `HALF_LIFE_COMMITS` commits since. */
  readonly recent: number;
  /** 1 for tests when code changed, and for code when tests changed. */
  readonly otherSide: number;
}

export interface LikelyCandidate {
  readonly path: string;
  readonly role: string;
  readonly evidence: Evidence;
  /** The evidence as text. */
  readonly why: readonly string[];
}

/** Smoothing of `share`, which is weaker with few commits: one commit of two files gives a half. */
const PRIOR_COMMITS = 1;
/** This many shared commits give `times` = 1. */
const MAX_COUNTED_COMMITS = 31;
const HALF_LIFE_COMMITS = 100;
/** Maximum definitions per file whose uses are read, when the file is not changed as a whole. */
const MAX_SYMBOLS = 20;
/** Maximum names per file in `why`. */
const MAX_NAMES = 3;

type Known = "user" | "test" | "used" | "share" | "times";

/** All files with any evidence, without the changed ones; empty without a git history. */
export async function likelyCandidates(
  context: LikelyContext,
  { changedFiles, users, tests, history }: KnownImpact,
): Promise<readonly LikelyCandidate[]> {
  const own = changedFiles.map(({ path }) => path);
  if (!history.isKnown) return [];
  const found = new Map<string, { known: Partial<Record<Known, number>>; why: string[] }>();
  const add = (path: string, known: Partial<Record<Known, number>>, why: string): void => {
    const one = found.get(path) ?? { known: {}, why: [] };
    Object.assign(one.known, known);
    one.why.push(why);
    found.set(path, one);
  };
  for (const [path, change] of history.together) {
    const { sharedCommits, subjectCommits, last } = change;
    add(
      path,
      pastEvidence(change),
      `${sharedCommits} of ${subjectCommits} commits, last ${last.slice(0, 10)}`,
    );
  }
  for (const { path, score } of users) add(path, { user: score }, "uses it");
  for (const { path, score } of tests) add(path, { test: score }, "tests it");
  for (const [path, { names, share }] of await usedBy(context, changedFiles)) {
    add(path, { used: share }, `has ${[...names].slice(0, MAX_NAMES).join(", ")}, used there`);
  }
  const stems = new Set(own.map(plainStem));
  const sides = new Set<string>();
  // oxlint-disable-next-line no-await-in-loop -- cached by file
  for (const path of own) sides.add(sideOf(await context.roles(path)));
  const tree = await context.reader.fileTree();
  const candidates: LikelyCandidate[] = [];
  for (const [path, { known, why }] of found) {
    if (own.includes(path) || !tree.has(path)) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const role = await context.roles(path);
    const side = sideOf(role);
    const name = stems.has(plainStem(path)) ? 1 : 0;
    const recent = 2 ** (-history.commitsSince(path) / HALF_LIFE_COMMITS);
    const otherSide = side === "" || sides.has(side) ? 0 : 1;
    const evidence = { ...NO_EVIDENCE, ...known, name, recent, otherSide };
    candidates.push({ path, role, evidence, why: name === 1 ? [...why, "same name"] : why });
  }
  return candidates;
}

/** The name in lower case without extensions and the marks of a test: `foo` for `FooTest.java` and `foo.test.ts`. */
export function plainStem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  return stem
    .replace(/[._-](?:tests?|specs?|unittests?)$/i, "")
    .replace(/^tests?[._-]/i, "")
    .replace(/(?<=[a-z0-9])(?:Tests?|Specs?|TestCase)$/, "")
    .replace(/^Test(?=[A-Z])/, "")
    .toLowerCase();
}

const NO_EVIDENCE = { share: 0, times: 0, user: 0, test: 0, used: 0 };

/** The evidence `times` for a number of shared commits, 0 to 1. */
export function timesOf(together: number): number {
  return Math.min(1, Math.log2(1 + together) / Math.log2(1 + MAX_COUNTED_COMMITS));
}

function pastEvidence({
  evidence,
  score,
  sharedCommits,
}: CoChange): Pick<Evidence, "share" | "times"> {
  return {
    share: evidence / (evidence / score + PRIOR_COMMITS),
    times: timesOf(sharedCommits),
  };
}

/** What the git histories say of the changed files. */
export interface ChangeHistory {
  /** False without a git history. */
  readonly isKnown: boolean;
  /** Path in the namespace -> its shared commits. */
  readonly together: ReadonlyMap<string, CoChange>;
  /** Number of commits since the last change of a file; infinite without one. */
  readonly commitsSince: (path: string) => number;
}

/** Reads the histories. Throws TIMEOUT when the call is cancelled. */
export async function changeHistoryOf(
  {
    sources,
    histories,
  }: { readonly sources: readonly Source[]; readonly histories: Pick<GitHistoryCache, "of"> },
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ChangeHistory> {
  const bySource = new Map<Source, GitHistory>();
  const together = new Map<string, CoChange>();
  for (const source of sources) {
    const own = paths.flatMap((path) => {
      const place = sourceOfPath(sources, path);
      return place?.source === source ? [place.relative] : [];
    });
    const isReadable = own.length > 0 && rootProblem(source) === undefined;
    // oxlint-disable-next-line no-await-in-loop -- few sources
    const history = isReadable ? await histories.of(source, signal) : undefined;
    if (history?.history === undefined) continue;
    bySource.set(source, history.history);
    for (const change of history.history.changedWith(own)) {
      together.set(source.prefix + change.path, change);
    }
  }
  const commitsSince = (path: string): number => {
    const place = sourceOfPath(sources, path);
    const history = place && bySource.get(place.source);
    return history?.commitsSince(place?.relative ?? "") ?? Number.POSITIVE_INFINITY;
  };
  return { isKnown: bySource.size > 0, together, commitsSince };
}

/** The files that changed files use: the used names, and their number relative to the file with the most. */
async function usedBy(
  { graph }: LikelyContext,
  changedFiles: readonly ChangedTargetFile[],
): Promise<ReadonlyMap<string, { readonly names: ReadonlySet<string>; readonly share: number }>> {
  const byFile = new Map<string, Set<string>>();
  for (const { path, isWholeFile, symbols } of changedFiles) {
    const all = isWholeFile
      ? // oxlint-disable-next-line no-await-in-loop -- mostly one file
        await graph.usesFromFile(path)
      : // oxlint-disable-next-line no-await-in-loop -- as above
        (await Promise.all(symbols.slice(0, MAX_SYMBOLS).map((one) => graph.usesFrom(one)))).flat();
    for (const { name, targets, certainty } of all) {
      if (certainty !== "exact") continue;
      for (const target of targets) {
        const names = byFile.get(target.path) ?? new Set();
        byFile.set(target.path, names.add(name));
      }
    }
  }
  for (const { path } of changedFiles) byFile.delete(path);
  const maxUses = Math.max(1, ...[...byFile.values()].map((names) => names.size));
  return new Map(
    [...byFile].map(([path, names]) => [path, { names, share: names.size / maxUses }]),
  );
}

/** "tests" or "code"; "" for other roles. */
function sideOf(role: string): string {
  return role === "tests" || role === "code" ? role : "";
}
