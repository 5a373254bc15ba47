// Which namespaces exist and which sources feed them. One small SQLite file beside the indexes,
// shared by every svc process of the user.

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

import { dataNotWritable, type SvcError } from "../base/errors.ts";
import { ensurePrivateFile } from "../base/files.ts";
import { isNamespaceName, namespaceNameFor, namespaceNotFound } from "./namespace.ts";
import { notWritable, openRegistryFile, registryFile, writingRegistry } from "./registry-schema.ts";
import { rootIdentity, rootProblem, type SourceRoot } from "./source-root.ts";
import type { Row, SummedDatabase } from "./summed-database.ts";

const PENDING_DELETION_TTL_MS = 24 * 60 * 60_000;

/** One root that feeds a namespace. */
export interface Source extends SourceRoot {
  readonly id: number;
  /** "" for the first source of a namespace, `name/` for the others: put before their paths. */
  readonly prefix: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly addedAt: string;
  /** Undefined for the branch that the repository puts first. */
  readonly ref?: string | undefined;
  readonly fetchedAt?: string | undefined;
  /** Real path of a git directory outside of the root that the owner allowed (sources/git-location.ts). */
  readonly outsideGit?: string | undefined;
  /** The owner asked to see its text with the secrets in it. */
  readonly showsSecrets?: true | undefined;
}

/** What is still to be deleted: the index of a namespace by its name, a clone by its root. */
export interface PendingDeletion {
  readonly kind: "index" | "clone";
  readonly name: string;
}

/** How the last run over the files of a namespace ended. */
export interface LastRun {
  readonly endedAt: string;
  readonly startedBy: string;
  /** Id of the process. */
  readonly process: number;
  readonly problem: string | undefined;
  readonly warnings: readonly string[];
}

interface NewSource {
  readonly root: string;
  readonly url?: string | undefined;
  readonly ref?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** False where nothing has ever been indexed. */
export function hasRegistry(dataDirectory: string): boolean {
  return existsSync(registryFile(dataDirectory));
}

/** Throws INDEX_UNAVAILABLE where this account may not write, or a file stands in the way. */
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

export class Registry {
  readonly #db: SummedDatabase;

  /**
   * Opens the registry of a data directory, which is made (0700) when it is not there; where it cannot be written, it
   * is read. `look` only reads one that is there, and leaves its files as they are. Throws INDEX_CORRUPT.
   */
  constructor(dataDirectory: string, access: "use" | "look" = "use") {
    const isNew = access === "use" && !hasRegistry(dataDirectory);
    if (isNew) ensureRegistryFolder(dataDirectory);
    this.#db = openRegistryFile(dataDirectory, access, isNew);
  }

  /** Why it can only be read, as an error; undefined where it can be written. */
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

  /** When the namespace was made: another time for another one of the same name. */
  createdAt(namespace: string): string | undefined {
    const row = this.#namespace(namespace);
    return row === undefined ? undefined : String(row["created_at"]);
  }

  sources(namespace: string): readonly Source[] {
    return this.#sources((row) => row["namespace"] === namespace);
  }

  /** The namespace that already holds `root` as a source, of those that are wanted. */
  namespaceOf(root: string, isWanted = (_namespace: string) => true): string | undefined {
    const holders = this.#sources((row) => row["root"] === root);
    return holders.find(({ namespace }) => isWanted(namespace))?.namespace;
  }

  /**
   * The namespace of a workspace: the one that holds it, else a new one named after its folder. Who works in a folder
   * confirms that it is the one that is meant.
   */
  ensureWorkspace(folder: string): string {
    const root = realpathSync(folder);
    const known = this.namespaceOf(root);
    if (known !== undefined && this.#isConfirmed(known, root)) return known;
    // Where nothing can be written, what is known is read all the same.
    if (known !== undefined && this.obstacle !== undefined) return known;
    return this.#write(() => {
      const holder = this.namespaceOf(root);
      const namespace = holder ?? this.#unusedName(namespaceNameFor(basename(root)));
      this.#add(namespace, { root });
      this.#confirm(namespace, root);
      return namespace;
    });
  }

  /** The owner says that a folder is the one that is meant, whatever was in its place before. */
  confirmRoot({ namespace, root }: SourceRoot): Source {
    return this.#write(() => this.#confirm(namespace, root));
  }

  /** Adds a source, or changes its globs when it is there already; makes the namespace when needed. */
  addSource(namespace: string, source: NewSource): Source {
    const root = realpathSync(source.root);
    const known = this.sources(namespace).find((one) => one.root === root);
    const isAsItIs = source.include === undefined && source.exclude === undefined;
    if (known !== undefined && isAsItIs && known.url === source.url) return known;
    return this.#write(() => this.#add(namespace, { ...source, root }));
  }

  /** Notes that a source was fetched now. */
  setFetched(id: number): void {
    const fetched_at = new Date().toISOString();
    this.#write(() => this.#updateSource(id, { fetched_at }));
  }

  /** Notes which git directory outside of a root its owner allows; undefined for none. */
  setOutsideGit(id: number, outsideGit: string | undefined): void {
    this.#write(() => this.#updateSource(id, { outside_git: outsideGit ?? null }));
  }

  /**
   * Puts a folder in the place of the sources that lie in it. The first of them lends its id, and its prefix where
   * that is "": paths below it are the same with more before them.
   */
  replaceNestedSources(namespace: string, root: string, inner: readonly Source[]): void {
    const [first, ...others] = inner;
    if (first === undefined) return;
    this.#write(() => {
      const isBare = inner.some(({ prefix }) => prefix === "");
      for (const { id } of others) this.#removeSources((row) => Number(row["id"]) === id);
      const prefix = isBare ? "" : this.#unusedPrefix(namespace, basename(root), first.id);
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

  /** Takes a source away, and notes its clone as left over when no other source uses it. */
  removeSource({ id, url, root }: Source): void {
    this.#write(() => {
      this.#removeSources((row) => Number(row["id"]) === id);
      if (url !== undefined) this.#deleteCloneLater(root);
    });
  }

  /** Takes a namespace away with its sources. From then on no process answers from its index. */
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
   * Has what is left over deleted, unless it has come into use again. Nobody else changes the registry meanwhile, so
   * that it cannot come into use while it is deleted. It stays noted for a day: a run that had begun before may bring
   * some of it back, and be killed before it has looked whether it still should.
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

  /** Does nothing for a namespace that is gone. A power cut may lose it: the next run writes it again. */
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

  /** `but` is the id of a source whose own prefix does not count. */
  #unusedPrefix(namespace: string, folder: string, but?: number): string {
    const sources = this.sources(namespace).filter(({ id }) => id !== but);
    if (sources.length === 0) return "";
    const first = sources.find(({ prefix }) => prefix === "");
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? folder : `${folder}-${number}`;
      const isTaken = sources.some(({ prefix }) => prefix === `${name}/`);
      // The first source has no prefix: a folder of this name in it would be hidden.
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
