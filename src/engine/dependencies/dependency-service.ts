// Indexes of the packages that projects depend on: made and updated when the owner of this machine indexes a project, and
// removed when no project uses them (docs/decisions/0102-dependencies.md).

import type { Backend } from "../../backend/backend.ts";
import { SvcError } from "../../base/errors.ts";
import type { PackageFolders } from "../../config/package-folders.ts";
import { PackageFacts } from "../../graph/packages/package-facts.ts";
import { dependencyNamespaces } from "../../sources/dependency-folders.ts";
import type { Principal } from "../../sources/principal.ts";
import type { RegistryState } from "../../sources/registry/registry-state.ts";
import type { DependencyReport, DependencyOption } from "../api/dependencies.ts";
import type { IndexProgress } from "../api/index-report.ts";
import { PACKAGES_NOTE } from "../indexing/package-notes.ts";
import type { RunScheduler } from "../indexing/scheduler.ts";
import type { Namespaces } from "../namespaces.ts";
import { DependencyStore, type StoredPackage } from "./dependency-store.ts";
import { findDependencies, type UsedPackage } from "./find-dependencies.ts";
import type { LeftOut } from "./installed-package.ts";
import { PackageTooLarge } from "./package-files.ts";
import { ProjectRecords, type DependencyRecord, type ProjectRecord } from "./project-records.ts";

/** More are a mistake, or a repository of many projects that are better indexed one by one. */
const MAX_PACKAGES = 500;

interface DependencyServiceParts {
  readonly dataDirectory: string;
  readonly folders: PackageFolders;
  readonly backend: Pick<Backend, "index" | "description">;
  readonly namespaces: Pick<Namespaces, "registry" | "state" | "authorize">;
  readonly runs: Pick<RunScheduler, "start" | "waiters" | "markScanned">;
  /** Removes a namespace and its index. */
  readonly remove: (request: {
    readonly namespace: string;
    readonly principal: Principal;
    readonly signal: AbortSignal;
  }) => Promise<void>;
}

/** One call of the owner of this machine. */
interface Update {
  readonly namespace: string;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Pick<IndexProgress, "done" | "total">) => void) | undefined;
}

export class DependencyService {
  readonly #parts: DependencyServiceParts;
  readonly #store: DependencyStore;
  readonly #projects: ProjectRecords;

  constructor(parts: DependencyServiceParts) {
    this.#parts = parts;
    this.#store = new DependencyStore(parts.dataDirectory);
    this.#projects = new ProjectRecords(parts.dataDirectory);
  }

  /**
   * Brings the indexes of a project's dependencies up to date, or forgets them. Returns undefined for a project without
   * them. Throws INVALID_PARAMS if indexes are in a database.
   */
  async update(update: Update, option: DependencyOption): Promise<DependencyReport | undefined> {
    const { namespace } = update;
    const state = await this.#parts.namespaces.state();
    const createdAt = state.createdAt(namespace);
    const before = this.#projects.of(namespace, state);
    if (option === "keep" && before === undefined) return undefined;
    if (
      createdAt === undefined ||
      dependencyNamespaces(state, this.#parts.dataDirectory).has(namespace)
    )
      return undefined;
    if (this.#parts.backend.description.kind === "postgres") {
      throw new SvcError(
        "INVALID_PARAMS",
        "Dependencies are indexed only in files, not in a database.",
        {
          hint: "Index the repository of the library in its own namespace.",
        },
      );
    }
    const began = performance.now();
    const { record, isNew } = await this.#store.locked(() =>
      this.#record(update, { createdAt, before, option }),
    );
    await this.#index(update, record.packages);
    const removed = await this.#collect(update);
    return {
      namespaces: record.packages.map((one) => one.namespace),
      added: record.packages.filter((one) => isNew.has(one.namespace)).length,
      removed,
      leftOut: record.leftOut,
      isForgotten: option === "forget",
      elapsedMs: Math.round(performance.now() - began),
    };
  }

  /** Removes the indexes that only a removed project has used. */
  async projectRemoved(update: Update): Promise<void> {
    if (!this.#projects.has(update.namespace)) return;
    this.#projects.forget(update.namespace);
    await this.#collect(update);
  }

  /** Writes what the project uses now, and copies what is new, before another process can take it for unused. */
  async #record(
    update: Update,
    {
      createdAt,
      before,
      option,
    }: {
      readonly createdAt: string;
      readonly before: ProjectRecord | undefined;
      readonly option: DependencyOption;
    },
  ): Promise<{ readonly record: ProjectRecord; readonly isNew: ReadonlySet<string> }> {
    if (option === "forget") {
      this.#projects.forget(update.namespace);
      return { record: { createdAt, packages: [], leftOut: [] }, isNew: new Set() };
    }
    const only =
      typeof option === "object" ? option.only : option === "all" ? undefined : before?.only;
    const { found, leftOut } = await this.#find(update, only);
    // An explicit request reads all packages again; otherwise only newly installed ones are read.
    const known = option === "keep" ? (before?.packages ?? []) : [];
    const kept = await this.#keep(found.slice(0, MAX_PACKAGES), known);
    const rest = found.slice(MAX_PACKAGES).map(({ installed: { name } }): LeftOut => ({
      name,
      reason: `more than ${MAX_PACKAGES} packages`,
    }));
    const record = {
      createdAt,
      ...(only === undefined ? {} : { only }),
      packages: kept.packages,
      leftOut: [...leftOut, ...kept.leftOut, ...rest],
    };
    this.#projects.set(update.namespace, record);
    return { record, isNew: kept.isNew };
  }

  async #find(
    { namespace, principal }: Update,
    only: readonly string[] | undefined,
  ): Promise<ReturnType<typeof findDependencies>> {
    const { backend, namespaces, folders, dataDirectory } = this.#parts;
    const state = await namespaces.state();
    const reader = await backend.index.reader(await namespaces.authorize({ principal }, namespace));
    const copies = dependencyNamespaces(state, dataDirectory);
    return findDependencies({
      packages: new PackageFacts((await reader?.note(PACKAGES_NOTE)) ?? ""),
      sources: state.sources(namespace),
      folders,
      allowedRoots: state.records.sources
        .filter(({ url, namespace: of }) => url === undefined && !copies.has(of))
        .map(({ root }) => root),
      only,
    });
  }

  /** Copies the packages that have no copy yet. */
  async #keep(
    found: readonly UsedPackage[],
    known: readonly DependencyRecord[],
  ): Promise<{
    readonly packages: readonly DependencyRecord[];
    readonly leftOut: readonly LeftOut[];
    readonly isNew: ReadonlySet<string>;
  }> {
    const state = await this.#parts.namespaces.state();
    const copies = new Map<string, StoredPackage>(this.#store.copies());
    const stored = new Set([...copies.values()].map(({ namespace }) => namespace));
    const packages = new Map<string, DependencyRecord>();
    const leftOut: LeftOut[] = [];
    const isNew = new Set<string>();
    for (const { installed, uses } of found) {
      const { ecosystem, name, version, stamp } = installed;
      const same = known.find((one) => one.stamp === stamp && stored.has(one.namespace));
      let namespace = same?.namespace;
      try {
        namespace ??= this.#copy(installed, { copies, isNew, state });
      } catch (thrown) {
        leftOut.push({ name, reason: reasonOf(thrown) });
        continue;
      }
      // Two places of a project may have the same package.
      const all = [...(packages.get(namespace)?.uses ?? []), ...uses];
      packages.set(namespace, { namespace, ecosystem, name, version, stamp, uses: all });
    }
    return { packages: [...packages.values()], leftOut, isNew };
  }

  #copy(
    installed: UsedPackage["installed"],
    {
      copies,
      isNew,
      state,
    }: {
      readonly copies: Map<string, StoredPackage>;
      readonly isNew: Set<string>;
      readonly state: RegistryState;
    },
  ): string {
    const stored = this.#store.keep(installed, copies, (name) => state.has(name));
    if (stored.isNew) isNew.add(stored.namespace);
    copies.set(stored.hash, stored);
    return stored.namespace;
  }

  /** Indexes the copies that have no complete index. */
  async #index(update: Update, packages: readonly DependencyRecord[]): Promise<void> {
    const { namespaces, backend, runs } = this.#parts;
    const copies = new Map(
      [...this.#store.copies().values()].map(({ namespace, root }) => [namespace, root] as const),
    );
    const registry = await namespaces.registry();
    const unfinished: string[] = [];
    for (const { namespace } of packages) {
      const root = copies.get(namespace);
      if (root === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- as below
      const isKnown = (await namespaces.state())
        .sources(namespace)
        .some((one) => one.root === root);
      // oxlint-disable-next-line no-await-in-loop -- one change of the registry after the other
      if (!isKnown) await registry.addSource(namespace, { root });
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!isKnown || (await backend.index.isFirstBuildPending(namespace)))
        unfinished.push(namespace);
    }
    for (const [done, namespace] of unfinished.entries()) {
      update.onProgress?.({ done, total: unfinished.length });
      const job = runs.start(namespace, { mustBeNew: true, isAwaited: true, startedBy: "index" });
      // oxlint-disable-next-line no-await-in-loop -- one run uses all processors
      await runs.waiters.wait(job, { signal: update.signal });
      runs.markScanned(namespace);
    }
  }

  /** Removes the indexes and copies that no project uses. Returns how many. */
  async #collect({ principal, signal }: Update): Promise<number> {
    const { namespaces, dataDirectory } = this.#parts;
    return this.#store.locked(async () => {
      const state = await namespaces.state({ isNewest: true });
      const used = new Set<string>();
      for (const project of this.#projects.names()) {
        const record = this.#projects.of(project, state);
        if (record === undefined) this.#projects.forget(project);
        for (const { namespace } of record?.packages ?? []) used.add(namespace);
      }
      const unused = [...dependencyNamespaces(state, dataDirectory)].filter(
        (one) => !used.has(one),
      );
      // oxlint-disable-next-line no-await-in-loop -- one removal after the other
      for (const namespace of unused) await this.#parts.remove({ namespace, principal, signal });
      this.#store.sweep((namespace) => used.has(namespace));
      return unused.length;
    });
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof PackageTooLarge) return thrown.message;
  if (thrown instanceof SvcError) throw thrown;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (code === "ENOSPC" || code === "") throw thrown;
  return `its files cannot be read (${code})`;
}
