// Monitors (saved queries), by namespace and owner. They cannot be derived from the sources. They are stored in
// the registry and are deleted with their namespace.

import { existsSync } from "node:fs";

import { SvcError } from "../base/errors.ts";
import { openRegistryFile, registryFile, writingRegistry } from "./registry-schema.ts";
import type { Access, Row, SummedDatabase } from "./summed-database.ts";

export const MONITOR_KINDS = ["query", "pattern", "symbol", "path"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** A saved query whose hits are reported with changes. */
export interface Monitor {
  readonly id: number;
  readonly namespace: string;
  /** Id of the credential that created it; `local` for the owner of the machine. */
  readonly owner: string;
  /** Unique for this owner in this namespace. */
  readonly name: string;
  readonly kind: MonitorKind;
  /** The query, pattern, symbol name or path glob, by `kind`. */
  readonly question: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

const MAX_PER_OWNER = 50;
const MAX_PER_NAMESPACE = 1000;

/** The monitors of all namespaces. The registry must have been opened before. */
export class MonitorStore {
  readonly #db: SummedDatabase;

  constructor(dataDirectory: string) {
    this.#db = openRegistryFile(dataDirectory, "use");
  }

  close(): void {
    this.#db.close();
  }

  /** Returns an owner's monitors in a namespace, in order of creation. */
  listByOwner(namespace: string, owner: string): readonly Monitor[] {
    return this.#all().filter((one) => one.namespace === namespace && one.owner === owner);
  }

  /** Returns an owner's monitors in all namespaces, sorted by namespace. */
  listAllByOwner(owner: string): readonly Monitor[] {
    return this.#all()
      .filter((one) => one.owner === owner)
      .toSorted((one, other) => (one.namespace < other.namespace ? -1 : 1));
  }

  /**
   * Adds a monitor, with a generated name if `name` is empty. Adding the same query again returns the existing
   * monitor. Throws INVALID_PARAMS if the name is taken or there are too many.
   */
  add({ namespace, owner, name, kind, question }: Omit<Monitor, "id" | "createdAt">): Monitor {
    return writingRegistry(this.#db, () => {
      const own = this.listByOwner(namespace, owner);
      const same = own.find(
        (monitor) =>
          (name === "" || monitor.name === name) &&
          monitor.kind === kind &&
          monitor.question === question,
      );
      if (same !== undefined) return same;
      this.#requireCapacity(namespace, own);
      const wanted = name === "" ? unusedName(own) : name;
      if (own.some((monitor) => monitor.name === wanted)) {
        throw new SvcError("INVALID_PARAMS", `A monitor named "${wanted}" already exists.`, {
          hint: "Give it another name, or delete that one first.",
        });
      }
      const created_at = new Date().toISOString();
      const values = { namespace, owner, name: wanted, kind, question, created_at };
      return toMonitor(this.#db.insert("monitor", values));
    });
  }

  #requireCapacity(namespace: string, own: readonly Monitor[]): void {
    if (own.length >= MAX_PER_OWNER) {
      throw new SvcError(
        "INVALID_PARAMS",
        `You have ${MAX_PER_OWNER} monitors, which is the maximum.`,
        {
          hint: "Delete one that you no longer need; `list` shows them.",
        },
      );
    }
    const inNamespace = this.#all().filter((one) => one.namespace === namespace);
    if (inNamespace.length < MAX_PER_NAMESPACE) return;
    throw new SvcError(
      "INVALID_PARAMS",
      `The namespace has ${MAX_PER_NAMESPACE} monitors, which is the maximum.`,
      { hint: "Other users of the namespace must delete some." },
    );
  }

  /** Removes a monitor and returns it; undefined if the owner has none of that name. */
  remove(namespace: string, owner: string, name: string): Monitor | undefined {
    return writingRegistry(this.#db, () => {
      const found = this.#db
        .rows("monitor")
        .find(
          (row) => row["namespace"] === namespace && row["owner"] === owner && row["name"] === name,
        );
      if (found === undefined) return undefined;
      this.#db.remove("monitor", found);
      return toMonitor(found);
    });
  }

  #all(): readonly Monitor[] {
    return this.#db.rows("monitor").map(toMonitor);
  }
}

/** Returns the monitors of all owners in a namespace, for an indexing run. */
export function listMonitors(dataDirectory: string, namespace: string): readonly Monitor[] {
  const all = withFile(dataDirectory, "read", (db) => db.rows("monitor").map(toMonitor));
  return (all ?? []).filter((one) => one.namespace === namespace);
}

/** Removes the monitors of a revoked credential in every namespace. */
export function removeMonitorsOf(dataDirectory: string, owner: string): void {
  withFile(dataDirectory, "use", (db) => {
    if (rowsOfOwner(db, owner).length === 0) return;
    writingRegistry(db, () => {
      for (const row of rowsOfOwner(db, owner)) db.remove("monitor", row);
    });
  });
}

function rowsOfOwner(db: SummedDatabase, owner: string): readonly Row[] {
  return db.rows("monitor").filter((row) => row["owner"] === owner);
}

/** Opens the registry for `use`; undefined if there is none. */
function withFile<T>(
  dataDirectory: string,
  access: Access,
  use: (db: SummedDatabase) => T,
): T | undefined {
  if (!existsSync(registryFile(dataDirectory))) return undefined;
  const db = openRegistryFile(dataDirectory, access);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function unusedName(own: readonly Monitor[]): string {
  const taken = new Set(own.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = `monitor-${number}`;
    if (!taken.has(name)) return name;
  }
}

function toMonitor(row: Row): Monitor {
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
