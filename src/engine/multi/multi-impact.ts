// The impact of a change on the namespaces that depend on its packages.

import { impactOf, type Affected } from "../../graph/impact.ts";
import { projectPlace } from "../../graph/linked/linked-graph.ts";
import { SvcError } from "../../base/errors.ts";
import type { SymbolHit } from "../../index/port.ts";
import { isGitChange } from "../../sources/git-change.ts";
import type { GitHistoryCache } from "../../sources/git-history.ts";
import type { NamespaceList } from "../../sources/namespace-list.ts";
import type { ImpactFile, ImpactRequest, ImpactResult, ImpactTest } from "../api/impact.ts";
import { analyzeImpact, filesOf, MAX_IMPACT_MS, seedsOf } from "../impact/analyze-impact.ts";
import { resolveImpactTarget } from "../impact/impact-target.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { AcrossNamespaces, AskedNamespaces, Linked } from "./across-namespaces.ts";
import { findTarget } from "./multi-target.ts";

/** Definitions that a name may mean, at most: see `impactOf`. */
const MAX_COUNTED_USERS = 10;

/** Throws what the same request for one namespace throws. */
export async function analyzeImpactAcross(
  across: AcrossNamespaces,
  list: NamespaceList,
  request: ImpactRequest,
  histories: Pick<GitHistoryCache, "of">,
): Promise<ImpactResult> {
  const end = performance.now() + Math.min(MAX_IMPACT_MS, request.deadline ?? Infinity);
  const asked = await across.asked(list, request);
  const { home, target } = await homeOf(across, asked, request.target);
  const graph = await across.parts.graphOf(home);
  const context = { ...home, texts: across.parts.textsOf(home), graph, histories };
  const { isTimed: _isTimed, ...own } = await analyzeImpact(context, { ...request, target });
  const changed = await resolveImpactTarget(context, target, request.signal);
  const seeds = seedsOf(changed);
  const paths = [...new Set([...seeds.symbols.map(({ path }) => path), ...seeds.files])];
  const files: ImpactFile[] = [];
  const tests: ImpactTest[] = [];
  const missing = new Set<string>();
  let { isComplete } = own;
  for (const { linked, path } of await linksOf(across, asked, home, paths)) {
    for (const sentence of linked.missing) missing.add(sentence);
    const ofPackage = {
      symbols: seeds.symbols
        .filter((symbol) => isWithin(linked, home, symbol.path, path))
        .map((symbol) => ({ ...symbol, path: `${home.namespace}/${symbol.path}` })),
      files: seeds.files
        .filter((file) => isWithin(linked, home, file, path))
        .map((file) => `${home.namespace}/${file}`),
    };
    for (const name of linked.graph.dependentsOf(`${home.namespace}/${path}`)) {
      // oxlint-disable-next-line no-await-in-loop -- one namespace after the other
      const found = await impactIn(linked, name, ofPackage, {
        depth: request.depth,
        signal: request.signal,
        isLate: () => performance.now() > end,
      });
      isComplete &&= found.isComplete;
      files.push(...found.files);
      tests.push(...found.tests);
    }
  }
  const at = { namespace: home.namespace };
  return {
    ...own,
    namespace: asked.text,
    others: own.others.map((one) => ({ ...one, ...at })),
    changedFiles: own.changedFiles.map((one) => ({ ...one, ...at })),
    likelyChanges: own.likelyChanges.map((one) => ({ ...one, ...at })),
    docs: own.docs.map((one) => ({ ...one, ...at })),
    entryPoints: own.entryPoints.map((one) => ({ ...one, ...at })),
    files: [...own.files.map((one) => ({ ...one, ...at })), ...byScore(files)],
    tests: [...own.tests.map((one) => ({ ...one, ...at })), ...byScore(tests)],
    isComplete,
    missing: [...missing],
  };
}

function byScore<Item extends { readonly score: number }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((one, other) => other.score - one.score);
}

/** A git change is one of the first namespace; `gin/main..HEAD` is one of the namespace gin. */
async function homeOf(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  target: string,
): Promise<{ readonly home: OpenIndex; readonly target: string }> {
  const { project, path } = projectPlace(target);
  const named = asked.names.find((name) => name === project);
  if (named !== undefined && isGitChange(path))
    return { home: await across.open(asked, named), target: path };
  const [first = ""] = asked.names;
  if (isGitChange(target)) return { home: await across.open(asked, first), target };
  try {
    const found = await findTarget(across, asked, target);
    const { home } = found;
    const { definition, path: file } = found.target;
    if (definition !== undefined) return { home, target: `${file}#${definition.qualifiedName}` };
    return { home, target: found.home.namespace === project ? path : target };
  } catch (thrown) {
    const isUnknown = thrown instanceof SvcError && thrown.code.endsWith("_NOT_FOUND");
    if (!isUnknown || asked.names.length === 0) throw thrown;
    // It may be a branch.
    return { home: await across.open(asked, first), target };
  }
}

/** One link for each group of changed files that the same packages have. */
async function linksOf(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  home: OpenIndex,
  paths: readonly string[],
): Promise<readonly { readonly linked: Linked; readonly path: string }[]> {
  const found: { readonly linked: Linked; readonly path: string }[] = [];
  for (const path of paths) {
    if (found.some(({ linked, path: known }) => isWithin(linked, home, path, known))) continue;
    // oxlint-disable-next-line no-await-in-loop -- mostly one
    found.push({ linked: await across.link(asked, home, { path, direction: "users" }), path });
  }
  return found;
}

/** Whether two files are of the same packages. */
function isWithin(
  { graph }: Linked,
  { namespace }: OpenIndex,
  one: string,
  other: string,
): boolean {
  const [a, b] = [one, other].map((path) => graph.packagesOf(`${namespace}/${path}`));
  return a === b;
}

interface Seeds {
  readonly symbols: readonly SymbolHit[];
  readonly files: readonly string[];
}

async function impactIn(
  { graph, projects, indexes }: Linked,
  name: string,
  seeds: Seeds,
  limits: {
    readonly depth: number;
    readonly signal: AbortSignal;
    readonly isLate: () => boolean;
  },
): Promise<{
  readonly files: readonly ImpactFile[];
  readonly tests: readonly ImpactTest[];
  readonly isComplete: boolean;
}> {
  const reader = indexes.get(name)?.reader;
  const own = projects.graphOf(name);
  if (reader === undefined || own === undefined) return { files: [], tests: [], isComplete: false };
  const isTest = async (path: string): Promise<boolean> =>
    (await reader.factsOf(projectPlace(path).path))?.role === "tests";
  const impact = await impactOf(own, seeds, {
    ...limits,
    isTerminal: isTest,
    usingFiles: reader.usingFiles,
    candidates: async (text) => (await reader.symbolsNamed(text, MAX_COUNTED_USERS)).length,
  });
  const code: Affected[] = [];
  const tests: Affected[] = [];
  for (const one of impact.affected) {
    // oxlint-disable-next-line no-await-in-loop -- in memory
    ((await isTest(one.path)) ? tests : code).push({ ...one, path: projectPlace(one.path).path });
  }
  const [seed] = [...seeds.symbols.map(({ path }) => path), ...seeds.files];
  const versionAt = (path: string): string =>
    seed === undefined ? "" : graph.versionBetween(seed, `${name}/${path}`);
  const placed = (all: readonly Affected[]): readonly ImpactFile[] =>
    filesOf(all).map((file) => {
      const version = versionAt(file.path);
      if (version === "") return { ...file, namespace: name };
      const users = file.users.map((user) => ({ ...user, certainty: "name" as const }));
      return { ...file, users, namespace: name, version };
    });
  return {
    files: placed(code),
    tests: placed(tests).map(({ path, users, score, version }) => ({
      path,
      score,
      why: [
        ...new Set(users.map(({ via }) => `uses ${via}`)),
        ...(version === undefined ? [] : [version]),
      ],
      namespace: name,
    })),
    isComplete: impact.isComplete,
  };
}
