import { SvcError } from "../base/errors.ts";
import type { IndexResult } from "../engine/api/index-source.ts";
import type { EngineRequest, RevisionLimits } from "../engine/api/request.ts";
import { namespaceListOf } from "../sources/namespace-list.ts";
import type { CommandContext } from "./command.ts";
import type { OpenedProject } from "./open-project.ts";
import { createRunProgress } from "./print/progress.ts";

interface Context extends Pick<CommandContext, "io" | "signal"> {
  readonly app: Pick<CommandContext["app"], "owner">;
}

type Project = Pick<
  OpenedProject,
  "engine" | "namespace" | "withDependencies" | "isNamed" | "prepare"
>;

type RunQuery<Result> = (
  where: Pick<EngineRequest, "namespace" | "signal"> & RevisionLimits,
) => Promise<Result>;

/**
 * Runs a query on an up-to-date index, as every command at a shell does. With only a namespace, the query runs without
 * an update. For a folder (by default the workspace), the query runs while the files are checked, which takes about as
 * long, and runs again if the check changed the index. With `at`, the query is about this commit, and runs afterwards: its
 * index starts from that of the files.
 */
export async function queryUpToDate<Result extends { readonly namespace: string }>(
  context: Context,
  project: Project,
  runQuery: RunQuery<Result>,
  at?: string,
): Promise<Result> {
  const { signal } = context;
  const { namespace: named, isNamed } = project;
  if (at !== undefined) {
    const namespace = await ensureUpToDate(context, project);
    const progress = createRunProgress(context.io);
    const where = { namespace, signal, at, onIndexing: progress.update };
    return runQuery(where).finally(progress.end);
  }
  if (project.withDependencies === true)
    return runQuery({ namespace: await ensureUpToDate(context, project), signal });
  if (isNamed) return runQuery({ namespace: named, signal });
  // A query begins to index a new project too.
  await project.prepare();
  const earlyAbort = new AbortController();
  try {
    const checking = updateIndex(context, project);
    const early = runQuery({
      namespace: undefined,
      signal: AbortSignal.any([signal, earlyAbort.signal]),
    }).catch(() => undefined);
    const { namespace, isUnchanged } = await checking;
    const result = isUnchanged ? await early : undefined;
    return result?.namespace === namespace ? result : await runQuery({ namespace, signal });
  } finally {
    earlyAbort.abort();
  }
}

/** The namespaces of a project, or of several, with those of the packages that it depends on. */
async function namespacesOf(
  { app }: Context,
  { engine }: Project,
  namespace: string,
): Promise<string> {
  const packages = await engine.dependencies({ principal: app.owner, namespace });
  if (packages.length === 0) {
    throw new SvcError("INDEX_EMPTY", "No dependencies are indexed.", {
      hint: "Run `svc index --dependencies` in the project first.",
    });
  }
  if (namespaceListOf(namespace) !== "all") return [namespace, ...packages].join(",");
  const projects = await engine.namespaces({ principal: app.owner });
  return [...projects, ...packages].join(",");
}

/**
 * Brings a folder up to date first, in the namespace if one is named. Returns the namespace to query, or several. Throws
 * INDEX_EMPTY if dependencies are wanted and none are indexed.
 */
export async function ensureUpToDate(context: Context, project: Project): Promise<string> {
  const { namespace, isNamed, withDependencies = false } = project;
  let own = namespace;
  if (!isNamed || own === undefined) {
    await project.prepare();
    own = (await updateIndex(context, project)).namespace;
  }
  return withDependencies ? namespacesOf(context, project, own) : own;
}

async function updateIndex(
  { app, io, signal }: Context,
  { engine }: Project,
): Promise<IndexResult> {
  const progress = createRunProgress(io);
  try {
    return await engine.index({
      principal: app.owner,
      signal,
      isOnlyTask: true,
      onProgress: progress.update,
    });
  } finally {
    progress.end();
  }
}
