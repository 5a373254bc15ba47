// The flags of `svc index` that name an index to start from.

import { resolve } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import type { IndexRequest } from "../engine/api/index-source.ts";

interface RemoteFlags {
  readonly fromRemote: string | undefined;
  readonly remoteNamespace: string | undefined;
}

/** Throws USAGE for a server with a task that takes nothing from there. */
export function requireOfferUsed({
  fromRemote,
  remoteNamespace,
  ...tasks
}: RemoteFlags & {
  readonly remove: boolean;
  readonly verify: boolean;
  readonly rebuild: boolean;
}): void {
  if (fromRemote === undefined) {
    if (remoteNamespace === undefined) return;
    throw new SvcError("USAGE", "--remote-namespace needs --from-remote.");
  }
  const task = (["remove", "verify", "rebuild"] as const).find((one) => tasks[one]);
  if (task !== undefined)
    throw new SvcError("USAGE", `--from-remote cannot be used with --${task}.`);
}

/** Opens the index that a server has of a folder; undefined without --from-remote. Throws what `openIndexOffer` throws. */
export async function openOffer(
  { fromRemote: server, remoteNamespace: namespace, path = "." }: OfferFlags,
  app: App,
  signal: AbortSignal,
): Promise<IndexRequest["offer"]> {
  if (server === undefined) return undefined;
  return app.openIndexOffer({
    server,
    root: resolve(app.workingDirectory, path),
    namespace,
    signal,
  });
}

interface OfferFlags extends RemoteFlags {
  /** The folder to index; the working directory by default. */
  readonly path: string | undefined;
}
