// Which namespaces there are, which one a request means, and whether its caller may use it.

import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import type { Backend } from "../backend/backend.ts";
import { SvcError } from "../base/errors.ts";
import { dependencyNamespaces, isDependencyRoot } from "../sources/dependency-folders.ts";
import { noNamespaceNamed, requireNamespaceName } from "../sources/namespace.ts";
import { namespaceListOf } from "../sources/namespace-list.ts";
import type { Source } from "../sources/registry/records.ts";
import type { Registry } from "../sources/registry/registry.ts";
import type { RegistryReadOptions } from "../sources/registry/port.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";
import type { EngineRequest } from "./api/request.ts";
import type { EngineOptions } from "./engine-options.ts";
import { ensureWorkspace } from "./indexing/allow-outside-git.ts";
import { finishPendingDeletions } from "./pending-deletions.ts";

type NamespaceOptions = Pick<
  EngineOptions,
  "dataDirectory" | "logger" | "namespace" | "role" | "workspace" | "showsSecrets"
>;

/** Called for a namespace that was removed; `exists` is true if there is a new one of the same name. */
type RemovalListener = (namespace: string, exists: boolean) => void;

const READ_ONLY = "the data directory can only be read: the index is used, but not updated";

export class Namespaces {
  readonly #options: NamespaceOptions;
  readonly #backend: Pick<Backend, "registry" | "index">;
  readonly #listeners: RemovalListener[] = [];
  /** Each opened registry, with the preparation of its first use. */
  readonly #prepared = new WeakMap<Registry, Promise<void>>();
  /** The state that was last read. */
  #latest: RegistryState | undefined;
  #workspaceNamespace: string | undefined;
  #workspaceFolder: string | undefined;

  constructor(options: NamespaceOptions, backend: Pick<Backend, "registry" | "index">) {
    this.#options = options;
    this.#backend = backend;
  }

  /** Calls `listener` as soon as this process notices that a namespace was removed, by any process. */
  onRemoved(listener: RemovalListener): void {
    this.#listeners.push(listener);
  }

  /** Opens the registry and finishes pending deletions; warns once when it is read-only. Throws INDEX_CORRUPT. */
  async registry(): Promise<Registry> {
    const registry = await this.#backend.registry();
    let prepared = this.#prepared.get(registry);
    if (prepared === undefined) {
      prepared = this.#prepare(registry);
      this.#prepared.set(registry, prepared);
    }
    await prepared;
    return registry;
  }

  async #prepare(registry: Registry): Promise<void> {
    const { dataDirectory, logger } = this.#options;
    const { obstacle } = registry;
    if (obstacle !== undefined) logger.warn(READ_ONLY, { problem: obstacle.detail });
    else await finishPendingDeletions(registry, { dataDirectory, index: this.#backend.index });
  }

  /** Returns the current state of the registry. */
  async state(options?: RegistryReadOptions): Promise<RegistryState> {
    const registry = await this.registry();
    const state = await registry.state(options);
    if (state !== this.#latest) this.#noticeRemovals(state);
    return state;
  }

  #noticeRemovals(state: RegistryState): void {
    const before = this.#latest;
    this.#latest = state;
    for (const { name, createdAt } of before?.records.namespaces ?? []) {
      const now = state.createdAt(name);
      if (now === createdAt) continue;
      for (const listener of this.#listeners) listener(name, now !== undefined);
    }
  }

  /** Why this process cannot write indexes; undefined if it can. */
  async obstacle(): Promise<SvcError | undefined> {
    return this.#options.role === "read" ? onlyReads() : (await this.registry()).obstacle;
  }

  /** The sources of a namespace, as answers show them. */
  async displaySources(namespace: string): Promise<readonly Source[]> {
    const sources = (await this.state()).sources(namespace);
    if (this.#options.showsSecrets !== true) return sources;
    return sources.map((source) => ({ ...source, showsSecrets: true }));
  }

  /** The namespace of the session: the one in the options, or that of the workspace. Throws NO_WORKSPACE. */
  async default(): Promise<string> {
    const { namespace } = this.#options;
    if (namespace !== undefined) return requireNamespaceName(namespace);
    this.#workspaceNamespace ??= await ensureWorkspace(await this.registry(), this.workspace());
    return this.#workspaceNamespace;
  }

  /** The folder of the session. Throws NO_WORKSPACE. */
  workspace(): string {
    // Resolved once: another folder may take its place later.
    this.#workspaceFolder ??= this.#options.workspace?.();
    if (this.#workspaceFolder !== undefined) return this.#workspaceFolder;
    throw new SvcError("NO_WORKSPACE", "There is no workspace.", { hint: "Name a namespace." });
  }

  /** The namespace of the session if there is one; never creates it. */
  async ofWorkspace(): Promise<string | undefined> {
    const { namespace } = this.#options;
    if (namespace !== undefined) return namespace;
    try {
      return (await this.state()).namespaceOf(this.workspace());
    } catch {
      return undefined;
    }
  }

  /** The namespace of a request: the named one, or else the caller's only one, or that of the workspace. */
  async requested(
    request: Pick<EngineRequest, "principal" | "namespace">,
  ): Promise<AuthorizedNamespace> {
    const { principal } = request;
    const requested = request.namespace ?? principal.onlyNamespace;
    if (namespaceListOf(requested) !== undefined) throw notOne();
    if (requested !== undefined) return this.authorize(request, requested);
    const served = await this.default();
    // The error must not reveal the name to this caller.
    if (!principal.canAccess(served)) throw noNamespaceNamed();
    return this.authorize(request, served);
  }

  /** Returns the namespace if it exists and the caller may access it. Throws NAMESPACE_NOT_FOUND. */
  async authorize(
    { principal }: Pick<EngineRequest, "principal">,
    namespace: string,
  ): Promise<AuthorizedNamespace> {
    return authorizeIn(await this.state(), principal, namespace);
  }

  /** Whether the namespace is a package that projects depend on: its files never change. */
  isDependency(sources: readonly Pick<Source, "root">[]): boolean {
    const { dataDirectory } = this.#options;
    return sources.length > 0 && sources.every(({ root }) => isDependencyRoot(dataDirectory, root));
  }

  /** All namespaces that the caller may access, without packages that projects depend on: those must be named. */
  async visible(
    request: Pick<EngineRequest, "principal">,
  ): Promise<readonly AuthorizedNamespace[]> {
    const { principal } = request;
    // One reading of the registry for all: there may be thousands.
    const state = await this.state();
    const packages = dependencyNamespaces(state, this.#options.dataDirectory);
    return state
      .namespaces()
      .filter((name) => principal.canAccess(name) && !packages.has(name))
      .map((name) => authorizeIn(state, principal, name));
  }
}

function authorizeIn(
  state: RegistryState,
  principal: EngineRequest["principal"],
  namespace: string,
): ReturnType<EngineRequest["principal"]["authorize"]> {
  return principal.authorize(
    namespace,
    (name) => state.has(name),
    () => state.namespaces(),
  );
}

function notOne(): SvcError {
  return new SvcError("INVALID_PARAMS", "namespace: this call takes one namespace.", {
    hint: "`search_context`, `search_text`, `find_symbol`, `find_references` and `analyze_impact` take several.",
  });
}

function onlyReads(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "This server answers questions and does not index.", {
    hint: "Run `svc index` on a machine with the files.",
  });
}
