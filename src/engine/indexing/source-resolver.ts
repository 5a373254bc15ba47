// Resolves a request to index to a source and its namespace: existing ones, or new ones.

import { resolve } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { quoted } from "../../base/quoted.ts";
import type { Principal, AuthorizedNamespace } from "../../sources/principal.ts";
import { cloneAt, ensureClone, isCloneUnfinished } from "../../sources/clones.ts";
import {
  isForbiddenRoot,
  isInside,
  requireBelow,
  requireFolder,
  siblingHint,
} from "../../sources/confined-path.ts";
import { localRepository, repositoryFolder, type RepositoryUrl } from "../../sources/git-url.ts";
import { requireOwnRepository } from "../../sources/local-repository.ts";
import {
  namespaceNotFound,
  noNamespaceNamed,
  requireNamespaceName,
} from "../../sources/namespace.ts";
import type { Registry, Source } from "../../sources/registry.ts";
import {
  requireNoLink,
  requireRoot,
  rootIdentity,
  rootProblem,
} from "../../sources/source-root.ts";
import type { EngineOptions } from "../engine-options.ts";
import type { EngineRequest } from "../engine-request.ts";
import type { IndexRequest } from "../engine.ts";
import { requireGlobs } from "../files/require-glob.ts";
import { finishPendingDeletions } from "../pending-deletions.ts";
import { allowOutsideGit } from "./allow-outside-git.ts";
import { enclosingSource, enclosedSources } from "./overlapping-sources.ts";
import { requireFetchAllowed, parseRequestedSource } from "./requested-source.ts";

/** The source of a request to index, and the repository that it is fetched from. */
export interface ResolvedSource {
  readonly namespace: AuthorizedNamespace;
  readonly source: Source;
  readonly repository?: RepositoryUrl | undefined;
  /** Removes what the request added, after a failure. */
  readonly undo?: (() => void) | undefined;
}

/** Functions of the engine that it uses. */
interface SourceResolverDependencies {
  readonly options: EngineOptions;
  readonly registry: () => Registry;
  readonly workspace: () => string;
  /** Throws NO_WORKSPACE when there is none. */
  readonly defaultNamespace: () => string;
  readonly authorize: (request: EngineRequest, namespace: string) => AuthorizedNamespace;
}

export class SourceResolver {
  readonly #dependencies: SourceResolverDependencies;

  constructor(dependencies: SourceResolverDependencies) {
    this.#dependencies = dependencies;
  }

  /** The source of the request, existing or added to its namespace. */
  resolve(request: IndexRequest): ResolvedSource {
    const { source, ref } = request;
    this.#requireVisibleNamespace(request);
    requireGlobs(request);
    if (source === undefined) return this.#resolveFolder(request, this.#dependencies.workspace());
    const requested = parseRequestedSource(source, ref, (path) => this.#folderOf(request, path));
    if (requested.repository === undefined) return this.#resolveFolder(request, requested.root);
    return this.#resolveRepository(request, this.#allowedRepository(request, requested.repository));
  }

  /** Throws NAMESPACE_NOT_FOUND, before any error can reveal something about a folder. */
  #requireVisibleNamespace({ namespace, fallbackNamespace, principal }: IndexRequest): void {
    const named = namespace ?? principal.onlyNamespace;
    if (principal.isUnrestricted || named === undefined) return;
    const mayBeMade = namespace !== undefined || fallbackNamespace === "workspace";
    const isThere = this.#dependencies.registry().has(named);
    if (!principal.canAccess(named) || !(isThere || mayBeMade)) throw namespaceNotFound(named);
  }

  #folderOf(request: IndexRequest, path: string): string {
    const { principal } = request;
    const { indexOnlyBelow } = this.#dependencies.options;
    const sources = this.#sources((name) => principal.canAccess(name));
    for (const source of sources) {
      if (isInside(source.root, resolve(path))) requireNoLink(source);
    }
    const isOwners = indexOnlyBelow === undefined && principal.isUnrestricted;
    if (isOwners && !this.#isSession) return requireFolder(path, siblingHint);
    const known = sources.filter((source) => rootProblem(source) === undefined);
    const roots = known.map(({ root }) => root);
    if (isOwners) {
      const session = this.#sessionFolders().filter((root) => rootIdentity(root) !== undefined);
      const refusal = sourceNotAllowed(resolve(path), this.#namespaceForHint(request));
      return requireBelow([...session, ...roots], path, refusal);
    }
    // A restricted caller gets only the sources of its namespaces, so that it cannot read folders of others.
    const others = principal.isUnrestricted
      ? (indexOnlyBelow ?? [])
      : this.#servedFolders(principal);
    // A link in place of such a folder would give access to its target.
    const real = others.filter((root) => rootIdentity(root) !== undefined);
    return requireBelow([...roots, ...real], path);
  }

  #sources(isWanted: (namespace: string) => boolean): readonly Source[] {
    const registry = this.#dependencies.registry();
    return registry
      .namespaces()
      .filter((name) => isWanted(name))
      .flatMap((name) => registry.sources(name));
  }

  /** The folder of a stdio session, unless it has files of a namespace that the caller cannot access. */
  #servedFolders(principal: Principal): readonly string[] {
    if (this.#dependencies.options.indexOnlyBelow !== undefined) return [];
    const hidden = this.#sources((name) => !principal.canAccess(name));
    return this.#sessionFolders().filter(
      (folder) => !hidden.some(({ root }) => isInside(folder, root) || isInside(root, folder)),
    );
  }

  /** Whether requests come from a client over standard input, and not from the shell. */
  get #isSession(): boolean {
    return this.#dependencies.options.allowRoots !== undefined;
  }

  /** The folder that a session over standard input serves, and those that its owner allowed at the start. */
  #sessionFolders(): readonly string[] {
    const { allowRoots = [] } = this.#dependencies.options;
    try {
      return [this.#dependencies.workspace(), ...allowRoots];
    } catch (thrown) {
      if (thrown instanceof SvcError) return allowRoots;
      throw thrown;
    }
  }

  /** A repository of this machine is as good as its folder: to clone it is to read it. */
  #allowedRepository(request: IndexRequest, repository: RepositoryUrl): RepositoryUrl {
    const path = this.#isSession ? repositoryFolder(repository) : undefined;
    if (path === undefined) return repository;
    const folder = this.#folderOf(request, path);
    requireOwnRepository(folder);
    return localRepository(folder, repository.ref);
  }

  /** The namespace that a refused source would have come into; undefined where it would be a new one. */
  #namespaceForHint(request: IndexRequest): string | undefined {
    const requested = this.#requestedNamespace(request);
    if (requested !== undefined) return requested;
    const [served] = this.#sessionFolders();
    return served === undefined ? undefined : this.#dependencies.registry().namespaceOf(served);
  }

  #resolveFolder(request: IndexRequest, root: string): ResolvedSource {
    if (isForbiddenRoot(root, this.#dependencies.options.home)) {
      throw new SvcError("NO_WORKSPACE", `${root} is too wide to be indexed.`, {
        hint: "Name a project folder below it.",
      });
    }
    const registry = this.#dependencies.registry();
    const { include, exclude } = request;
    const around = request.source === undefined ? undefined : this.#enclosingSource(request, root);
    const namespace = this.#namespaceForSource(request, root, around?.namespace);
    // Another, explicitly named namespace has its own sources.
    if (around !== undefined && around.namespace === namespace) {
      if (include === undefined && exclude === undefined) {
        return { namespace: this.#dependencies.authorize(request, namespace), source: around };
      }
      throw new SvcError("INVALID_PARAMS", `${root} is part of the source ${around.root}.`, {
        hint: "Set include and exclude for that source.",
      });
    }
    const inner = enclosedSources(this.#dependencies.registry().sources(namespace), {
      root,
      exclude: exclude ?? [],
    });
    registry.replaceNestedSources(namespace, root, inner);
    const confirmed = this.#confirmed(
      request,
      registry.addSource(namespace, { root, include, exclude }),
    );
    const source = this.#isOwners(request) ? allowOutsideGit(registry, confirmed) : confirmed;
    return { namespace: this.#dependencies.authorize(request, namespace), source };
  }

  /** Whether the owner of this machine named the folder: in the shell, over stdio, or as the workspace. */
  #isOwners({ source, principal }: IndexRequest): boolean {
    return (
      source === undefined ||
      (principal.isUnrestricted && this.#dependencies.options.indexOnlyBelow === undefined)
    );
  }

  /** Confirms the root when the owner named it in a shell; for other callers, the root must be unchanged. */
  #confirmed({ source: named, confirmsRoot = false }: IndexRequest, source: Source): Source {
    const registry = this.#dependencies.registry();
    const mayConfirm = named === undefined || confirmsRoot;
    if (!mayConfirm || registry.obstacle !== undefined) {
      requireRoot(source);
      return source;
    }
    const isKnown = source.identity !== undefined && rootProblem(source) === undefined;
    return isKnown ? source : registry.confirmRoot(source);
  }

  /** A source that already includes a folder, in the requested namespace, or else in any accessible one. */
  #enclosingSource(request: IndexRequest, root: string): Source | undefined {
    const registry = this.#dependencies.registry();
    const { principal } = request;
    const wanted = this.#requestedNamespace(request);
    if (wanted === undefined && this.#namespaceHolding(request, root) !== undefined)
      return undefined;
    const names = wanted === undefined ? registry.namespaces() : [wanted];
    const sources = names
      .filter((name) => principal.canAccess(name))
      .flatMap((name) => registry.sources(name));
    return sources.some((source) => source.root === root)
      ? undefined
      : enclosingSource(sources, root);
  }

  #resolveRepository(request: IndexRequest, repository: RepositoryUrl): ResolvedSource {
    const { dataDirectory, fetchRepository } = this.#dependencies.options;
    requireFetchAllowed(request, { canFetch: fetchRepository !== undefined });
    const registry = this.#dependencies.registry();
    const { include, exclude } = request;
    const { root } = ensureClone(dataDirectory, repository);
    const before = new Map(registry.namespaces().map((name) => [name, registry.sources(name)]));
    const namespace = this.#namespaceForSource(request, root);
    const isKnown = before.get(namespace)?.some((source) => source.root === root) ?? false;
    const source = registry.addSource(namespace, { ...repository, root, include, exclude });
    const undo = (): void => {
      if (isKnown || !isCloneUnfinished(cloneAt(root))) return;
      registry.removeSource(source);
      if (!before.has(namespace)) registry.removeNamespace(namespace);
      finishPendingDeletions(registry, dataDirectory);
    };
    return {
      namespace: this.#dependencies.authorize(request, namespace),
      source,
      repository,
      undo,
    };
  }

  /** The namespace for a source, created if needed. `around`: namespace of an enclosing source. */
  #namespaceForSource(request: IndexRequest, root: string, around?: string): string {
    const registry = this.#dependencies.registry();
    const wanted = this.#requestedNamespace(request);
    if (wanted !== undefined) requireNamespaceName(wanted);
    const { principal } = request;
    const own = principal.onlyNamespace;
    const known =
      wanted ??
      this.#namespaceHolding(request, root) ??
      around ??
      (own !== undefined && registry.has(own) ? own : this.#fallbackNamespace(request));
    // A restricted caller must not create a namespace.
    if (!principal.isUnrestricted && (known === undefined || !principal.canAccess(known))) {
      // The error must not reveal the session's namespace to this caller.
      throw wanted === undefined ? noNamespaceNamed() : namespaceNotFound(wanted);
    }
    return known ?? registry.ensureWorkspace(root);
  }

  /** The accessible namespace that has the folder as a source. */
  #namespaceHolding({ principal }: EngineRequest, root: string): string | undefined {
    return this.#dependencies.registry().namespaceOf(root, (name) => principal.canAccess(name));
  }

  /** The namespace named in the request, or in the options for callers without an only namespace. */
  #requestedNamespace({ namespace, principal }: IndexRequest): string | undefined {
    if (namespace !== undefined || principal.onlyNamespace !== undefined) return namespace;
    return this.#dependencies.options.namespace;
  }

  #fallbackNamespace({ fallbackNamespace, principal }: IndexRequest): string | undefined {
    if (fallbackNamespace !== "workspace") return undefined;
    try {
      return principal.onlyNamespace ?? this.#dependencies.defaultNamespace();
    } catch (thrown) {
      // A session without a workspace can still index a named folder.
      if (thrown instanceof SvcError && thrown.code === "NO_WORKSPACE") return undefined;
      throw thrown;
    }
  }
}

/**
 * Returns the error for a folder that the session may not index; the same whether or not the folder exists. `folder`: an
 * absolute path. `namespace`: the namespace that it would have been added to.
 */
function sourceNotAllowed(folder: string, namespace: string | undefined): SvcError {
  const place = namespace === undefined ? "" : ` --namespace ${namespace}`;
  return new SvcError(
    "SOURCE_NOT_ALLOWED",
    `${folder} is outside of the workspace and of the folders that are indexed already, so that only the user can add it.`,
    {
      hint: `If the user wants it, they run \`svc index ${quoted(folder)}${place}\` in a terminal, or add \`--allow-root DIR\` to \`svc mcp --stdio\` in the configuration of this client.`,
    },
  );
}
