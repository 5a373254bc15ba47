import { SvcError } from "../base/errors.ts";
import type { Engine } from "../engine/engine.ts";
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

/**
 * Returns the namespace to ask. At a shell an answer is always of now: the scan costs less than a keystroke.
 * A namespace alone is asked as it is; a folder is brought up to date, in it if it is named.
 */
export async function bringUpToDate(
  { app, io, signal }: CommandContext,
  engine: Engine,
  limits: Limits,
): Promise<string> {
  if (limits.path === undefined && limits.namespace !== undefined) return limits.namespace;
  const progress = createProgress(io, "Indexing");
  try {
    const { namespace } = await engine.index({
      caller: app.owner,
      signal,
      onProgress: ({ stage, done, total }) => progress.update({ done, total, message: stage }),
    });
    return namespace;
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
