// What tells that a file is changed together with what is touched: what git tells of the past of both, who uses what
// is touched, what that uses, its tests, and what is called like it.

import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { CoChange, GitHistoryCache, GitHistory } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry.ts";
import { rootProblem } from "../../sources/source-root.ts";
import { sourceOf } from "../files/current-text.ts";
import type { ImpactFile, ImpactTest } from "../engine.ts";
import type { ChangedTargetFile } from "./impact-target.ts";

export interface LikelyContext {
  readonly reader: Pick<IndexReader, "fileTree">;
  readonly sources: readonly Source[];
  readonly graph: Pick<ReferenceGraph, "usesFrom" | "usesFromFile">;
  readonly histories: Pick<GitHistoryCache, "of">;
  /** The role of a file. */
  readonly roles: (path: string) => Promise<string>;
}

/** What is known of the touched files already. */
export interface KnownImpact {
  readonly changedFiles: readonly ChangedTargetFile[];
  readonly users: readonly ImpactFile[];
  readonly tests: readonly ImpactTest[];
}

/** What tells that a file is changed too, each from 0 to 1. */
export interface Evidence {
  /** The share of the commits of what is touched that changed it too. */
  readonly share: number;
  /** How many they are. */
  readonly times: number;
  /** How likely it is touched as a user, and how much it tests what is touched. */
  readonly user: number;
  readonly test: number;
  /** How many of its names are used by what is touched, beside the file of which the most are. */
  readonly used: number;
  /** 1 when it is called the same, but for what marks a test. */
  readonly name: number;
  /** 1 when the newest commit changed it, half as much for each `HALF_LIFE_COMMITS` commits since. */
  readonly recent: number;
  /** 1 for tests where code is touched, and for code where tests are. */
  readonly otherSide: number;
}

export interface LikelyCandidate {
  readonly path: string;
  readonly role: string;
  readonly evidence: Evidence;
  /** What there is, in words. */
  readonly why: readonly string[];
}

/** Of few commits a share says less: that of one new commit of two files alone is a half. */
const PRIOR_COMMITS = 1;
/** So many commits together count 1. */
const MAX_COUNTED_COMMITS = 31;
const HALF_LIFE_COMMITS = 100;
/** Definitions of one file of which is asked what they use, where not all of it is touched. */
const MAX_SYMBOLS = 20;
/** Names that are told of one file. */
const MAX_NAMES = 3;

type Known = "user" | "test" | "used" | "share" | "times";

/**
 * All files that anything speaks for, without the touched ones; nothing where there is no git history. Throws TIMEOUT
 * when the call is over.
 */
export async function likelyCandidates(
  context: LikelyContext,
  { changedFiles, users, tests }: KnownImpact,
  signal: AbortSignal,
): Promise<readonly LikelyCandidate[]> {
  const own = changedFiles.map(({ path }) => path);
  const past = await pastOf(context, own, signal);
  if (!past.isKnown) return [];
  const found = new Map<string, { known: Partial<Record<Known, number>>; why: string[] }>();
  const add = (path: string, known: Partial<Record<Known, number>>, why: string): void => {
    const one = found.get(path) ?? { known: {}, why: [] };
    Object.assign(one.known, known);
    one.why.push(why);
    found.set(path, one);
  };
  for (const [path, change] of past.together) {
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
  // oxlint-disable-next-line no-await-in-loop -- remembered by file
  for (const path of own) sides.add(sideOf(await context.roles(path)));
  const tree = await context.reader.fileTree();
  const candidates: LikelyCandidate[] = [];
  for (const [path, { known, why }] of found) {
    if (own.includes(path) || !tree.has(path)) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const role = await context.roles(path);
    const side = sideOf(role);
    const name = stems.has(plainStem(path)) ? 1 : 0;
    const recent = 2 ** (-past.commitsSince(path) / HALF_LIFE_COMMITS);
    const otherSide = side === "" || sides.has(side) ? 0 : 1;
    const evidence = { ...NO_EVIDENCE, ...known, name, recent, otherSide };
    candidates.push({ path, role, evidence, why: name === 1 ? [...why, "called like it"] : why });
  }
  return candidates;
}

/** The name without extensions and without what marks a test: `foo` of `FooTest.java` and of `foo.test.ts`. */
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

/** What so many commits together count. */
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

interface Past {
  /** False where there is no git, or nothing that it tells. */
  readonly isKnown: boolean;
  /** By path in the namespace. */
  readonly together: ReadonlyMap<string, CoChange>;
  /** Commits since the last that changed a file; infinite where none did. */
  readonly commitsSince: (path: string) => number;
}

async function pastOf(
  { sources, histories }: LikelyContext,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Past> {
  const bySource = new Map<Source, GitHistory>();
  const together = new Map<string, CoChange>();
  for (const source of sources) {
    const own = paths.flatMap((path) => {
      const place = sourceOf(sources, path);
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
    const place = sourceOf(sources, path);
    const history = place && bySource.get(place.source);
    return history?.commitsSince(place?.relative ?? "") ?? Number.POSITIVE_INFINITY;
  };
  return { isKnown: bySource.size > 0, together, commitsSince };
}

/** Of the files that touched ones use, the names, and how many beside the most of one file. */
async function usedBy(
  { graph }: LikelyContext,
  changedFiles: readonly ChangedTargetFile[],
): Promise<ReadonlyMap<string, { readonly names: ReadonlySet<string>; readonly share: number }>> {
  const byFile = new Map<string, Set<string>>();
  for (const { path, isWholeFile, symbols } of changedFiles) {
    const all = isWholeFile
      ? // oxlint-disable-next-line no-await-in-loop -- one file in most cases
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

/** What stands on two sides: tests, and the code that they test. */
function sideOf(role: string): string {
  return role === "tests" || role === "code" ? role : "";
}
