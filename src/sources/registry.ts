// Which namespaces exist and which sources feed them. One small SQLite file beside the indexes,
// shared by every svc process of the user.

import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { enterWal } from "../base/enter-wal.ts";
import { isNamespaceName, namespaceNameFor } from "./namespace.ts";

const SCHEMA_VERSION = 1;
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
PRAGMA user_version = ${SCHEMA_VERSION};
`;

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
}

interface NewSource {
  readonly root: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export class Registry {
  readonly #db: DatabaseSync;

  /** Opens the registry of a data directory, which is made (0700) when it is not there. */
  constructor(dataDirectory: string) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    const path = join(dataDirectory, "registry.db");
    // SQLite would make it readable to everybody.
    closeSync(openSync(path, "a", 0o600));
    this.#db = new DatabaseSync(path, { timeout: 5000 });
    enterWal(this.#db);
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    this.#write(() => {
      const version = Number(this.#db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
      if (version === 0) this.#db.exec(SCHEMA);
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

  sources(namespace: string): readonly Source[] {
    const rows = this.#db.prepare("SELECT * FROM source WHERE namespace = ? ORDER BY id");
    return rows.all(namespace).map(toSource);
  }

  /** The namespace that already holds `root` as a source. */
  namespaceOf(root: string): string | undefined {
    const row = this.#db
      .prepare("SELECT namespace FROM source WHERE root = ? ORDER BY id")
      .get(root);
    return row === undefined ? undefined : String(row["namespace"]);
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

  #add(namespace: string, { root, include, exclude }: NewSource): Source {
    const now = new Date().toISOString();
    this.#db.prepare("INSERT OR IGNORE INTO namespace VALUES (?, ?)").run(namespace, now);
    const known = this.sources(namespace).find((source) => source.root === root);
    if (known === undefined) {
      this.#db
        .prepare(
          "INSERT INTO source (namespace, root, prefix, include, exclude, added_at) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .run(
          namespace,
          root,
          this.#unusedPrefix(namespace, basename(root)),
          JSON.stringify(include ?? []),
          JSON.stringify(exclude ?? []),
          now,
        );
    } else if (include !== undefined || exclude !== undefined) {
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

  #unusedPrefix(namespace: string, folder: string): string {
    const sources = this.sources(namespace);
    const [first] = sources;
    if (first === undefined) return "";
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? folder : `${folder}-${number}`;
      const isTaken = sources.some(({ prefix }) => prefix === `${name}/`);
      // The first source has no prefix: a folder of this name in it would be hidden.
      if (!isTaken && !existsSync(join(first.root, name))) return `${name}/`;
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
  };
}

function globs(json: unknown): readonly string[] {
  const list: unknown = JSON.parse(String(json));
  return Array.isArray(list) ? list.map(String) : [];
}
