// The flags of `svc index` and `svc mcp` that name an index to start from.

import { resolve } from "node:path";

import type { App } from "../app.ts";
import { SvcError } from "../base/errors.ts";
import type { IndexRequest } from "../engine/api/index-source.ts";
import { parseServerAddress } from "../remote/server-address.ts";
import type { StringFlag } from "./flag-definition.ts";

export const REMOTE_NAMESPACE_FLAG = {
  type: "string",
  placeholder: "NAME",
  description:
    "With --from-remote, fetch the index of this namespace of the server (default: the one that has the repository of the folder, by its git remotes).",
} as const satisfies StringFlag;

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
  if (offerChoice({ fromRemote, remoteNamespace }) === undefined) return;
  const task = (["remove", "verify", "rebuild"] as const).find((one) => tasks[one]);
  if (task !== undefined)
    throw new SvcError("USAGE", `--from-remote cannot be used with --${task}.`);
}

/**
 * Returns what to fetch; undefined without --from-remote. `answering` is a server that answers instead of this machine. Throws
 * USAGE.
 */
export function offerChoice(
  { fromRemote, remoteNamespace: namespace }: RemoteFlags,
  answering?: string,
): { readonly server: string; readonly namespace: string | undefined } | undefined {
  if (fromRemote === undefined) {
    if (namespace === undefined) return undefined;
    throw new SvcError("USAGE", "--remote-namespace needs --from-remote.");
  }
  if (answering !== undefined) {
    throw new SvcError("USAGE", "--from-remote and --remote cannot be used together.", {
      hint: "With --remote the server answers, with --from-remote this machine. SERVICE_REMOTE and the setting remote count as --remote.",
    });
  }
  return { server: parseServerAddress(fromRemote).name, namespace };
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
