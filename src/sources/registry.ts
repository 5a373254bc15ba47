// Which namespaces exist and which sources feed them. One small SQLite file beside the indexes,
// shared by every svc process of the user.

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { enterWal } from "../base/enter-wal.ts";
import { dataNotWritable } from "../base/errors.ts";
import { ensurePrivateFile } from "../base/files.ts";
import { untouchedAddress } from "../base/untouched-database.ts";
import { isNamespaceName, namespaceNameFor } from "./namespace.ts";

const SCHEMA = `
CREATE TABLE namespace (name TEXT PRIMARY KEY, created_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL REFERENCES namespace (name) ON DELETE CASCADE,
  root TEXT NOT NULL,
  prefix TEXT NOT NULL,
  include TEXT NOT NULL, exclude TEXT NOT NULL,   -- JSON arrays of globs
  added_at TEXT NOT NULL,
  UNIQUE (namespace, root), UNIQUE (namespace, prefix)
);
PRAGMA user_version = 1;
`;
/** Programs that know the first version alone go on working with this one. */
const SECOND_VERSION = `
ALTER TABLE source ADD COLUMN url TEXT;          -- of a repository that is fetched; NULL for a folder
ALTER TABLE source ADD COLUMN ref TEXT;
ALTER TABLE source ADD COLUMN fetched_at TEXT;
-- What is to be deleted of namespaces and clones that are no longer listed. A clone is named by its root.
CREATE TABLE leftover (
  kind TEXT NOT NULL, name TEXT NOT NULL, noted_at INTEGER NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
-- The last run over the files of a namespace.
CREATE TABLE last_run (
  namespace TEXT PRIMARY KEY REFERENCES namespace (name) ON DELETE CASCADE,
  ended_at TEXT NOT NULL, started_by TEXT NOT NULL, process INTEGER NOT NULL,
  problem TEXT, warnings TEXT NOT NULL           -- JSON array
) WITHOUT ROWID;
PRAGMA user_version = 2;
`;

const LEFTOVER_KEPT_MS = 24 * 60 * 60_000;

/** One root that feeds a namespace. */
export interface Source {
  readonly id: number;
  readonly namespace: string;
  /** Absolute path without symbolic links. */
  readonly root: string;
  /** "" for the first source of a namespace, `name/` for the others: put before their paths. */
  readonly prefix: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly addedAt: string;
  /** Where the clone at `root` is fetched from; undefined for a folder of the user's. */
  readonly url?: string | undefined;
  /** Undefined for the branch that the repository puts first. */
  readonly ref?: string | undefined;
  readonly fetchedAt?: string | undefined;
  /** The owner asked to see its text with the secrets in it. */
  readonly showsSecrets?: true | undefined;
}

/** What is still to be deleted: the index of a namespace by its name, a clone by its root. */
export interface Leftover {
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

export function registryFile(dataDirectory: string): string {
  return join(dataDirectory, "registry.db");
}

/** False where nothing has ever been indexed. */
export function hasRegistry(dataDirectory: string): boolean {
  return existsSync(registryFile(dataDirectory));
}

/** Throws INDEX_UNAVAILABLE where this account may not write, or a file stands in the way. */
function makePlace(dataDirectory: string, path: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    ensurePrivateFile(path);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    throw ["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"].includes(code)
      ? dataNotWritable(thrown)
      : thrown;
  }
}

export class Registry {
  readonly #db: DatabaseSync;

  /**
   * Opens the registry of a data directory, which is made (0700) when it is not there. `look` only reads one that is
   * there, and leaves its files as they are.
   */
  constructor(dataDirectory: string, access: "use" | "look" = "use") {
    const path = registryFile(dataDirectory);
    if (access === "look") {
      this.#db = new DatabaseSync(untouchedAddress(path), { readOnly: true, timeout: 5000 });
      return;
    }
    makePlace(dataDirectory, path);
    this.#db = new DatabaseSync(path, { timeout: 5000 });
    enterWal(this.#db);
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    this.#write(() => {
      const version = Number(this.#db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
      if (version === 0) this.#db.exec(SCHEMA);
      if (version < 2) this.#db.exec(SECOND_VERSION);
    });
  }

  close(): void {
    this.#db.close();
  }

  namespaces(): readonly string[] {
    const rows = this.#db.prepare("SELECT name FROM namespace ORDER BY name").all();
    return rows.map(({ name }) => String(name));
  }

  has(namespace: string): boolean {
    return this.#db.prepare("SELECT 1 FROM namespace WHERE name = ?").get(namespace) !== undefined;
  }

  /** When the namespace was made: another time for another one of the same name. */
  createdAt(namespace: string): string | undefined {
    const row = this.#db.prepare("SELECT created_at FROM namespace WHERE name = ?").get(namespace);
    return row === undefined ? undefined : String(row["created_at"]);
  }

  sources(namespace: string): readonly Source[] {
    const rows = this.#db.prepare("SELECT * FROM source WHERE namespace = ? ORDER BY id");
    return rows.all(namespace).map(toSource);
  }

  /** The namespace that already holds `root` as a source, of those that are wanted. */
  namespaceOf(root: string, isWanted = (_namespace: string) => true): string | undefined {
    const rows = this.#db.prepare("SELECT namespace FROM source WHERE root = ? ORDER BY id");
    const names = rows.all(root).map(({ namespace }) => String(namespace));
    return names.find((name) => isWanted(name));
  }

  /** The namespace of a workspace: the one that holds it, else a new one named after its folder. */
  ensureWorkspace(folder: string): string {
    const root = realpathSync(folder);
    return this.#write(() => {
      const known = this.namespaceOf(root);
      if (known !== undefined) return known;
      const namespace = this.#unusedName(namespaceNameFor(basename(root)));
      this.#add(namespace, { root });
      return namespace;
    });
  }

  /** Adds a source, or changes its globs when it is there already; makes the namespace when needed. */
  addSource(namespace: string, source: NewSource): Source {
    const root = realpathSync(source.root);
    return this.#write(() => this.#add(namespace, { ...source, root }));
  }

  /** Notes that a source was fetched now. */
  setFetched(id: number): void {
    const now = new Date().toISOString();
    this.#db.prepare("UPDATE source SET fetched_at = ? WHERE id = ?").run(now, id);
  }

  /**
   * Puts a folder in the place of the sources that lie in it. The first of them lends its id, and its prefix where
   * that is "": paths below it are the same with more before them.
   */
  absorb(namespace: string, root: string, inner: readonly Source[]): void {
    this.#write(() => {
      const [first, ...others] = inner;
      if (first === undefined) return;
      const isBare = inner.some(({ prefix }) => prefix === "");
      for (const { id } of others) this.#db.prepare("DELETE FROM source WHERE id = ?").run(id);
      const prefix = isBare ? "" : this.#unusedPrefix(namespace, basename(root), first.id);
      this.#db
        .prepare(
          "UPDATE source SET root = ?, prefix = ?, include = '[]', exclude = '[]' WHERE id = ?",
        )
        .run(root, prefix, first.id);
    });
  }

  /** Takes a source away, and notes its clone as left over when no other source uses it. */
  removeSource({ id, url, root }: Source): void {
    this.#write(() => {
      this.#db.prepare("DELETE FROM source WHERE id = ?").run(id);
      if (url !== undefined) this.#leaveClone(root);
    });
  }

  /** Takes a namespace away with its sources. From then on no process answers from its index. */
  removeNamespace(namespace: string): void {
    this.#write(() => {
      const clones = this.sources(namespace).filter(({ url }) => url !== undefined);
      this.#db.prepare("DELETE FROM namespace WHERE name = ?").run(namespace);
      this.#leave({ kind: "index", name: namespace });
      for (const { root } of clones) this.#leaveClone(root);
    });
  }

  leftovers(): readonly Leftover[] {
    const rows = this.#db.prepare("SELECT kind, name FROM leftover").all();
    return rows.map(({ kind, name }) => ({
      kind: kind === "clone" ? "clone" : "index",
      name: String(name),
    }));
  }

  /**
   * Has what is left over deleted, unless it has come into use again. Nobody else changes the registry meanwhile, so
   * that it cannot come into use while it is deleted. It stays noted for a day: a run that had begun before may bring
   * some of it back, and be killed before it has looked whether it still should.
   */
  clear({ kind, name }: Leftover, remove: () => void): void {
    this.#write(() => {
      const isUsed =
        kind === "index"
          ? this.has(name)
          : this.#db.prepare("SELECT 1 FROM source WHERE root = ?").get(name) !== undefined;
      if (!isUsed) remove();
      this.#db
        .prepare("DELETE FROM leftover WHERE kind = ? AND name = ? AND (? OR noted_at < ?)")
        .run(kind, name, isUsed ? 1 : 0, Date.now() - LEFTOVER_KEPT_MS);
    });
  }

  lastRun(namespace: string): LastRun | undefined {
    const row = this.#db.prepare("SELECT * FROM last_run WHERE namespace = ?").get(namespace);
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
    const { startedBy, problem = null, warnings } = run;
    this.#db.exec("PRAGMA synchronous = NORMAL");
    try {
      this.#db
        .prepare(
          "INSERT OR REPLACE INTO last_run SELECT name, ?, ?, ?, ?, ? FROM namespace WHERE name = ?",
        )
        .run(
          new Date().toISOString(),
          startedBy,
          process.pid,
          problem,
          JSON.stringify(warnings),
          namespace,
        );
    } finally {
      this.#db.exec("PRAGMA synchronous = FULL");
    }
  }

  #leaveClone(root: string): void {
    const isUsed = this.#db.prepare("SELECT 1 FROM source WHERE root = ?").get(root) !== undefined;
    if (!isUsed) this.#leave({ kind: "clone", name: root });
  }

  #leave({ kind, name }: Leftover): void {
    this.#db
      .prepare("INSERT OR REPLACE INTO leftover VALUES (?, ?, ?)")
      .run(kind, name, Date.now());
  }

  #add(namespace: string, { root, include, exclude, url, ref }: NewSource): Source {
    const now = new Date().toISOString();
    this.#db.prepare("INSERT OR IGNORE INTO namespace VALUES (?, ?)").run(namespace, now);
    const known = this.sources(namespace).find((source) => source.root === root);
    if (known === undefined) {
      this.#db
        .prepare(
          "INSERT INTO source (namespace, root, prefix, include, exclude, added_at, url, ref) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .run(
          namespace,
          root,
          this.#unusedPrefix(namespace, basename(root)),
          JSON.stringify(include ?? []),
          JSON.stringify(exclude ?? []),
          now,
          url ?? null,
          ref ?? null,
        );
    } else if (url !== undefined && known.url === undefined) {
      this.#db
        .prepare("UPDATE source SET url = ?, ref = ? WHERE id = ?")
        .run(url, ref ?? null, known.id);
    }
    if (known !== undefined && (include !== undefined || exclude !== undefined)) {
      this.#db
        .prepare("UPDATE source SET include = ?, exclude = ? WHERE id = ?")
        .run(
          JSON.stringify(include ?? known.include),
          JSON.stringify(exclude ?? known.exclude),
          known.id,
        );
    }
    const row = this.#db
      .prepare("SELECT * FROM source WHERE namespace = ? AND root = ?")
      .get(namespace, root);
    return toSource(row ?? {});
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
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = change();
      this.#db.exec("COMMIT");
      return result;
    } catch (thrown) {
      this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }
}

function toSource(row: Record<string, unknown>): Source {
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
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function globs(json: unknown): readonly string[] {
  const list: unknown = JSON.parse(String(json));
  return Array.isArray(list) ? list.map(String) : [];
}
