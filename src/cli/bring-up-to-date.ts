import type { Engine } from "../engine/engine.ts";
import type { CommandContext } from "./command.ts";
import { createProgress } from "./print/progress.ts";

interface Limits {
  /** The folder that was named. */
  readonly path: string | undefined;
  /** The namespace that was named. */
  readonly namespace: string | undefined;
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
  } finally {
    progress.end();
  }
}
