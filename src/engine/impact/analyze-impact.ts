// Estimates the impact of a change: files that likely change too, direct and indirect users, tests to run, documents,
// and entry points.

import { isValueKind } from "../../base/definition-kinds.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import { impactOf, type Affected, type Impact } from "../../graph/impact.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { GitHistoryCache } from "../../sources/git-history.ts";
import { docsNaming, fileNames } from "../related/find-related-docs.ts";
import { rarityOf, type DistinctiveName } from "../related/find-related-subject.ts";
import type { ImpactFile, ImpactRequest, ImpactResult, ImpactUser } from "../api/impact.ts";
import { testsToRun } from "./tests-to-run.ts";
import {
  resolveImpactTarget,
  type ChangedTargetFile,
  type ImpactTarget,
  type TargetContext,
} from "./impact-target.ts";
import { impactHint } from "./impact-hint.ts";
import { likelyChanges, testsByLikelihood } from "./likely-changes.ts";
import { changeHistoryOf, likelyCandidates } from "./likely-evidence.ts";

export interface ImpactContext extends TargetContext {
  readonly graph: ReferenceGraph;
  readonly histories: Pick<GitHistoryCache, "of">;
}

/** After this time the answer is partial: a call has 30 s. */
export const MAX_IMPACT_MS = 20_000;
/** Maximum definitions of a name that are counted. */
const MAX_COUNTED_USERS = 10;
/** Maximum removed names that are looked up per file. */
const MAX_GONE_NAMES = 20;
const MAX_DOCS = 8;
const MAX_LIKELY_CHANGES = 15;
const MAX_ENTRY_POINTS = 20;
/** Maximum names to search in documents. */
const MAX_NAMES = 10;
/** Score of a user of a removed name, when it may mean another definition. */
const GONE_NAME_SCORE = 0.9;
/** Names of functions that start programs or receive requests. */
const ENTRY_NAME = /^(?:main|Main|__main__|handler|run|serve|cli)$/;

/** Throws the errors of `resolveImpactTarget`. `isTimed`: the time limit cut the answer. */
export async function analyzeImpact(
  context: ImpactContext,
  request: ImpactRequest,
): Promise<Omit<ImpactResult, "namespace"> & { readonly isTimed: boolean }> {
  const { target, depth, deadline = Infinity, signal } = request;
  const end = Math.min(performance.now() + MAX_IMPACT_MS, deadline);
  let isTimed = false;
  const { reader, graph } = context;
  const changedFiles = await resolveImpactTarget(context, target, signal);
  const paths = changedFiles.files.map(({ path }) => path);
  // git reads the history in a process of its own, while the users are found.
  const history = changeHistoryOf(context, paths, signal);
  // The await below throws its error. If the call fails before, nobody awaits it.
  history.catch(() => {});
  const roles = roleCheck(reader);
  const seeds = seedsOf(changedFiles);
  const impact = await impactOf(graph, seeds, {
    depth,
    signal,
    isLate: () => (isTimed ||= performance.now() > end),
    isTerminal: async (path) => (await roles(path)) === "tests",
    usingFiles: reader.usingFiles,
    candidates: async (name) => (await reader.symbolsNamed(name, MAX_COUNTED_USERS)).length,
  });
  const affected = [...(await brokenUses(reader, changedFiles, graph)), ...impact.affected];
  const code: Affected[] = [];
  const reached: Affected[] = [];
  for (const one of affected) {
    // oxlint-disable-next-line no-await-in-loop -- cached by file
    if ((await roles(one.path)) === "tests") reached.push(one);
    else code.push(one);
  }
  const files = filesOf(code);
  const tests = await testsToRun({ reader, graph, roles }, changedFiles.files, reached);
  const candidates = await likelyCandidates(
    { reader, graph, roles },
    { changedFiles: changedFiles.files, users: files, tests, history: await history },
  );
  const result = {
    generation: reader.version.at,
    description: changedFiles.description,
    depth,
    others: changedFiles.others,
    changedFiles: changedFiles.files.map(
      ({ path, status, symbols, isWholeFile, removedNames }) => ({
        path,
        status,
        symbols: symbols.map(({ qualifiedName }) => qualifiedName),
        isWhole: isWholeFile,
        gone: removedNames,
      }),
    ),
    likelyChanges: likelyChanges(candidates, MAX_LIKELY_CHANGES),
    files,
    tests: testsByLikelihood(tests, candidates),
    docs: await docsNaming(
      context,
      { names: await namesOf(reader, changedFiles.files), without: new Set(paths) },
      MAX_DOCS,
    ),
    entryPoints: await entryPointsOf(impact, roles),
    isComplete: impact.isComplete,
    isTimed,
  };
  return { ...result, ...(await impactHint(context, result, request)) };
}

export function seedsOf({ files }: ImpactTarget): {
  symbols: readonly SymbolHit[];
  files: readonly string[];
} {
  return {
    symbols: files.flatMap(({ symbols }) => symbols),
    files: files.flatMap(({ path, isWholeFile }) => (isWholeFile ? [path] : [])),
  };
}

/** Returns the role of a file, cached; "" for a file that is not in the index. */
function roleCheck(reader: Pick<IndexReader, "factsOf">): (path: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (path) => {
    const role = known.get(path) ?? (await reader.factsOf(path))?.role ?? "";
    known.set(path, role);
    return role;
  };
}

/** Uses of removed names that have no other definition. */
async function brokenUses(
  reader: IndexReader,
  { files }: ImpactTarget,
  graph: Pick<ReferenceGraph, "importersOf">,
): Promise<readonly Affected[]> {
  const found: Affected[] = [];
  for (const { path, removedNames } of files) {
    if (removedNames.length === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- few files lose definitions
    const importers = new Set((await graph.importersOf(path)).map((edge) => edge.path));
    for (const name of removedNames.slice(0, MAX_GONE_NAMES)) {
      // oxlint-disable-next-line no-await-in-loop -- reads memory only
      const others = await reader.symbolsNamed(name, MAX_COUNTED_USERS);
      if (others.some((one) => one.name === name && one.path !== path)) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const { path: user, uses } of await reader.usesOf(name)) {
        const [use] = uses;
        if (use === undefined || user === path) continue;
        const certainty = importers.has(user) ? "exact" : "name";
        const { line, role } = use;
        found.push({
          path: user,
          symbol: undefined,
          line,
          role,
          certainty,
          depth: 1,
          via: `${name} (removed)`,
          score: certainty === "exact" ? 1 : GONE_NAME_SCORE,
        });
      }
    }
  }
  return found;
}

/** Users grouped by file, most likely first; within a file by line. */
export function filesOf(affected: readonly Affected[]): readonly ImpactFile[] {
  const byFile = Map.groupBy(affected, ({ path }) => path);
  const files = [...byFile].map(([path, all]) => {
    // Leave out imports when the file also has other uses.
    const strongest = all.filter(({ role, symbol }) => role !== "import" || symbol !== undefined);
    const users = strongest.length > 0 ? strongest : all;
    // Each further user raises the likelihood, by decreasing amounts.
    const rest = users.reduce((left, { score }) => left * (1 - Math.min(0.99, score)), 1);
    return {
      path,
      score: 1 - rest,
      depth: Math.min(...users.map(({ depth }) => depth)),
      users: users.map(userOf),
    };
  });
  return files.toSorted(
    (one, other) => other.score - one.score || (one.path < other.path ? -1 : 1),
  );
}

function userOf({ symbol, line, role, certainty, depth, via, score }: Affected): ImpactUser {
  return { symbol: symbol?.qualifiedName ?? "", line, role, certainty, depth, via, score };
}

/** Affected entry points: starts of programs, and exported symbols without users inside. */
async function entryPointsOf(
  { affected, unused }: Impact,
  roles: (path: string) => Promise<string>,
): Promise<ImpactResult["entryPoints"]> {
  const mains = affected.flatMap(({ symbol }) =>
    symbol !== undefined && ENTRY_NAME.test(symbol.name) ? [symbol] : [],
  );
  const found = new Map<string, ImpactResult["entryPoints"][number]>();
  for (const { path, qualifiedName, kind, nameLine } of [...mains, ...unused]) {
    // oxlint-disable-next-line no-await-in-loop -- cached by file
    if (found.size === MAX_ENTRY_POINTS || (await roles(path)) !== "code") continue;
    const isField = isValueKind(kind) && qualifiedName.includes(".");
    const key = `${path}#${qualifiedName}`;
    if (!isField) found.set(key, { path, line: nameLine, symbol: qualifiedName });
  }
  return [...found.values()];
}

/** Names under which documents may mention the changed files and symbols. */
async function namesOf(
  reader: Pick<IndexReader, "usingFiles">,
  files: readonly ChangedTargetFile[],
): Promise<readonly DistinctiveName[]> {
  const names = new Map<string, DistinctiveName>();
  for (const { path, symbols, isWholeFile, removedNames } of files) {
    for (const one of fileNames(path, isWholeFile ? 1 : 0.3)) names.set(one.name, one);
    const open = symbols.filter(isDistinctive).map(({ name }) => name);
    for (const name of [...removedNames, ...open]) {
      if (name.length < 3 || names.has(name)) continue;
      // oxlint-disable-next-line no-await-in-loop -- reads memory only
      const users = await reader.usingFiles(name);
      names.set(name, { name, users, isMember: false, weight: rarityOf(users) });
    }
  }
  const all = [...names.values()].toSorted((one, other) => other.weight - one.weight);
  return all.slice(0, MAX_NAMES);
}

/** False for private symbols and for members named by an ordinary word, which prose rarely refers to. */
function isDistinctive({ access, name, qualifiedName }: SymbolHit): boolean {
  return access !== "private" && (name === qualifiedName || /[a-z0-9][A-Z]|_/.test(name));
}
