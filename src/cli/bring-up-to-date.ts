import { SvcError } from "../base/errors.ts";
import type { Engine, IndexAnswer, Request } from "../engine/engine.ts";
import type { CommandContext } from "./command.ts";
import { createProgress } from "./print/progress.ts";

interface Limits {
  /** The folder that was named. */
  readonly path: string | undefined;
  /** The namespace that was named. */
  readonly namespace: string | undefined;
  /** What stands before the folder, when both may have been meant as one. */
  readonly sought?: { readonly command: string; readonly text: string };
}

interface Context extends Pick<CommandContext, "io" | "signal"> {
  readonly app: Pick<CommandContext["app"], "owner">;
}

type Ask<Answer> = (where: Pick<Request, "namespace" | "signal">) => Promise<Answer>;

/**
 * What `ask` finds in an index of now: at a shell an answer always is. A namespace alone is asked as it is. A folder,
 * by default that of the workspace, is asked while its files are looked at, which takes about as long, and again
 * where the look has changed the index.
 */
export async function askUpToDate<Answer extends { readonly namespace: string }>(
  context: Context,
  engine: Engine,
  limits: Limits,
  ask: Ask<Answer>,
): Promise<Answer> {
  const { signal } = context;
  if (isAskedAsItIs(limits)) return ask({ namespace: limits.namespace, signal });
  const tooEarly = new AbortController();
  try {
    const looking = lookAtFiles(context, engine, limits);
    const early = ask({
      namespace: undefined,
      signal: AbortSignal.any([signal, tooEarly.signal]),
    }).catch(() => undefined);
    const { namespace, isUnchanged } = await looking;
    const answer = isUnchanged ? await early : undefined;
    return answer?.namespace === namespace ? answer : await ask({ namespace, signal });
  } finally {
    tooEarly.abort();
  }
}

/** Returns the namespace to ask: a folder is brought up to date first, in the namespace if one is named. */
export async function bringUpToDate(
  context: Context,
  engine: Engine,
  limits: Limits,
): Promise<string> {
  const { namespace } = limits;
  if (namespace !== undefined && isAskedAsItIs(limits)) return namespace;
  return (await lookAtFiles(context, engine, limits)).namespace;
}

function isAskedAsItIs({ path, namespace }: Limits): boolean {
  return path === undefined && namespace !== undefined;
}

async function lookAtFiles(
  { app, io, signal }: Context,
  engine: Engine,
  limits: Limits,
): Promise<IndexAnswer> {
  const progress = createProgress(io, "Indexing");
  try {
    return await engine.index({
      caller: app.owner,
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
function unquoted(thrown: unknown, { path, sought }: Limits): SvcError | undefined {
  const isMissing = thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND";
  if (!isMissing || sought === undefined || path === undefined || /[/\\]/.test(path))
    return undefined;
  const whole = JSON.stringify(`${sought.text} ${path}`);
  return new SvcError("PATH_NOT_FOUND", thrown.message, {
    hint: `Name an existing directory that you may read, or put what you look for in quotes: svc ${sought.command} ${whole}`,
    cause: thrown,
  });
}
