// The records of the registry as rows of SQLite.

import type { RegistryEdit } from "../port.ts";
import {
  MONITOR_KINDS,
  type LastRunRecord,
  type Monitor,
  type PendingDeletionRecord,
  type RegistryRecords,
  type Source,
} from "../records.ts";
import type { Row, SummedDatabase } from "./summed-database.ts";

/** Returns all records. */
export function readRecords(db: SummedDatabase): RegistryRecords {
  const namespaces = db
    .rows("namespace")
    .map((row) => ({ name: String(row["name"]), createdAt: String(row["created_at"]) }));
  return {
    namespaces,
    sources: db.rows("source").map(toSource),
    pendingDeletions: db.rows("leftover").map(toPendingDeletion),
    lastRuns: db.rows("last_run").map(toLastRun),
    monitors: db.rows("monitor").map(toMonitor),
    nextSourceId: db.lastId("source") + 1,
    nextMonitorId: db.lastId("monitor") + 1,
  };
}

/** Makes one edit, within a change of the database. */
export function writeEdit(db: SummedDatabase, edit: RegistryEdit): void {
  const { table, key, values } = rowOf(edit);
  const row = db
    .rows(table)
    .find((one) => Object.entries(key).every(([name, value]) => isEqual(one[name], value)));
  if (values === undefined) {
    if (row !== undefined) db.remove(table, row);
  } else if (row === undefined) {
    db.insert(table, { ...key, ...values });
  } else {
    db.update(table, row, values);
  }
}

/** The driver returns whole numbers as big integers. */
function isEqual(stored: Row[string] | undefined, value: Row[string] | undefined): boolean {
  return stored === value || (typeof stored === "bigint" && Number(stored) === value);
}

interface EditedRow {
  readonly table: string;
  readonly key: Row;
  /** The other columns; undefined to delete the row. */
  readonly values?: Row;
}

function rowOf(edit: RegistryEdit): EditedRow {
  return "remove" in edit ? removedRow(edit) : putRow(edit);
}

function removedRow(edit: Extract<RegistryEdit, { readonly remove: string }>): EditedRow {
  if (edit.remove === "namespace") return { table: "namespace", key: { name: edit.name } };
  if (edit.remove === "pendingDeletion")
    return { table: "leftover", key: keyOfDeletion(edit.record) };
  return { table: edit.remove, key: { id: edit.id } };
}

function putRow(edit: Extract<RegistryEdit, { readonly put: string }>): EditedRow {
  if (edit.put === "namespace") {
    const { name, createdAt } = edit.record;
    return { table: "namespace", key: { name }, values: { created_at: createdAt } };
  }
  if (edit.put === "source") {
    return { table: "source", key: { id: edit.record.id }, values: sourceValues(edit.record) };
  }
  if (edit.put === "pendingDeletion") {
    const { record } = edit;
    const values = { noted_at: record.requestedMs };
    return { table: "leftover", key: keyOfDeletion(record), values };
  }
  if (edit.put === "lastRun") {
    const { namespace } = edit.record;
    return { table: "last_run", key: { namespace }, values: lastRunValues(edit.record) };
  }
  const { id, createdAt, ...values } = edit.record;
  return { table: "monitor", key: { id }, values: { ...values, created_at: createdAt } };
}

function keyOfDeletion({ kind, name }: Pick<PendingDeletionRecord, "kind" | "name">): Row {
  return { kind, name };
}

function sourceValues(source: Source): Row {
  return {
    namespace: source.namespace,
    root: source.root,
    prefix: source.prefix,
    include: JSON.stringify(source.include),
    exclude: JSON.stringify(source.exclude),
    added_at: source.addedAt,
    url: source.url ?? null,
    ref: source.ref ?? null,
    fetched_at: source.fetchedAt ?? null,
    identity: source.identity ?? null,
    outside_git: source.outsideGit ?? null,
  };
}

function lastRunValues({ endedAt, startedBy, process, problem, warnings }: LastRunRecord): Row {
  return {
    ended_at: endedAt,
    started_by: startedBy,
    process,
    problem: problem ?? null,
    warnings: JSON.stringify(warnings),
  };
}

function toSource(row: Row): Source {
  return {
    id: Number(row["id"]),
    namespace: String(row["namespace"]),
    root: String(row["root"]),
    prefix: String(row["prefix"]),
    include: textsIn(row["include"]),
    exclude: textsIn(row["exclude"]),
    addedAt: String(row["added_at"]),
    url: textIn(row["url"]),
    ref: textIn(row["ref"]),
    fetchedAt: textIn(row["fetched_at"]),
    identity: textIn(row["identity"]),
    outsideGit: textIn(row["outside_git"]),
  };
}

function toPendingDeletion(row: Row): PendingDeletionRecord {
  return {
    kind: row["kind"] === "clone" ? "clone" : "index",
    name: String(row["name"]),
    requestedMs: Number(row["noted_at"]),
  };
}

function toLastRun(row: Row): LastRunRecord {
  return {
    namespace: String(row["namespace"]),
    endedAt: String(row["ended_at"]),
    startedBy: String(row["started_by"]),
    process: Number(row["process"]),
    problem: textIn(row["problem"]),
    warnings: textsIn(row["warnings"]),
  };
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

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsIn(json: unknown): readonly string[] {
  const list: unknown = JSON.parse(String(json));
  return Array.isArray(list) ? list.map(String) : [];
}
