import { SvcError } from "../base/errors.ts";
import type { Engine, IndexResult, EngineRequest } from "../engine/engine.ts";
import type { CommandContext } from "./command.ts";
import { createProgress } from "./print/progress.ts";

interface QueryScope {
  /** The folder that was named. */
  readonly path: string | undefined;
  /** The namespace that was named. */
  readonly namespace: string | undefined;
  /** What stands before the folder, when both may have been meant as one. */
  readonly positional?: { readonly command: string; readonly text: string };
}

interface Context extends Pick<CommandContext, "io" | "signal"> {
  readonly app: Pick<CommandContext["app"], "owner">;
}

type RunQuery<Result> = (where: Pick<EngineRequest, "namespace" | "signal">) => Promise<Result>;

/**
 * What `runQuery` finds in an index of now: at a shell an answer always is. A namespace alone is asked as it is. A folder,
 * by default that of the workspace, is asked while its files are looked at, which takes about as long, and again
 * where the look has changed the index.
 */
export async function queryUpToDate<Result extends { readonly namespace: string }>(
  context: Context,
  engine: Engine,
  limits: QueryScope,
  runQuery: RunQuery<Result>,
): Promise<Result> {
  const { signal } = context;
  if (skipsUpdate(limits)) return runQuery({ namespace: limits.namespace, signal });
  const tooEarly = new AbortController();
  try {
    const checking = updateIndex(context, engine, limits);
    const early = runQuery({
      namespace: undefined,
      signal: AbortSignal.any([signal, tooEarly.signal]),
    }).catch(() => undefined);
    const { namespace, isUnchanged } = await checking;
    const result = isUnchanged ? await early : undefined;
    return result?.namespace === namespace ? result : await runQuery({ namespace, signal });
  } finally {
    tooEarly.abort();
  }
}

/** Returns the namespace to ask: a folder is brought up to date first, in the namespace if one is named. */
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
      onProgress: ({ stage, done, total }) => progress.update({ done, total, message: stage }),
    });
  } catch (thrown) {
    throw unquoted(thrown, limits) ?? thrown;
  } finally {
    progress.end();
  }
}

/** Of `svc search routing works`, which has a folder that nobody meant. */
function unquoted(thrown: unknown, { path, positional }: QueryScope): SvcError | undefined {
  const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
  if (!isMissing || positional === undefined || path === undefined || /[/\\]/.test(path))
    return undefined;
  const whole = JSON.stringify(`${positional.text} ${path}`);
  return new SvcError("PATH_NOT_FOUND", thrown.message, {
    hint: `Name an existing directory that you may read, or put what you look for in quotes: svc ${positional.command} ${whole}`,
    cause: thrown,
  });
}
