// Which namespace of a server holds the repository that the user works in.

import { SvcError } from "../base/errors.ts";
import { repositoryName } from "../sources/repository-name.ts";
import type { OpenClient, RemoteNamespace } from "./remote-client.ts";

/** The state of the workspace's namespace. */
export type WorkspaceNamespace =
  | { readonly kind: "found"; readonly namespace: string }
  /** The workspace is not a repository with a remote: the server answers from its default. */
  | { readonly kind: "default" }
  /** The server has other repositories only. */
  | { readonly kind: "missing"; readonly error: SvcError };

interface RemoteWorkspaceOptions {
  /** Name of the server, for messages. */
  readonly server: string;
  /** The namespace that the user named. */
  readonly namespace: string | undefined;
  /** Names of the workspace's repository, the most likely one first. Called once. */
  readonly repositories: () => readonly string[];
}

/** The people who run the server may index the repository meanwhile. */
const MISSING_TTL_MS = 10_000;
const MAX_NAMED = 10;

export class RemoteWorkspace {
  readonly #options: RemoteWorkspaceOptions;
  readonly #client: OpenClient;
  #repositories: readonly string[] | undefined;
  #known: { readonly answer: WorkspaceNamespace; readonly until: number } | undefined;

  constructor(options: RemoteWorkspaceOptions, client: OpenClient) {
    this.#options = options;
    this.#client = client;
  }

  /** Asks the server with the first call. Throws its errors. */
  async find(signal: AbortSignal): Promise<WorkspaceNamespace> {
    const { namespace, repositories } = this.#options;
    if (namespace !== undefined) return { kind: "found", namespace };
    this.#repositories ??= repositories();
    if (this.#repositories.length === 0) return { kind: "default" };
    if (this.#known !== undefined && performance.now() < this.#known.until) {
      return this.#known.answer;
    }
    const answer = await this.#lookUp(this.#repositories, signal);
    const until = answer.kind === "found" ? Infinity : performance.now() + MISSING_TTL_MS;
    this.#known = { answer, until };
    return answer;
  }

  /** Called when the server does not have the namespace any more. */
  forget(): void {
    this.#known = undefined;
  }

  async #lookUp(repositories: readonly string[], signal: AbortSignal): Promise<WorkspaceNamespace> {
    const namespaces = await (await this.#client()).namespaces(signal);
    for (const repository of repositories) {
      const namespace = namespaceOf(repository, namespaces);
      if (namespace !== undefined) return { kind: "found", namespace };
    }
    const [wanted = ""] = repositories;
    const error = notOnServer(this.#options.server, wanted, {
      namespaces,
      others: "in the call or with --namespace",
      local: "with --local-first, svc answers from an index of this machine",
    });
    return { kind: "missing", error };
  }
}

/** `others` and `local` complete "Name one of its namespaces …" and "The people who run it can index the repository; …". */
export function notOnServer(
  server: string,
  repository: string,
  {
    namespaces,
    others: place,
    local,
  }: {
    readonly namespaces: readonly RemoteNamespace[];
    readonly others: string;
    readonly local: string;
  },
): SvcError {
  const names = namespaces.map(({ name }) => name);
  const shown = names.slice(0, MAX_NAMED).join(", ");
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const others = names.length === 0 ? "It has none." : `It has: ${shown}${more}.`;
  return new SvcError(
    "NAMESPACE_NOT_FOUND",
    `The server ${server} has no index of ${repository}.`,
    {
      hint: `Name one of its namespaces ${place}. ${others} The people who run it can index the repository; ${local}.`,
    },
  );
}

/** Returns the namespace that has the repository. Of several, the one with the fewest sources: it is the most specific. */
export function namespaceOf(
  repository: string,
  namespaces: readonly RemoteNamespace[],
): string | undefined {
  return namespaces
    .filter(({ sources }) => sources.some((source) => namesOf(source).includes(repository)))
    .toSorted((a, b) => a.sources.length - b.sources.length)[0]?.name;
}

function namesOf({
  url,
  repositories = [],
}: RemoteNamespace["sources"][number]): readonly string[] {
  const name = url === undefined ? undefined : repositoryName(url);
  return name === undefined ? repositories : [name, ...repositories];
}
