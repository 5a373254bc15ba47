import { SvcError } from "../base/errors.ts";
import type { EngineRequest } from "../engine/api/request.ts";
import type { Engine } from "../engine/api/engine.ts";
import type { IndexResult } from "../engine/api/index-source.ts";
import type { CommandContext } from "./command.ts";
import { createProgress } from "./print/progress.ts";

interface QueryScope {
  /** The PATH argument. */
  readonly path: string | undefined;
  /** The value of `--namespace`. */
  readonly namespace: string | undefined;
  /** The argument before PATH: both may be parts of one unquotedQueryError query. */
  readonly positional?: { readonly command: string; readonly text: string };
}

interface Context extends Pick<CommandContext, "io" | "signal"> {
  readonly app: Pick<CommandContext["app"], "owner">;
}

type RunQuery<Result> = (where: Pick<EngineRequest, "namespace" | "signal">) => Promise<Result>;

/**
 * Runs a query on an up-to-date index, as every command at a shell does. With only a namespace, the query runs without
 * an update. For a folder (by default the workspace), the query runs while the files are checked, which takes about as
 * long, and runs again if the check changed the index.
 */
export async function queryUpToDate<Result extends { readonly namespace: string }>(
  context: Context,
  engine: Engine,
  limits: QueryScope,
  runQuery: RunQuery<Result>,
): Promise<Result> {
  const { signal } = context;
  if (skipsUpdate(limits)) return runQuery({ namespace: limits.namespace, signal });
  const earlyAbort = new AbortController();
  try {
    const checking = updateIndex(context, engine, limits);
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

/** Brings a folder up to date first, in the namespace if one is named. Returns the namespace to query. */
export async function ensureUpToDate(
  context: Context,
  engine: Engine,
  limits: QueryScope,
): Promise<string> {
  const { namespace } = limits;
  if (namespace !== undefined && skipsUpdate(limits)) return namespace;
  return (await updateIndex(context, engine, limits)).namespace;
}

function skipsUpdate({ path, namespace }: QueryScope): boolean {
  return path === undefined && namespace !== undefined;
}

async function updateIndex(
  { app, io, signal }: Context,
  engine: Engine,
  limits: QueryScope,
): Promise<IndexResult> {
  const progress = createProgress(io, "Indexing");
  try {
    return await engine.index({
      principal: app.owner,
      signal,
      isOnlyTask: true,
      onProgress: ({ stage, done, total }) => progress.update({ done, total, message: stage }),
    });
  } catch (thrown) {
    throw unquotedQueryError(thrown, limits) ?? thrown;
  } finally {
    progress.end();
  }
}

/** The error for `svc search routing works`, where the second word of an unquotedQueryError query is read as PATH. */
function unquotedQueryError(
  thrown: unknown,
  { path, positional }: QueryScope,
): SvcError | undefined {
  const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
  if (!isMissing || positional === undefined || path === undefined || /[/\\]/.test(path))
    return undefined;
  const whole = JSON.stringify(`${positional.text} ${path}`);
  return new SvcError("PATH_NOT_FOUND", thrown.message, {
    hint: `Name an existing directory that you may read, or quote the query: svc ${positional.command} ${whole}`,
    cause: thrown,
  });
}
