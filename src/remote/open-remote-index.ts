import { SvcError } from "../base/errors.ts";
import { requireNamespaceName } from "../sources/namespace.ts";
import { RemoteClient } from "./remote-client.ts";
import { withFetchRemedy } from "./remote-errors.ts";
import { RemoteFetch, type ReadToken } from "./remote-fetch.ts";
import { RemoteIndex } from "./remote-index.ts";
import { namespaceOf, notOnServer } from "./remote-workspace.ts";
import type { ServerAddress } from "./server-address.ts";

interface OpenOptions {
  readonly address: ServerAddress;
  readonly readToken: ReadToken;
  readonly version: string;
  /** Namespace of the server to use; by default that of the repository. */
  readonly namespace: string | undefined;
  /** Names of the repository (sources/repository-name.ts). */
  readonly repositories: () => readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Finds the index of a repository on a server, and checks that the server gives it out. The caller closes it. Throws USAGE,
 * NAMESPACE_NOT_FOUND, FORBIDDEN, REMOTE_UNAVAILABLE, and UNAUTHENTICATED and the like.
 */
export async function openRemoteIndex(options: OpenOptions): Promise<RemoteIndex> {
  const { address, readToken, signal } = options;
  const namespace = options.namespace ?? (await namespaceOnServer(options));
  requireNamespaceName(namespace);
  const fetch = new RemoteFetch(address, readToken);
  const index = new RemoteIndex({ address, namespace, fetch });
  try {
    await index.check(signal);
    return index;
  } catch (thrown) {
    await index.close();
    const isMissing = thrown instanceof SvcError && thrown.code === "NAMESPACE_NOT_FOUND";
    throw isMissing ? noSuchNamespace(address, namespace, thrown) : thrown;
  }
}

function noSuchNamespace({ name }: ServerAddress, namespace: string, cause: unknown): SvcError {
  return new SvcError(
    "NAMESPACE_NOT_FOUND",
    `The server ${name} has no namespace "${namespace}" for this token.`,
    {
      hint: "Leave out --remote-namespace: svc finds the namespace by the git remotes of the folder.",
      cause,
    },
  );
}

async function namespaceOnServer({
  address,
  repositories,
  signal,
  ...options
}: OpenOptions): Promise<string> {
  const names = repositories();
  const [first] = names;
  if (first === undefined) {
    throw new SvcError("USAGE", "The folder is in no repository with a remote.", {
      hint: "Name the namespace of the server with --remote-namespace.",
    });
  }
  const client = new RemoteClient(address, options, { onNotification: () => {} });
  try {
    const namespaces = await client.namespaces(signal).catch((thrown: unknown) => {
      throw thrown instanceof SvcError ? withFetchRemedy(thrown) : thrown;
    });
    const found = names.flatMap((name) => namespaceOf(name, namespaces) ?? []);
    if (found[0] !== undefined) return found[0];
    throw notOnServer(address.name, first, {
      namespaces,
      others: "with --remote-namespace",
      local: "without --from-remote, svc indexes the files on this machine",
    });
  } finally {
    await client.close();
  }
}
