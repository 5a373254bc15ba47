// Standing questions, by namespace and by who asked. They cannot be derived from the sources: they lie beside the
// registry, and go with their namespace.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { SvcError } from "../base/errors.ts";

export const MONITOR_KINDS = ["query", "pattern", "symbol", "path"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

export interface Monitor {
  readonly id: number;
  readonly namespace: string;
  /** Id of the credential that made it, `local` for the owner of the machine. */
  readonly owner: string;
  readonly name: string;
  readonly kind: MonitorKind;
  readonly question: string;
  readonly createdAt: string;
}

const MOST_OF_OWNER = 50;
const MOST_OF_NAMESPACE = 1000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS monitor (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL REFERENCES namespace (name) ON DELETE CASCADE,
  owner TEXT NOT NULL, name TEXT NOT NULL,
  kind TEXT NOT NULL, question TEXT NOT NULL, created_at TEXT NOT NULL,
  UNIQUE (namespace, owner, name)
)`;

/** The monitors of all namespaces; the registry has been opened before. */
export class MonitorStore {
  readonly #db: DatabaseSync;

  constructor(dataDirectory: string) {
    this.#db = new DatabaseSync(pathIn(dataDirectory), { timeout: 5000 });
    this.#db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    if (!hasTable(this.#db)) this.#db.exec(SCHEMA);
  }

  close(): void {
    this.#db.close();
  }

  /** In the order in which they were made. */
  ofOwner(namespace: string, owner: string): readonly Monitor[] {
    return this.#db
      .prepare("SELECT * FROM monitor WHERE namespace = ? AND owner = ? ORDER BY id")
      .all(namespace, owner)
      .map(toMonitor);
  }

  /** In all namespaces, one after the other. */
  allOfOwner(owner: string): readonly Monitor[] {
    return this.#db
      .prepare("SELECT * FROM monitor WHERE owner = ? ORDER BY namespace, id")
      .all(owner)
      .map(toMonitor);
  }

  /**
   * Without a name it gets one; the same question again is the same monitor. Throws INVALID_PARAMS when the name
   * is taken or there are too many.
   */
  add({ namespace, owner, name, kind, question }: Omit<Monitor, "id" | "createdAt">): Monitor {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const own = this.ofOwner(namespace, owner);
      const same = own.find(
        (monitor) =>
          (name === "" || monitor.name === name) &&
          monitor.kind === kind &&
          monitor.question === question,
      );
      if (same !== undefined) {
        this.#db.exec("COMMIT");
        return same;
      }
      this.#requireRoom(namespace, own);
      const wanted = name === "" ? unusedName(own) : name;
      if (own.some((monitor) => monitor.name === wanted)) {
        throw new SvcError("INVALID_PARAMS", `There is a monitor "${wanted}" already.`, {
          hint: "Give it another name, or delete that one first.",
        });
      }
      const row = this.#db
        .prepare(
          `INSERT INTO monitor (namespace, owner, name, kind, question, created_at)
           VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
        )
        .get(namespace, owner, wanted, kind, question, new Date().toISOString());
      this.#db.exec("COMMIT");
      return toMonitor(row ?? {});
    } catch (thrown) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }

  #requireRoom(namespace: string, own: readonly Monitor[]): void {
    if (own.length >= MOST_OF_OWNER) {
      throw new SvcError(
        "INVALID_PARAMS",
        `You have ${MOST_OF_OWNER} monitors, the most there can be.`,
        {
          hint: "Delete one that is no longer needed; `list` shows them.",
        },
      );
    }
    const row = this.#db
      .prepare("SELECT count(*) AS n FROM monitor WHERE namespace = ?")
      .get(namespace);
    if (Number(row?.["n"] ?? 0) < MOST_OF_NAMESPACE) return;
    throw new SvcError(
      "INVALID_PARAMS",
      `The namespace has ${MOST_OF_NAMESPACE} monitors, the most there can be.`,
      { hint: "Others who use it have to delete some." },
    );
  }

  /** Undefined when the owner has none of that name. */
  remove(namespace: string, owner: string, name: string): Monitor | undefined {
    const row = this.#db
      .prepare("DELETE FROM monitor WHERE namespace = ? AND owner = ? AND name = ? RETURNING *")
      .get(namespace, owner, name);
    return row === undefined ? undefined : toMonitor(row);
  }
}

/** Those of everybody, as an indexing run needs them; none where nobody made any. */
export function monitorsOf(dataDirectory: string, namespace: string): readonly Monitor[] {
  return (
    withTable(dataDirectory, { readOnly: true }, (db) =>
      db
        .prepare("SELECT * FROM monitor WHERE namespace = ? ORDER BY id")
        .all(namespace)
        .map(toMonitor),
    ) ?? []
  );
}

/** Removes what a credential that is no more has left, in every namespace. */
export function removeMonitorsOf(dataDirectory: string, owner: string): void {
  withTable(dataDirectory, {}, (db) => {
    db.prepare("DELETE FROM monitor WHERE owner = ?").run(owner);
  });
}

/** Undefined where there is no table of them. */
function withTable<T>(
  dataDirectory: string,
  options: { readonly readOnly?: true },
  use: (db: DatabaseSync) => T,
): T | undefined {
  const path = pathIn(dataDirectory);
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { ...options, timeout: 5000 });
  try {
    return hasTable(db) ? use(db) : undefined;
  } finally {
    db.close();
  }
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, "registry.db");
}

function hasTable(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'monitor'").get() !== undefined;
}

function unusedName(own: readonly Monitor[]): string {
  const taken = new Set(own.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = `monitor-${number}`;
    if (!taken.has(name)) return name;
  }
}

function toMonitor(row: Record<string, unknown>): Monitor {
  const kind = MONITOR_KINDS.find((one) => one === row["kind"]) ?? "path";
  return {
    id: Number(row["id"]),
    namespace: String(row["namespace"]),
    owner: String(row["owner"]),
    name: String(row["name"]),
    kind,
    question: String(row["question"]),
    createdAt: String(row["created_at"]),
  };
}
