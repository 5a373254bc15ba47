// Which source, of which namespace, a request to index means: one that is there, or one that is made for it.

import { SvcError } from "../../base/errors.ts";
import type { Caller, GrantedNamespace } from "../../sources/caller.ts";
import { cloneAt, ensureClone, isCloneUnfinished } from "../../sources/clones.ts";
import {
  isForbiddenRoot,
  isInside,
  requireBelow,
  requireFolder,
  siblingHint,
} from "../../sources/folder.ts";
import type { RepositoryUrl } from "../../sources/git-url.ts";
import {
  namespaceNotFound,
  noNamespaceNamed,
  requireNamespaceName,
} from "../../sources/namespace.ts";
import type { Registry, Source } from "../../sources/registry.ts";
import type { EngineOptions } from "../create-engine.ts";
import type { IndexRequest, Request } from "../engine.ts";
import { requireGlobs } from "../files/require-glob.ts";
import { removeLeftovers } from "../leftovers.ts";
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
    this.#requireSeen(request);
    requireGlobs(request);
    if (source === undefined) return this.#placeFolder(request, this.#host.workspace());
    const wanted = wantedSource(source, ref, (path) => this.#folderOf(request, path));
    if (wanted.repository === undefined) return this.#placeFolder(request, wanted.root);
    return this.#placeRepository(request, wanted.repository);
  }

  /** Before anything is told of a folder. */
  #requireSeen({ namespace, otherwise, caller }: IndexRequest): void {
    const named = namespace ?? caller.onlyNamespace;
    if (caller.seesAll || named === undefined) return;
    const mayBeMade = namespace !== undefined || otherwise === "workspace";
    const isThere = this.#host.registry().has(named);
    if (!caller.maySee(named) || !(isThere || mayBeMade)) throw namespaceNotFound(named);
  }

  #folderOf({ caller }: Request, path: string): string {
    const { indexOnlyBelow } = this.#host.options;
    if (indexOnlyBelow === undefined && caller.seesAll) return requireFolder(path, siblingHint);
    const roots = this.#sources((name) => caller.maySee(name)).map(({ root }) => root);
    // A folder of one namespace must not be read through another: who sees some only has their sources.
    const others = caller.seesAll ? (indexOnlyBelow ?? []) : this.#servedTo(caller);
    return requireBelow([...roots, ...others], path);
  }

  #sources(isWanted: (namespace: string) => boolean): readonly Source[] {
    const registry = this.#host.registry();
    return registry
      .namespaces()
      .filter((name) => isWanted(name))
      .flatMap((name) => registry.sources(name));
  }

  /** The folder that a session over standard input serves, unless it has files of a namespace that is not the caller's. */
  #servedTo(caller: Caller): readonly string[] {
    if (this.#host.options.indexOnlyBelow !== undefined) return [];
    const hidden = this.#sources((name) => !caller.maySee(name));
    try {
      const served = requireFolder(this.#host.workspace());
      const isHidden = hidden.some(({ root }) => isInside(served, root) || isInside(root, served));
      return isHidden ? [] : [served];
    } catch (thrown) {
      if (thrown instanceof SvcError) return [];
      throw thrown;
    }
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
    if (wanted === undefined && this.#holderOf(request, root) !== undefined) return undefined;
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
      this.#holderOf(request, root) ??
      around ??
      (own !== undefined && registry.has(own) ? own : this.#fallback(request));
    // Who may see some namespaces only must not make another.
    if (!caller.seesAll && (known === undefined || !caller.maySee(known))) {
      // The name of the one that the session serves is none of this caller's business.
      throw wanted === undefined ? noNamespaceNamed() : namespaceNotFound(wanted);
    }
    return known ?? registry.ensureWorkspace(root);
  }

  /** The namespace of which a folder is a source; of those that the caller may see. */
  #holderOf({ caller }: Request, root: string): string | undefined {
    return this.#host.registry().namespaceOf(root, (name) => caller.maySee(name));
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
