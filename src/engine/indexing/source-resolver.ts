// Resolves a request to index to a source and its namespace: existing ones, or new ones.

import { resolve } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { quoted } from "../../base/quoted.ts";
import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexBackend } from "../../index/port.ts";
import type { Principal } from "../../sources/principal.ts";
import { cloneAt, ensureClone, isCloneUnfinished } from "../../sources/clones.ts";
import {
  isForbiddenRoot,
  isInside,
  requireBelow,
  requireFolder,
  siblingHint,
  tooWide,
} from "../../sources/confined-path.ts";
import { localRepository, repositoryFolder, type RepositoryUrl } from "../../sources/git-url.ts";
import { requireOwnRepository } from "../../sources/local-repository.ts";
import {
  namespaceNotFound,
  noNamespaceNamed,
  requireNamespaceName,
} from "../../sources/namespace.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { Registry } from "../../sources/registry/registry.ts";
import type { RegistryState } from "../../sources/registry/registry-state.ts";
import {
  requireNoLink,
  requireRoot,
  rootIdentity,
  rootProblem,
} from "../../sources/source-root.ts";
import type { EngineOptions } from "../engine-options.ts";
import type { EngineRequest } from "../api/request.ts";
import type { IndexRequest } from "../api/index-source.ts";
import { globAlternatives, requireGlobs } from "../files/require-glob.ts";
import { finishPendingDeletions } from "../pending-deletions.ts";
import type { Namespaces } from "../namespaces.ts";
import { allowOutsideGit } from "./allow-outside-git.ts";
import { enclosingSource, enclosedSources } from "./overlapping-sources.ts";
import { suggestedNamespace } from "./project-settings.ts";
import { requireFetchAllowed, parseRequestedSource } from "./requested-source.ts";

/** The source of a request to index, and the repository that it is fetched from. */
export interface ResolvedSource {
  readonly namespace: AuthorizedNamespace;
  readonly source: Source;
  readonly repository?: RepositoryUrl | undefined;
  /** Removes what the request added, after a failure. */
  readonly undo?: (() => Promise<void>) | undefined;
}

type ResolverOptions = Pick<
  EngineOptions,
  "dataDirectory" | "home" | "namespace" | "indexOnlyBelow" | "allowRoots" | "fetchRepository"
>;

export class SourceResolver {
  readonly #options: ResolverOptions;
  readonly #namespaces: Namespaces;
  readonly #index: IndexBackend;

  constructor(options: ResolverOptions, namespaces: Namespaces, index: IndexBackend) {
    this.#options = options;
    this.#namespaces = namespaces;
    this.#index = index;
  }

  /** The source of the request, existing or added to its namespace. */
  async resolve(given: IndexRequest): Promise<ResolvedSource> {
    const { source, ref } = given;
    const state = await this.#namespaces.state();
    this.#requireVisibleNamespace(state, given);
    requireGlobs(given);
    const { include, exclude } = given;
    const request = {
      ...given,
      include: include?.flatMap(globAlternatives),
      exclude: exclude?.flatMap(globAlternatives),
    };
    if (source === undefined) return this.#resolveFolder(request, this.#namespaces.workspace());
    const requested = parseRequestedSource(source, ref, (path) =>
      this.#folderOf(state, request, path),
    );
    if (requested.repository === undefined) return this.#resolveFolder(request, requested.root);
    const repository = this.#allowedRepository(state, request, requested.repository);
    return this.#resolveRepository(request, repository);
  }

  /** Throws NAMESPACE_NOT_FOUND, before any error can reveal something about a folder. */
  #requireVisibleNamespace(
    state: RegistryState,
    { namespace, fallbackNamespace, principal }: IndexRequest,
  ): void {
    const named = namespace ?? principal.onlyNamespace;
    if (principal.isUnrestricted || named === undefined) return;
    const mayBeMade = namespace !== undefined || fallbackNamespace === "workspace";
    const isThere = state.has(named);
    if (!principal.canAccess(named) || !(isThere || mayBeMade)) throw namespaceNotFound(named);
  }

  #folderOf(state: RegistryState, request: IndexRequest, path: string): string {
    const { principal } = request;
    const { indexOnlyBelow } = this.#options;
    const sources = sourcesIn(state, (name) => principal.canAccess(name));
    for (const source of sources) {
      if (isInside(source.root, resolve(path))) requireNoLink(source);
    }
    const isOwners = indexOnlyBelow === undefined && principal.isUnrestricted;
    if (isOwners && !this.#isSession) return requireFolder(path, siblingHint);
    const known = sources.filter((source) => rootProblem(source) === undefined);
    const roots = known.map(({ root }) => root);
    if (isOwners) {
      const session = this.#sessionFolders().filter((root) => rootIdentity(root) !== undefined);
      const refusal = sourceNotAllowed(resolve(path), this.#namespaceForHint(state, request));
      return requireBelow([...session, ...roots], path, refusal);
    }
    // A restricted caller gets only the sources of its namespaces, so that it cannot read folders of others.
    const others = principal.isUnrestricted
      ? (indexOnlyBelow ?? [])
      : this.#servedFolders(state, principal);
    // A link in place of such a folder would give access to its target.
    const real = others.filter((root) => rootIdentity(root) !== undefined);
    return requireBelow([...roots, ...real], path);
  }

  /** The folder of a stdio session, unless it has files of a namespace that the caller cannot access. */
  #servedFolders(state: RegistryState, principal: Principal): readonly string[] {
    if (this.#options.indexOnlyBelow !== undefined) return [];
    const hidden = sourcesIn(state, (name) => !principal.canAccess(name));
    return this.#sessionFolders().filter(
      (folder) => !hidden.some(({ root }) => isInside(folder, root) || isInside(root, folder)),
    );
  }

  /** Whether requests come from a client over standard input, and not from the shell. */
  get #isSession(): boolean {
    return this.#options.allowRoots !== undefined;
  }

  /** The folder that a session over standard input serves, and those that its owner allowed at the start. */
  #sessionFolders(): readonly string[] {
    const { allowRoots = [] } = this.#options;
    try {
      return [this.#namespaces.workspace(), ...allowRoots];
    } catch (thrown) {
      if (thrown instanceof SvcError) return allowRoots;
      throw thrown;
    }
  }

  /** A repository of this machine is as good as its folder: to clone it is to read it. */
  #allowedRepository(
    state: RegistryState,
    request: IndexRequest,
    repository: RepositoryUrl,
  ): RepositoryUrl {
    const path = this.#isSession ? repositoryFolder(repository) : undefined;
    if (path === undefined) return repository;
    const folder = this.#folderOf(state, request, path);
    requireOwnRepository(folder);
    return localRepository(folder, repository.ref);
  }

  /** The namespace that a refused source would have come into; undefined where it would be a new one. */
  #namespaceForHint(state: RegistryState, request: IndexRequest): string | undefined {
    const requested = this.#requestedNamespace(request);
    if (requested !== undefined) return requested;
    const [served] = this.#sessionFolders();
    return served === undefined ? undefined : state.namespaceOf(served);
  }

  async #resolveFolder(request: IndexRequest, root: string): Promise<ResolvedSource> {
    if (isForbiddenRoot(root, this.#options.home)) {
      throw new SvcError("NO_WORKSPACE", `${tooWide(root)}.`, {
        hint: "Name a project folder below it.",
      });
    }
    const registry = await this.#namespaces.registry();
    const state = await this.#namespaces.state();
    const { include, exclude } = request;
    const around =
      request.source === undefined ? undefined : await this.#enclosingSource(state, request, root);
    const namespace = await this.#namespaceForSource(request, root, around?.namespace);
    // Another, explicitly named namespace has its own sources.
    if (around !== undefined && around.namespace === namespace) {
      if (include === undefined && exclude === undefined) {
        return {
          namespace: await this.#namespaces.authorize(request, namespace),
          source: around,
        };
      }
      throw new SvcError("INVALID_PARAMS", `${root} is part of the source ${around.root}.`, {
        hint: "Set include and exclude for that source.",
      });
    }
    const inner = await enclosedSources((await this.#namespaces.state()).sources(namespace), {
      root,
      exclude: exclude ?? [],
    });
    await registry.replaceNestedSources(namespace, root, inner);
    const added = await registry.addSource(namespace, { root, include, exclude });
    const confirmed = await confirmedSource(registry, request, added);
    const source = this.#isOwners(request) ? await allowOutsideGit(registry, confirmed) : confirmed;
    return { namespace: await this.#namespaces.authorize(request, namespace), source };
  }

  /** Whether the owner of this machine named the folder: in the shell, over stdio, or as the workspace. */
  #isOwners({ source, principal }: IndexRequest): boolean {
    return (
      source === undefined ||
      (principal.isUnrestricted && this.#options.indexOnlyBelow === undefined)
    );
  }

  /** A source that already includes a folder, in the requested namespace, or else in any accessible one. */
  async #enclosingSource(
    state: RegistryState,
    request: IndexRequest,
    root: string,
  ): Promise<Source | undefined> {
    const { principal } = request;
    const wanted = this.#requestedNamespace(request);
    if (wanted === undefined && namespaceHolding(state, request, root) !== undefined)
      return undefined;
    const sources = sourcesIn(
      state,
      (name) => principal.canAccess(name) && (wanted === undefined || name === wanted),
    );
    return sources.some((source) => source.root === root)
      ? undefined
      : enclosingSource(sources, root);
  }

  async #resolveRepository(
    request: IndexRequest,
    repository: RepositoryUrl,
  ): Promise<ResolvedSource> {
    const { dataDirectory, fetchRepository, indexOnlyBelow } = this.#options;
    // A process that is restricted to some folders fetches only repositories that its owner has added.
    const canFetch = fetchRepository !== undefined && indexOnlyBelow === undefined;
    requireFetchAllowed(request, { canFetch });
    const registry = await this.#namespaces.registry();
    const { include, exclude } = request;
    const { root } = ensureClone(dataDirectory, repository);
    const before = await this.#namespaces.state();
    const namespace = await this.#namespaceForSource(request, root);
    const isKnown = before.sources(namespace).some((source) => source.root === root);
    const source = await registry.addSource(namespace, { ...repository, root, include, exclude });
    const undo = async (): Promise<void> => {
      if (isKnown || !isCloneUnfinished(cloneAt(root))) return;
      await registry.removeSource(source);
      if (!before.has(namespace)) await registry.removeNamespace(namespace);
      await finishPendingDeletions(registry, { dataDirectory, index: this.#index });
    };
    return {
      namespace: await this.#namespaces.authorize(request, namespace),
      source,
      repository,
      undo,
    };
  }

  /** The namespace for a source, created if needed. `around`: namespace of an enclosing source. */
  async #namespaceForSource(request: IndexRequest, root: string, around?: string): Promise<string> {
    const state = await this.#namespaces.state();
    const wanted = this.#requestedNamespace(request);
    if (wanted !== undefined) requireNamespaceName(wanted);
    const { principal } = request;
    const own = principal.onlyNamespace;
    const known =
      wanted ??
      namespaceHolding(state, request, root) ??
      around ??
      (own !== undefined && state.has(own) ? own : await this.#fallbackNamespace(request));
    // A restricted caller must not create a namespace.
    if (!principal.isUnrestricted && (known === undefined || !principal.canAccess(known))) {
      // The error must not reveal the session's namespace to this caller.
      throw wanted === undefined ? noNamespaceNamed() : namespaceNotFound(wanted);
    }
    const registry = await this.#namespaces.registry();
    return known ?? registry.ensureWorkspace(root, suggestedNamespace);
  }

  /** The namespace named in the request, or in the options for callers without an only namespace. */
  #requestedNamespace({ namespace, principal }: IndexRequest): string | undefined {
    if (namespace !== undefined || principal.onlyNamespace !== undefined) return namespace;
    return this.#options.namespace;
  }

  async #fallbackNamespace({
    fallbackNamespace,
    principal,
  }: IndexRequest): Promise<string | undefined> {
    if (fallbackNamespace !== "workspace") return undefined;
    try {
      return principal.onlyNamespace ?? (await this.#namespaces.default());
    } catch (thrown) {
      // A session without a workspace can still index a named folder.
      if (thrown instanceof SvcError && thrown.code === "NO_WORKSPACE") return undefined;
      throw thrown;
    }
  }
}

/** Confirms the root when the owner named it in a shell; for other callers, the root must be unchanged. */
async function confirmedSource(
  registry: Registry,
  { source: named, confirmsRoot = false }: IndexRequest,
  source: Source,
): Promise<Source> {
  const mayConfirm = named === undefined || confirmsRoot;
  if (!mayConfirm || registry.obstacle !== undefined) {
    requireRoot(source);
    return source;
  }
  const isKnown = source.identity !== undefined && rootProblem(source) === undefined;
  return isKnown ? source : registry.confirmRoot(source);
}

function sourcesIn(
  state: RegistryState,
  isWanted: (namespace: string) => boolean,
): readonly Source[] {
  return state
    .namespaces()
    .filter(isWanted)
    .flatMap((name) => state.sources(name));
}

/** The accessible namespace that has the folder as a source. */
function namespaceHolding(
  state: RegistryState,
  { principal }: EngineRequest,
  root: string,
): string | undefined {
  return state.namespaceOf(root, (name) => principal.canAccess(name));
}

/**
 * Returns the error for a folder that the session may not index; the same whether or not the folder exists. `folder`: an
 * absolute path. `namespace`: the namespace that it would have been added to.
 */
function sourceNotAllowed(folder: string, namespace: string | undefined): SvcError {
  const place = namespace === undefined ? "" : ` --namespace ${namespace}`;
  return new SvcError(
    "SOURCE_NOT_ALLOWED",
    `${folder} is outside the workspace and the indexed folders, so only the user can add it.`,
    {
      hint: `If the user wants it, they run \`svc index ${quoted(folder)}${place}\` in a terminal, or add \`--allow-root DIR\` to \`svc mcp --stdio\` in the configuration of this client.`,
    },
  );
}
