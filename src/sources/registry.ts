// The list of namespaces and their sources: one small SQLite file next to the indexes, shared by all svc
// processes of the user.

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

import { dataNotWritable, type SvcError } from "../base/errors.ts";
import { ensurePrivateFile } from "../base/files.ts";
import { isNamespaceName, namespaceNameFor, namespaceNotFound } from "./namespace.ts";
import { notWritable, openRegistryFile, registryFile, writingRegistry } from "./registry-schema.ts";
import { rootIdentity, rootProblem, type SourceRoot } from "./source-root.ts";
import type { Row, SummedDatabase } from "./summed-database.ts";

const PENDING_DELETION_TTL_MS = 24 * 60 * 60_000;

/** One source of a namespace. */
export interface Source extends SourceRoot {
  readonly id: number;
  /** Prefix of its paths: "" for the first source of a namespace, `name/` for the others. */
  readonly prefix: string;
  /** Globs in .gitignore syntax; empty to include all files. */
  readonly include: readonly string[];
  /** Globs in .gitignore syntax. */
  readonly exclude: readonly string[];
  /** ISO 8601. */
  readonly addedAt: string;
  /** Branch, tag or commit; undefined for the repository's default branch. */
  readonly ref?: string | undefined;
  /** Time of the last fetch, ISO 8601; undefined for a folder. */
  readonly fetchedAt?: string | undefined;
  /** Real path of a git directory outside the root that the owner has allowed (sources/git-location.ts). */
  readonly outsideGit?: string | undefined;
  /** Whether the owner wants its text shown with secrets. */
  readonly showsSecrets?: true | undefined;
}

/** A pending deletion: the index of a namespace, by its name, or a clone, by its root. */
export interface PendingDeletion {
  readonly kind: "index" | "clone";
  /** Name of the namespace, or root of the clone. */
  readonly name: string;
}

/** The result of a namespace's last indexing run. */
export interface LastRun {
  /** ISO 8601. */
  readonly endedAt: string;
  /** What started the run: `index`, `background` or `watch`. */
  readonly startedBy: string;
  /** Process id. */
  readonly process: number;
  /** Why the run failed, as a sentence; undefined if it succeeded. */
  readonly problem: string | undefined;
  /** Sentences for people. */
  readonly warnings: readonly string[];
}

interface NewSource {
  readonly root: string;
  readonly url?: string | undefined;
  readonly ref?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** False if nothing has ever been indexed. */
export function hasRegistry(dataDirectory: string): boolean {
  return existsSync(registryFile(dataDirectory));
}

/** Throws INDEX_UNAVAILABLE if this account may not write, or if a file is in the way. */
function ensureRegistryFolder(dataDirectory: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    ensurePrivateFile(registryFile(dataDirectory));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    throw ["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"].includes(code)
      ? dataNotWritable(thrown)
      : thrown;
  }
}

/** The list of namespaces, their sources and pending deletions. Methods throw INDEX_CORRUPT for damage. */
export class Registry {
  readonly #db: SummedDatabase;

  /**
   * Opens the registry of a data directory, which is created (0700) if it does not exist; opens it read-only if
   * it cannot be written. `look` only reads an existing one and leaves its files unchanged. Throws
   * INDEX_CORRUPT.
   */
  constructor(dataDirectory: string, access: "use" | "look" = "use") {
    const isNew = access === "use" && !hasRegistry(dataDirectory);
    if (isNew) ensureRegistryFolder(dataDirectory);
    this.#db = openRegistryFile(dataDirectory, access, isNew);
  }

  /** The error for a read-only registry; undefined if it is writable. */
  get obstacle(): SvcError | undefined {
    const { obstacle } = this.#db;
    return obstacle === undefined ? undefined : notWritable(obstacle);
  }

  close(): void {
    this.#db.close();
  }

  namespaces(): readonly string[] {
    return this.#db.rows("namespace").map(({ name }) => String(name));
  }

  has(namespace: string): boolean {
    return this.#namespace(namespace) !== undefined;
  }

  /** Creation time of the namespace, ISO 8601. It distinguishes a namespace from a later one of the same name. */
  createdAt(namespace: string): string | undefined {
    const row = this.#namespace(namespace);
    return row === undefined ? undefined : String(row["created_at"]);
  }

  sources(namespace: string): readonly Source[] {
    return this.#sources((row) => row["namespace"] === namespace);
  }

  /** Returns the first wanted namespace that has `root` as a source. */
  namespaceOf(root: string, isWanted = (_namespace: string) => true): string | undefined {
    const holders = this.#sources((row) => row["root"] === root);
    return holders.find(({ namespace }) => isWanted(namespace))?.namespace;
  }

  /**
   * Returns the namespace of a workspace: an existing one, or a new one named after its folder. Working in a
   * folder confirms that it is the intended one.
   */
  ensureWorkspace(folder: string): string {
    const root = realpathSync(folder);
    const known = this.namespaceOf(root);
    if (known !== undefined && this.#isConfirmed(known, root)) return known;
    // A read-only registry still returns the known namespace.
    if (known !== undefined && this.obstacle !== undefined) return known;
    return this.#write(() => {
      const holder = this.namespaceOf(root);
      const namespace = holder ?? this.#unusedName(namespaceNameFor(basename(root)));
      this.#add(namespace, { root });
      this.#confirm(namespace, root);
      return namespace;
    });
  }

  /** Records that the owner confirms the folder at this path, whatever was in its place before. */
  confirmRoot({ namespace, root }: SourceRoot): Source {
    return this.#write(() => this.#confirm(namespace, root));
  }

  /** Adds a source, or changes its globs if it exists; creates the namespace if needed. */
  addSource(namespace: string, source: NewSource): Source {
    const root = realpathSync(source.root);
    const known = this.sources(namespace).find((one) => one.root === root);
    const keepsGlobs = source.include === undefined && source.exclude === undefined;
    if (known !== undefined && keepsGlobs && known.url === source.url) return known;
    return this.#write(() => this.#add(namespace, { ...source, root }));
  }

  /** Records the current time as the source's fetch time. */
  setFetched(id: number): void {
    const fetched_at = new Date().toISOString();
    this.#write(() => this.#updateSource(id, { fetched_at }));
  }

  /** Records the git directory outside the root that the owner allows; undefined for none. */
  setOutsideGit(id: number, outsideGit: string | undefined): void {
    this.#write(() => this.#updateSource(id, { outside_git: outsideGit ?? null }));
  }

  /**
   * Replaces the sources inside a folder by the folder itself. The first of them passes on its id. It also
   * passes on the prefix "", if one of them has it: their paths then only get longer.
   */
  replaceNestedSources(namespace: string, root: string, inner: readonly Source[]): void {
    const [first, ...others] = inner;
    if (first === undefined) return;
    this.#write(() => {
      const isUnprefixed = inner.some(({ prefix }) => prefix === "");
      for (const { id } of others) this.#removeSources((row) => Number(row["id"]) === id);
      const prefix = isUnprefixed ? "" : this.#unusedPrefix(namespace, basename(root), first.id);
      const identity = rootIdentity(root) ?? null;
      this.#updateSource(first.id, {
        root,
        prefix,
        identity,
        outside_git: null,
        include: "[]",
        exclude: "[]",
      });
    });
  }

  /** Removes a source, and schedules its clone for deletion if no other source uses it. */
  removeSource({ id, url, root }: Source): void {
    this.#write(() => {
      this.#removeSources((row) => Number(row["id"]) === id);
      if (url !== undefined) this.#deleteCloneLater(root);
    });
  }

  /** Removes a namespace with its sources. From then on no process answers from its index. */
  removeNamespace(namespace: string): void {
    this.#write(() => {
      const clones = this.sources(namespace).filter(({ url }) => url !== undefined);
      const row = this.#namespace(namespace);
      if (row !== undefined) this.#db.remove("namespace", row);
      this.#deleteLater({ kind: "index", name: namespace });
      for (const { root } of clones) this.#deleteCloneLater(root);
    });
  }

  pendingDeletions(): readonly PendingDeletion[] {
    return this.#db.rows("leftover").map(({ kind, name }) => ({
      kind: kind === "clone" ? "clone" : "index",
      name: String(name),
    }));
  }

  /**
   * Calls `remove` for a pending deletion, unless the item is in use again. The write transaction keeps it from
   * coming into use during the deletion. The entry stays for a day: a run that began earlier may recreate files
   * and be killed before it checks that they are no longer needed.
   */
  completeDeletion({ kind, name }: PendingDeletion, remove: () => void): void {
    this.#write(() => {
      const isUsed = kind === "index" ? this.has(name) : this.#isRoot(name);
      if (!isUsed) remove();
      const row = this.#leftover({ kind, name });
      const isOver = isUsed || Number(row?.["noted_at"]) < Date.now() - PENDING_DELETION_TTL_MS;
      if (row !== undefined && isOver) this.#db.remove("leftover", row);
    });
  }

  lastRun(namespace: string): LastRun | undefined {
    const row = this.#db.rows("last_run").find((one) => one["namespace"] === namespace);
    if (row === undefined) return undefined;
    return {
      endedAt: String(row["ended_at"]),
      startedBy: String(row["started_by"]),
      process: Number(row["process"]),
      problem: textIn(row["problem"]),
      warnings: globs(row["warnings"]),
    };
  }

  /**
   * Records the last run. Does nothing for a removed namespace. A power cut may lose the record; the next run
   * writes it again.
   */
  setLastRun(namespace: string, run: Omit<LastRun, "endedAt" | "process">): void {
    const values = {
      ended_at: new Date().toISOString(),
      started_by: run.startedBy,
      process: process.pid,
      problem: run.problem ?? null,
      warnings: JSON.stringify(run.warnings),
    };
    this.#db.changeLightly(() => {
      if (!this.has(namespace)) return;
      const row = this.#db.rows("last_run").find((one) => one["namespace"] === namespace);
      if (row === undefined) this.#db.insert("last_run", { namespace, ...values });
      else this.#db.update("last_run", row, values);
    });
  }

  #deleteCloneLater(root: string): void {
    if (!this.#isRoot(root)) this.#deleteLater({ kind: "clone", name: root });
  }

  #deleteLater(leftover: PendingDeletion): void {
    const row = this.#leftover(leftover);
    const noted_at = Date.now();
    if (row === undefined) this.#db.insert("leftover", { ...leftover, noted_at });
    else this.#db.update("leftover", row, { noted_at });
  }

  #leftover({ kind, name }: PendingDeletion): Row | undefined {
    return this.#db.rows("leftover").find((row) => row["kind"] === kind && row["name"] === name);
  }

  #namespace(name: string): Row | undefined {
    return this.#db.rows("namespace").find((row) => row["name"] === name);
  }

  #sources(isWanted: (row: Row) => boolean): readonly Source[] {
    return this.#db.rows("source").filter(isWanted).map(toSource);
  }

  #isRoot(root: string): boolean {
    return this.#db.rows("source").some((row) => row["root"] === root);
  }

  #updateSource(id: number, values: Row): void {
    const row = this.#db.rows("source").find((one) => Number(one["id"]) === id);
    if (row !== undefined) this.#db.update("source", row, values);
  }

  #removeSources(isGone: (row: Row) => boolean): void {
    for (const row of this.#db.rows("source").filter(isGone)) this.#db.remove("source", row);
  }

  #isConfirmed(namespace: string, root: string): boolean {
    const source = this.sources(namespace).find((one) => one.root === root);
    return source?.identity !== undefined && rootProblem(source) === undefined;
  }

  #confirm(namespace: string, root: string): Source {
    const source = this.sources(namespace).find((one) => one.root === root);
    if (source === undefined) throw namespaceNotFound(namespace);
    if (source.url !== undefined) return source;
    const identity = rootIdentity(root);
    this.#updateSource(source.id, { identity: identity ?? null });
    return { ...source, identity };
  }

  #add(namespace: string, { root, include, exclude, url, ref }: NewSource): Source {
    const now = new Date().toISOString();
    if (!this.has(namespace)) this.#db.insert("namespace", { name: namespace, created_at: now });
    const known = this.sources(namespace).find((source) => source.root === root);
    if (known === undefined) {
      return toSource(
        this.#db.insert("source", {
          namespace,
          root,
          prefix: this.#unusedPrefix(namespace, basename(root)),
          include: JSON.stringify(include ?? []),
          exclude: JSON.stringify(exclude ?? []),
          added_at: now,
          url: url ?? null,
          ref: ref ?? null,
          identity: url === undefined ? (rootIdentity(root) ?? null) : null,
        }),
      );
    }
    const isRepositoryNow = url !== undefined && known.url === undefined;
    this.#updateSource(known.id, {
      ...(isRepositoryNow ? { url, ref: ref ?? null } : {}),
      include: JSON.stringify(include ?? known.include),
      exclude: JSON.stringify(exclude ?? known.exclude),
    });
    return this.sources(namespace).find(({ id }) => id === known.id) ?? known;
  }

  #unusedName(wanted: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted.slice(0, 60)}-${number}`;
      if (isNamespaceName(name) && !this.has(name)) return name;
    }
  }

  /** `but` is the id of a source whose own prefix is ignored. */
  #unusedPrefix(namespace: string, folder: string, but?: number): string {
    const sources = this.sources(namespace).filter(({ id }) => id !== but);
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

  #write<T>(change: () => T): T {
    return writingRegistry(this.#db, change);
  }
}

function toSource(row: Row): Source {
  return {
    id: Number(row["id"]),
    namespace: String(row["namespace"]),
    root: String(row["root"]),
    prefix: String(row["prefix"]),
    include: globs(row["include"]),
    exclude: globs(row["exclude"]),
    addedAt: String(row["added_at"]),
    url: textIn(row["url"]),
    ref: textIn(row["ref"]),
    fetchedAt: textIn(row["fetched_at"]),
    identity: textIn(row["identity"]),
    outsideGit: textIn(row["outside_git"]),
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function globs(json: unknown): readonly string[] {
  const list: unknown = JSON.parse(String(json));
  return Array.isArray(list) ? list.map(String) : [];
}
