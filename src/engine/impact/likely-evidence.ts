// What tells that a file is changed together with what is touched: what git tells of the past of both, who uses what
// is touched, what that uses, its tests, and what is called like it.

import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/backend.ts";
import type { CoChange, GitHistories, GitHistory } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry.ts";
import { sourceOf } from "../files/current-text.ts";
import type { ImpactFile, ImpactTest } from "../engine.ts";
import type { TouchedFile } from "./impact-target.ts";

export interface LikelySight {
  readonly reader: Pick<IndexReader, "fileTree">;
  readonly sources: readonly Source[];
  readonly graph: Pick<ReferenceGraph, "usesFrom" | "usesFromFile">;
  readonly histories: Pick<GitHistories, "of">;
  /** The role of a file. */
  readonly roles: (path: string) => Promise<string>;
}

/** What is known of the touched files already. */
export interface KnownImpact {
  readonly touched: readonly TouchedFile[];
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
  /** 1 when the newest commit changed it, half as much for each `HALF_LIFE` commits since. */
  readonly recent: number;
  /** 1 for tests where code is touched, and for code where tests are. */
  readonly otherSide: number;
}

export interface Candidate {
  readonly path: string;
  readonly role: string;
  readonly evidence: Evidence;
  /** What there is, in words. */
  readonly why: readonly string[];
}

/** Of few commits a share says less: that of one new commit of two files alone is a half. */
const DOUBT = 1;
/** So many commits together count 1. */
const MANY_TIMES = 31;
const HALF_LIFE = 100;
/** Definitions of one file of which is asked what they use, where not all of it is touched. */
const MOST_SYMBOLS = 20;
/** Names that are told of one file. */
const MOST_NAMES = 3;

type Known = "user" | "test" | "used" | "share" | "times";

/**
 * All files that anything speaks for, without the touched ones; nothing where there is no git history. Throws TIMEOUT
 * when the call is over.
 */
export async function likelyCandidates(
  sight: LikelySight,
  { touched, users, tests }: KnownImpact,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const own = touched.map(({ path }) => path);
  const past = await pastOf(sight, own, signal);
  if (!past.isKnown) return [];
  const found = new Map<string, { known: Partial<Record<Known, number>>; why: string[] }>();
  const add = (path: string, known: Partial<Record<Known, number>>, why: string): void => {
    const one = found.get(path) ?? { known: {}, why: [] };
    Object.assign(one.known, known);
    one.why.push(why);
    found.set(path, one);
  };
  for (const [path, change] of past.together) {
    const { together, of, last } = change;
    add(path, pastEvidence(change), `${together} of ${of} commits, last ${last.slice(0, 10)}`);
  }
  for (const { path, score } of users) add(path, { user: score }, "uses it");
  for (const { path, score } of tests) add(path, { test: score }, "tests it");
  for (const [path, { names, share }] of await usedBy(sight, touched)) {
    add(path, { used: share }, `has ${[...names].slice(0, MOST_NAMES).join(", ")}, used there`);
  }
  const stems = new Set(own.map(plainStem));
  const sides = new Set<string>();
  // oxlint-disable-next-line no-await-in-loop -- remembered by file
  for (const path of own) sides.add(sideOf(await sight.roles(path)));
  const tree = await sight.reader.fileTree();
  const candidates: Candidate[] = [];
  for (const [path, { known, why }] of found) {
    if (own.includes(path) || !tree.has(path)) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const role = await sight.roles(path);
    const side = sideOf(role);
    const name = stems.has(plainStem(path)) ? 1 : 0;
    const recent = 2 ** (-past.commitsSince(path) / HALF_LIFE);
    const otherSide = side === "" || sides.has(side) ? 0 : 1;
    const evidence = { ...NOTHING, ...known, name, recent, otherSide };
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

const NOTHING = { share: 0, times: 0, user: 0, test: 0, used: 0 };

/** What so many commits together count. */
export function timesOf(together: number): number {
  return Math.min(1, Math.log2(1 + together) / Math.log2(1 + MANY_TIMES));
}

function pastEvidence({ evidence, score, together }: CoChange): Pick<Evidence, "share" | "times"> {
  return {
    share: evidence / (evidence / score + DOUBT),
    times: timesOf(together),
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
  { sources, histories }: LikelySight,
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
    // oxlint-disable-next-line no-await-in-loop -- few sources
    const answer = own.length === 0 ? undefined : await histories.of(source.root, signal);
    if (answer?.history === undefined) continue;
    bySource.set(source, answer.history);
    for (const change of answer.history.changedWith(own)) {
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
  { graph }: LikelySight,
  touched: readonly TouchedFile[],
): Promise<ReadonlyMap<string, { readonly names: ReadonlySet<string>; readonly share: number }>> {
  const byFile = new Map<string, Set<string>>();
  for (const { path, isWhole, symbols } of touched) {
    const all = isWhole
      ? // oxlint-disable-next-line no-await-in-loop -- one file in most cases
        await graph.usesFromFile(path)
      : // oxlint-disable-next-line no-await-in-loop -- as above
        (
          await Promise.all(symbols.slice(0, MOST_SYMBOLS).map((one) => graph.usesFrom(one)))
        ).flat();
    for (const { name, targets, certainty } of all) {
      if (certainty !== "exact") continue;
      for (const target of targets) {
        const names = byFile.get(target.path) ?? new Set();
        byFile.set(target.path, names.add(name));
      }
    }
  }
  for (const { path } of touched) byFile.delete(path);
  const most = Math.max(1, ...[...byFile.values()].map((names) => names.size));
  return new Map([...byFile].map(([path, names]) => [path, { names, share: names.size / most }]));
}

/** What stands on two sides: tests, and the code that they test. */
function sideOf(role: string): string {
  return role === "tests" || role === "code" ? role : "";
}
