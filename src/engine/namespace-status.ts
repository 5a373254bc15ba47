import { toSvcError } from "../base/errors.ts";
import { COMPILER_NOTE, decodeNote, type CompilerNote } from "../index/compiler-facts/manifest.ts";
import type { IndexHealth, IndexReader, IndexSummary } from "../index/port.ts";
import { cloneAt, checkedOutCommit, isCloneUnfinished } from "../sources/clones.ts";
import { repositoryProblem } from "../sources/git.ts";
import { remoteNames } from "../sources/repository-name.ts";
import type { LastRun, Source } from "../sources/registry/records.ts";
import type { ConfiguredSource } from "./indexing/project-settings.ts";
import { decodeStart, START_NOTE, type StartNote } from "./indexing/start-note.ts";
import { requireRoot, RootChanged } from "../sources/source-root.ts";
import type { StatusRequest } from "./api/status.ts";
import type { IndexProgress } from "./api/index-report.ts";
import type { NamespaceStatus } from "./api/status.ts";
import type { Freshness } from "./api/status.ts";

const MAX_LISTED_SKIPPED = 200;

interface StatusInput {
  readonly namespace: string;
  readonly detail: StatusRequest["detail"];
  readonly sources: readonly ConfiguredSource[];
  readonly reader: () => Promise<IndexReader | undefined>;
  /** Whether the texts of a fetched repository are there without a clone. */
  readonly hasSharedTexts: boolean;
  /** Progress of the run of this process, or of the update that another node does; undefined if there is none. */
  readonly progress: IndexProgress | undefined;
  readonly health: () => Promise<IndexHealth>;
  /** The last run of any process. */
  readonly lastRun?: LastRun | undefined;
  readonly freshness: Freshness;
  /** The namespaces of packages that the project depends on. */
  readonly dependencies: readonly string[];
  /** Whether the caller may know of a namespace. */
  readonly canAccess: (namespace: string) => boolean;
}

/** The summary of a version; undefined if it cannot be read. */
interface StatusSummary {
  readonly summary: IndexSummary | undefined;
  readonly at: number;
  /** What compilers say of its files; undefined if nothing. */
  readonly scip?: CompilerNote | undefined;
  /** The index that it started from; undefined if it was built from the files. */
  readonly start?: StartNote | undefined;
}

const EMPTY_STATUS: IndexSummary = {
  files: 0,
  chunks: 0,
  symbols: 0,
  bytes: 0,
  stages: { listed: 0, words: 0, complete: 0 },
  skipped: {},
  problems: {},
  indexedAt: null,
};

/** The status of one namespace. Never throws: a damaged index is a state. */
export async function namespaceStatus(input: StatusInput): Promise<NamespaceStatus> {
  try {
    const reader = await input.reader();
    const health = await input.health();
    const status = withDamage(
      health,
      statusOf(input, health, {
        summary: await reader?.summary(),
        at: reader?.version.at ?? 0,
        scip: decodeNote(await reader?.note(COMPILER_NOTE)),
        start: decodeStart(await reader?.note(START_NOTE)),
      }),
    );
    return reader === undefined ? status : await withDetail(input, status, reader);
  } catch (thrown) {
    const health = { isBeingWritten: false, damage: undefined };
    const status = statusOf(input, health, { summary: undefined, at: 0 });
    return { ...status, state: "degraded", problem: toSvcError(thrown).detail };
  }
}

function withDamage({ damage }: IndexHealth, status: NamespaceStatus): NamespaceStatus {
  if (damage === undefined) return status;
  const problem = `${damage} It is being rebuilt from the files.`;
  return { ...status, state: "degraded", problem };
}

async function withDetail(
  { detail }: StatusInput,
  status: NamespaceStatus,
  reader: IndexReader,
): Promise<NamespaceStatus> {
  if (detail === "skipped") {
    const skipped = { skipped_files: await reader.skippedFiles(MAX_LISTED_SKIPPED) };
    if (status.problems === undefined) return { ...status, ...skipped };
    return { ...status, ...skipped, problem_files: await reader.problemFiles(MAX_LISTED_SKIPPED) };
  }
  if (detail !== "health") return status;
  const damaged = await reader.verify();
  if (damaged.length === 0) return { ...status, integrity: "ok" };
  return {
    ...status,
    state: "degraded",
    integrity: "damaged",
    problem: `Damaged: ${damaged.join(", ")}. Run \`svc index --rebuild\`.`,
  };
}

function statusOf(
  input: StatusInput,
  health: IndexHealth,
  { summary = EMPTY_STATUS, at: generation, scip, start }: StatusSummary,
): NamespaceStatus {
  const { namespace, sources, progress, lastRun } = input;
  const { files, chunks, symbols, bytes, stages, skipped, problems, indexedAt } = summary;
  return {
    name: namespace,
    state: stateOf(generation, { ...input, ...health }, stages),
    generation,
    sources: sources.map((source) => sourceStatus(source, input)),
    files,
    chunks,
    symbols,
    bytes,
    stages: stagesOf(stages, progress),
    skipped,
    ...(Object.keys(problems).length === 0 ? {} : { problems }),
    ...(scip === undefined ? {} : { scip: scipStatus(scip) }),
    ...(start === undefined || !input.canAccess(start.base)
      ? {}
      : { started_from: { namespace: start.base, same: start.same, files: start.files } }),
    ...dependenciesOf(input),
    indexed_at: indexedAt,
    freshness: input.freshness,
    looked_at: lastRun?.endedAt ?? null,
    last_run: lastRun === undefined ? null : runStatus(lastRun),
  };
}

function dependenciesOf({
  dependencies,
  canAccess,
}: StatusInput): Pick<NamespaceStatus, "dependencies"> {
  const names = dependencies.filter(canAccess);
  return names.length === 0 ? {} : { dependencies: names };
}

function scipStatus({ tools, files, stale }: CompilerNote): NonNullable<NamespaceStatus["scip"]> {
  return { tools, files, current: files - stale.length };
}

function runStatus({
  startedBy,
  process,
  problem,
  warnings,
}: LastRun): NamespaceStatus["last_run"] {
  return { by: startedBy, process, ...(problem === undefined ? {} : { problem }), warnings };
}

function sourceStatus(
  source: ConfiguredSource,
  { hasSharedTexts }: Pick<StatusInput, "hasSharedTexts">,
): NamespaceStatus["sources"][number] {
  const { root, prefix, include, exclude, url } = source;
  const settings = Object.keys(source.project?.filter ?? {});
  const globs = {
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(settings.length === 0 ? {} : { settings }),
  };
  if (url === undefined) {
    const repositories = remoteNames(source);
    return {
      root,
      prefix,
      ...rootStatus(source),
      ...(repositories.length === 0 ? {} : { repositories }),
      ...globs,
    };
  }
  const status = hasSharedTexts ? sharedCloneStatus(source, url) : cloneStatus(source, url);
  return { root, prefix, ...status, ...globs };
}

/** A source that does not exist needs no `problem`: its path is enough. */
function rootStatus(
  source: Source,
): Pick<NamespaceStatus["sources"][number], "available" | "problem"> {
  try {
    requireRoot(source);
    const problem = repositoryProblem(source);
    if (problem === undefined) return { available: true };
    return { available: true, problem: `${problem.detail} ${problem.hint}` };
  } catch (thrown) {
    if (thrown instanceof RootChanged) return { available: false, problem: thrown.detail };
    return { available: false };
  }
}

type CloneStatus = Omit<NamespaceStatus["sources"][number], "root" | "prefix">;

function cloneStatus(source: Source, url: string): CloneStatus {
  const commit = checkedOutCommit(source.root);
  const available = commit !== undefined && !isCloneUnfinished(cloneAt(source.root));
  return repositoryStatus(source, { url, commit, available });
}

/** The machine that answers may have no clone, or an older one. */
function sharedCloneStatus(source: Source, url: string): CloneStatus {
  const { fetchedCommit: commit, fetchedAt } = source;
  return repositoryStatus(source, { url, commit, available: fetchedAt !== undefined });
}

function repositoryStatus(
  { ref, fetchedAt }: Source,
  {
    url,
    commit,
    available,
  }: {
    readonly url: string;
    readonly commit: string | undefined;
    readonly available: boolean;
  },
): CloneStatus {
  return {
    available,
    url,
    ...(ref === undefined ? {} : { ref }),
    ...(commit === undefined ? {} : { commit }),
    ...(fetchedAt === undefined ? {} : { fetched_at: fetchedAt }),
    ...(available
      ? {}
      : {
          problem:
            "It is being fetched, or the fetch was interrupted; run `svc index` with its URL.",
        }),
  };
}

function stateOf(
  generation: number,
  { progress, isBeingWritten }: Pick<StatusInput, "progress"> & IndexHealth,
  { listed, words }: IndexSummary["stages"],
): NamespaceStatus["state"] {
  // A scan that has found no change yet does not change the state.
  if (progress !== undefined && (generation === 0 || progress.stage !== "list")) return "indexing";
  const isUnfinished = generation === 0 || listed + words > 0;
  if (isUnfinished && isBeingWritten) return "indexing";
  return generation === 0 ? "empty" : "ready";
}

/** Published files of each stage, and the files read so far by the current stage. */
function stagesOf(
  { listed, words, complete }: IndexSummary["stages"],
  progress: IndexProgress | undefined,
): NamespaceStatus["stages"] {
  const total = listed + words + complete;
  const done = { list: total, words: words + complete, syntax: complete };
  const stage = progress?.stage;
  if (progress !== undefined && (stage === "words" || stage === "syntax")) {
    done[stage] = Math.max(done[stage], total - (progress.total - progress.done));
  }
  const published = (["list", "words", "syntax"] as const).map((name) => ({
    name,
    done: done[name],
    total,
  }));
  if (progress !== undefined && stage === "documents") {
    return [...published, { name: stage, done: progress.done, total: progress.total }];
  }
  // Fetching and checking out a repository come before indexing.
  if (progress === undefined || (stage !== "fetch" && stage !== "checkout")) return published;
  return [{ name: stage, done: progress.done, total: progress.total }, ...published];
}
