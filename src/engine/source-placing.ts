// Which source, of which namespace, a request to index means: one that is there, or one that is made for it.

import { basename } from "node:path";

import { SvcError } from "../base/errors.ts";
import type { GrantedNamespace } from "../sources/caller.ts";
import { cloneAt, ensureClone, isCloneUnfinished } from "../sources/clones.ts";
import { isForbiddenRoot, requireBelow, requireFolder } from "../sources/folder.ts";
import type { RepositoryUrl } from "../sources/git-url.ts";
import { namespaceNotFound, requireNamespaceName } from "../sources/namespace.ts";
import type { Registry, Source } from "../sources/registry.ts";
import type { EngineOptions } from "./create-engine.ts";
import type { IndexRequest, Request } from "./engine.ts";
import { removeLeftovers } from "./leftovers.ts";
import { sourceAround, sourcesWithin } from "./overlaps.ts";
import { requireMayFetch, wantedSource } from "./wanted-source.ts";

/** A source that a request to index has named, and the repository it is fetched from. */
export interface Placed {
  readonly namespace: GrantedNamespace;
  readonly source: Source;
  readonly repository?: RepositoryUrl | undefined;
  /** Takes back what the request has added, when nothing came of it. */
  readonly undo?: (() => void) | undefined;
}

/** What it asks of the engine. */
interface PlacingHost {
  readonly options: EngineOptions;
  readonly registry: () => Registry;
  readonly workspace: () => string;
  /** Throws NO_WORKSPACE where there is none. */
  readonly defaultNamespace: () => string;
  readonly grant: (request: Request, namespace: string) => GrantedNamespace;
}

export class SourcePlacing {
  readonly #host: PlacingHost;

  constructor(host: PlacingHost) {
    this.#host = host;
  }

  /** The source that a request names, added to its namespace or found there. */
  place(request: IndexRequest): Placed {
    const { source, ref } = request;
    if (source === undefined) return this.#placeFolder(request, this.#host.workspace());
    const wanted = wantedSource(source, ref, (path) => this.#folderOf(request, path));
    if (wanted.repository === undefined) return this.#placeFolder(request, wanted.root);
    return this.#placeRepository(request, wanted.repository);
  }

  #folderOf({ caller }: Request, path: string): string {
    const { indexOnlyBelow } = this.#host.options;
    if (indexOnlyBelow === undefined) return requireFolder(path);
    const registry = this.#host.registry();
    const visible = registry.namespaces().filter((name) => caller.maySee(name));
    const roots = visible.flatMap((name) => registry.sources(name)).map(({ root }) => root);
    // A folder of one namespace must not be read through another: who sees some only has their sources.
    return requireBelow(caller.seesAll ? [...roots, ...indexOnlyBelow] : roots, path);
  }

  #placeFolder(request: IndexRequest, root: string): Placed {
    if (isForbiddenRoot(root, this.#host.options.home)) {
      throw new SvcError("NO_WORKSPACE", `${root} is too wide to be indexed.`, {
        hint: "Name a project folder below it.",
      });
    }
    const registry = this.#host.registry();
    const { include, exclude } = request;
    const around = request.source === undefined ? undefined : this.#around(request, root);
    const namespace = this.#namespaceForSource(request, root, around?.namespace);
    // An explicit namespace of another name has sources of its own.
    if (around !== undefined && around.namespace === namespace) {
      if (include === undefined && exclude === undefined) {
        return { namespace: this.#host.grant(request, namespace), source: around };
      }
      throw new SvcError("INVALID_PARAMS", `${root} is part of the source ${around.root}.`, {
        hint: "Give include and exclude for that one.",
      });
    }
    const inner = sourcesWithin(this.#host.registry().sources(namespace), {
      root,
      exclude: exclude ?? [],
    });
    registry.absorb(namespace, root, inner);
    const source = registry.addSource(namespace, { root, include, exclude });
    return { namespace: this.#host.grant(request, namespace), source };
  }

  /** A source that has the files of a folder already, in the namespace that is named or else in any. */
  #around(request: IndexRequest, root: string): Source | undefined {
    const registry = this.#host.registry();
    const { caller } = request;
    const wanted = this.#wanted(request);
    if (wanted === undefined && registry.namespaceOf(root) !== undefined) return undefined;
    const names = wanted === undefined ? registry.namespaces() : [wanted];
    const sources = names
      .filter((name) => caller.maySee(name))
      .flatMap((name) => registry.sources(name));
    return sources.some((source) => source.root === root) ? undefined : sourceAround(sources, root);
  }

  #placeRepository(request: IndexRequest, repository: RepositoryUrl): Placed {
    const { dataDirectory, fetchRepository } = this.#host.options;
    requireMayFetch(request, { canFetch: fetchRepository !== undefined });
    const registry = this.#host.registry();
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
      removeLeftovers(registry, dataDirectory);
    };
    return { namespace: this.#host.grant(request, namespace), source, repository, undo };
  }

  /** The namespace that a source is to be in; made when there is none. `around` is that of a source which holds it. */
  #namespaceForSource(request: IndexRequest, root: string, around?: string): string {
    const registry = this.#host.registry();
    const wanted = this.#wanted(request);
    if (wanted !== undefined) requireNamespaceName(wanted);
    const { caller } = request;
    const own = caller.onlyNamespace;
    const known =
      wanted ??
      registry.namespaceOf(root) ??
      around ??
      (own !== undefined && registry.has(own) ? own : this.#fallback(request));
    // Who may see some namespaces only must not make another.
    if (!caller.seesAll && (known === undefined || !caller.maySee(known))) {
      throw namespaceNotFound(known ?? basename(root));
    }
    return known ?? registry.ensureWorkspace(root);
  }

  /** The namespace that is named, in the request or for all callers who are not bound to one. */
  #wanted({ namespace, caller }: IndexRequest): string | undefined {
    if (namespace !== undefined || caller.onlyNamespace !== undefined) return namespace;
    return this.#host.options.namespace;
  }

  #fallback({ otherwise, caller }: IndexRequest): string | undefined {
    if (otherwise !== "workspace") return undefined;
    try {
      return caller.onlyNamespace ?? this.#host.defaultNamespace();
    } catch (thrown) {
      // A session without a workspace can still index a folder that is named.
      if (thrown instanceof SvcError && thrown.code === "NO_WORKSPACE") return undefined;
      throw thrown;
    }
  }
}
