// The registry: namespaces, their sources, pending deletions and last runs. Its rules are the same for every
// backend; a RegistryStore keeps the records.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";

import type { SvcError } from "../../base/errors.ts";
import { realPath } from "../confined-path.ts";
import { isNamespaceName, namespaceNameFor, namespaceNotFound } from "../namespace.ts";
import { rootIdentity, rootProblem, type SourceRoot } from "../source-root.ts";
import type { RegistryReadOptions, RegistryStore } from "./port.ts";
import type { LastRun, PendingDeletion, Source } from "./records.ts";
import { RegistryDraft } from "./registry-draft.ts";
import { RegistryState } from "./registry-state.ts";

const PENDING_DELETION_TTL_MS = 24 * 60 * 60_000;

interface NewSource {
  readonly root: string;
  readonly url?: string | undefined;
  readonly ref?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Returns a name for the namespace of a new root. */
export type SuggestName = (root: string) => Promise<string | undefined>;

/** Reads and changes the registry. Methods throw INDEX_CORRUPT for damage. */
export class Registry {
  readonly #store: RegistryStore;
  #state: RegistryState | undefined;

  constructor(store: RegistryStore) {
    this.#store = store;
  }

  /** The error for a registry that this process cannot write; undefined if it can. */
  get obstacle(): SvcError | undefined {
    return this.#store.obstacle;
  }

  close(): void {
    this.#store.close();
  }

  /** Returns the current state; the same object as before if nothing has changed. */
  async state(options?: RegistryReadOptions): Promise<RegistryState> {
    const { records } = await this.#store.read(options);
    if (this.#state?.records !== records) this.#state = new RegistryState(records);
    return this.#state;
  }

  /**
   * Changes the registry as a whole or not at all, and returns the result of `plan`. If another process changes it
   * at the same time, `plan` is called again with the new state. Throws INDEX_UNAVAILABLE and STORAGE_FULL.
   */
  async change<T>(plan: (draft: RegistryDraft) => T, isDurable = true): Promise<T> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const { version, records } = await this.#store.read();
      const draft = new RegistryDraft(records);
      const result = plan(draft);
      const { beforeCommit } = draft;
      if (draft.edits.length === 0 && beforeCommit === undefined) return result;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await this.#store.swap(version, draft.edits, { isDurable, beforeCommit })) return result;
    }
  }

  /**
   * Returns the namespace of a workspace: an existing one, or a new one named after its folder. Working in a
   * folder confirms that it is the intended one. `suggestName` may return a name for a new one, which counts if it is
   * free.
   */
  async ensureWorkspace(folder: string, suggestName?: SuggestName): Promise<string> {
    const root = realPath(folder);
    const state = await this.state();
    const known = state.namespaceOf(root);
    if (known !== undefined && isConfirmed(state.sources(known), root)) return known;
    // A read-only registry still returns the known namespace.
    if (known !== undefined && this.obstacle !== undefined) return known;
    const suggested = known === undefined ? await suggestName?.(root) : undefined;
    return this.change((draft) => {
      const holder = draft.namespaceOf(root);
      const isFree = suggested !== undefined && !draft.has(suggested);
      const wanted = isFree ? suggested : namespaceNameFor(basename(root));
      const namespace = holder ?? unusedName(draft, wanted);
      add(draft, namespace, { root });
      confirm(draft, { namespace, root });
      return namespace;
    });
  }

  /** Records that the owner confirms the folder at this path, whatever was in its place before. */
  confirmRoot(root: SourceRoot): Promise<Source> {
    return this.change((draft) => confirm(draft, root));
  }

  /** Adds a source, or changes its globs if it exists; creates the namespace if needed. */
  addSource(namespace: string, source: NewSource): Promise<Source> {
    const root = realPath(source.root);
    return this.change((draft) => add(draft, namespace, { ...source, root }));
  }

  /** Records that a commit of the source has just been fetched. */
  setFetched(id: number, commit: string | undefined): Promise<void> {
    return this.#updateSource(id, { fetchedAt: new Date().toISOString(), fetchedCommit: commit });
  }

  /** Records the git directory outside the root that the owner allows; undefined for none. */
  setOutsideGit(id: number, outsideGit: string | undefined): Promise<void> {
    return this.#updateSource(id, { outsideGit });
  }

  #updateSource(id: number, values: Partial<Source>): Promise<void> {
    return this.change((draft) => {
      const source = draft.records.sources.find((one) => one.id === id);
      if (source !== undefined) draft.put({ ...source, ...values }, source);
    });
  }

  /**
   * Replaces the sources inside a folder by the folder itself. The first of them passes on its id. It also
   * passes on the prefix "", if one of them has it: their paths then only get longer.
   */
  async replaceNestedSources(
    namespace: string,
    root: string,
    inner: readonly Source[],
  ): Promise<void> {
    const [first, ...others] = inner;
    if (first === undefined) return;
    await this.change((draft) => {
      const isUnprefixed = inner.some(({ prefix }) => prefix === "");
      for (const { id } of others) draft.edit({ remove: "source", id });
      const prefix = isUnprefixed ? "" : unusedPrefix(draft, namespace, basename(root), first.id);
      const source = draft.records.sources.find(({ id }) => id === first.id);
      if (source === undefined) return;
      const identity = rootIdentity(root);
      const place = { root, prefix, identity, outsideGit: undefined, include: [], exclude: [] };
      draft.put({ ...source, ...place }, source);
    });
  }

  /** Removes a source, and schedules its clone for deletion if no other source uses it. */
  removeSource({ id, url, root }: Source): Promise<void> {
    return this.change((draft) => {
      draft.edit({ remove: "source", id });
      if (url !== undefined) deleteCloneLater(draft, root);
    });
  }

  /** Removes a namespace with its sources. From then on no process answers from its index. */
  removeNamespace(namespace: string): Promise<void> {
    return this.change((draft) => {
      const clones = draft.sources(namespace).filter(({ url }) => url !== undefined);
      draft.edit({ remove: "namespace", name: namespace });
      deleteLater(draft, { kind: "index", name: namespace });
      for (const { root } of clones) deleteCloneLater(draft, root);
    });
  }

  /**
   * Calls `remove` for a pending deletion, unless the item is in use again; it cannot come into use meanwhile. The
   * entry stays for a day: a run that began earlier may recreate files and be killed before it checks that they are
   * no longer needed.
   */
  completeDeletion(pending: PendingDeletion, remove: () => Promise<void>): Promise<void> {
    return this.change((draft) => {
      const { kind, name } = pending;
      const isUsed = kind === "index" ? draft.has(name) : draft.hasRoot(name);
      if (!isUsed) draft.beforeCommit = remove;
      const record = draft.pendingDeletion(pending);
      const isOver =
        isUsed || (record?.requestedMs ?? Infinity) < Date.now() - PENDING_DELETION_TTL_MS;
      if (record !== undefined && isOver) draft.edit({ remove: "pendingDeletion", record });
    });
  }

  /**
   * Records the last run. Does nothing for a removed namespace. A power cut may lose the record; the next run
   * writes it again.
   */
  setLastRun(namespace: string, run: Omit<LastRun, "endedAt" | "process">): Promise<void> {
    const endedAt = new Date().toISOString();
    const record = { ...run, namespace, endedAt, process: process.pid };
    return this.change((draft) => {
      if (draft.has(namespace)) draft.edit({ put: "lastRun", record });
    }, false);
  }
}

function add(
  draft: RegistryDraft,
  namespace: string,
  { root, include, exclude, url, ref }: NewSource,
): Source {
  const now = new Date().toISOString();
  if (!draft.has(namespace))
    draft.edit({ put: "namespace", record: { name: namespace, createdAt: now } });
  const known = draft.sources(namespace).find((source) => source.root === root);
  const source: Source =
    known === undefined
      ? {
          id: draft.records.nextSourceId,
          namespace,
          root,
          prefix: unusedPrefix(draft, namespace, basename(root)),
          include: include ?? [],
          exclude: exclude ?? [],
          addedAt: now,
          url,
          ref,
          fetchedAt: undefined,
          identity: url === undefined ? rootIdentity(root) : undefined,
          outsideGit: undefined,
        }
      : {
          ...known,
          ...(url !== undefined && known.url === undefined ? { url, ref } : {}),
          include: include ?? known.include,
          exclude: exclude ?? known.exclude,
        };
  return draft.put(source, known);
}

function confirm(draft: RegistryDraft, { namespace, root }: SourceRoot): Source {
  const source = draft.sources(namespace).find((one) => one.root === root);
  if (source === undefined) throw namespaceNotFound(namespace);
  if (source.url !== undefined) return source;
  return draft.put({ ...source, identity: rootIdentity(root) }, source);
}

function isConfirmed(sources: readonly Source[], root: string): boolean {
  const source = sources.find((one) => one.root === root);
  return source?.identity !== undefined && rootProblem(source) === undefined;
}

function deleteCloneLater(draft: RegistryDraft, root: string): void {
  if (!draft.hasRoot(root)) deleteLater(draft, { kind: "clone", name: root });
}

function deleteLater(draft: RegistryDraft, pending: PendingDeletion): void {
  draft.edit({ put: "pendingDeletion", record: { ...pending, requestedMs: Date.now() } });
}

function unusedName(state: RegistryState, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted.slice(0, 60)}-${number}`;
    if (isNamespaceName(name) && !state.has(name)) return name;
  }
}

/** `but` is the id of a source whose own prefix is ignored. */
function unusedPrefix(
  state: RegistryState,
  namespace: string,
  folder: string,
  but?: number,
): string {
  const sources = state.sources(namespace).filter(({ id }) => id !== but);
  if (sources.length === 0) return "";
  const first = sources.find(({ prefix }) => prefix === "");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? folder : `${folder}-${number}`;
    const isTaken = sources.some(({ prefix }) => prefix === `${name}/`);
    // The first source has no prefix, so this prefix would hide its folder of the same name.
    const isHiding = first !== undefined && existsSync(join(first.root, name));
    if (!isTaken && !isHiding) return `${name}/`;
  }
}
