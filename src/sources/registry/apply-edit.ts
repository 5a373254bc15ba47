import type { RegistryEdit } from "./port.ts";
import type { PendingDeletion, RegistryRecords } from "./records.ts";

/** Returns the records after an edit. */
export function applyEdit(records: RegistryRecords, edit: RegistryEdit): RegistryRecords {
  if ("remove" in edit) return withoutRecord(records, edit);
  if (edit.put === "namespace") {
    const { record } = edit;
    const others = records.namespaces.filter(({ name }) => name !== record.name);
    return { ...records, namespaces: [...others, record].toSorted(byName) };
  }
  if (edit.put === "source") {
    const nextSourceId = Math.max(records.nextSourceId, edit.record.id + 1);
    return { ...records, sources: withId(records.sources, edit.record), nextSourceId };
  }
  if (edit.put === "monitor") {
    const nextMonitorId = Math.max(records.nextMonitorId, edit.record.id + 1);
    return { ...records, monitors: withId(records.monitors, edit.record), nextMonitorId };
  }
  if (edit.put === "pendingDeletion") {
    const others = records.pendingDeletions.filter((one) => !isSameDeletion(one, edit.record));
    return { ...records, pendingDeletions: [...others, edit.record] };
  }
  const { record } = edit;
  const others = records.lastRuns.filter(({ namespace }) => namespace !== record.namespace);
  return { ...records, lastRuns: [...others, record] };
}

function withoutRecord(
  records: RegistryRecords,
  edit: Extract<RegistryEdit, { readonly remove: string }>,
): RegistryRecords {
  if (edit.remove === "namespace") return withoutNamespace(records, edit.name);
  if (edit.remove === "pendingDeletion") {
    const { record } = edit;
    const left = records.pendingDeletions.filter((one) => !isSameDeletion(one, record));
    return { ...records, pendingDeletions: left };
  }
  const { id } = edit;
  return edit.remove === "source"
    ? { ...records, sources: records.sources.filter((one) => one.id !== id) }
    : { ...records, monitors: records.monitors.filter((one) => one.id !== id) };
}

function withoutNamespace(records: RegistryRecords, name: string): RegistryRecords {
  const isElsewhere = ({ namespace }: { readonly namespace: string }): boolean =>
    namespace !== name;
  return {
    ...records,
    namespaces: records.namespaces.filter((one) => one.name !== name),
    sources: records.sources.filter(isElsewhere),
    lastRuns: records.lastRuns.filter(isElsewhere),
    monitors: records.monitors.filter(isElsewhere),
  };
}

function withId<T extends { readonly id: number }>(all: readonly T[], record: T): readonly T[] {
  const others = all.filter(({ id }) => id !== record.id);
  return [...others, record].toSorted((one, other) => one.id - other.id);
}

export function isSameDeletion(one: PendingDeletion, other: PendingDeletion): boolean {
  return one.kind === other.kind && one.name === other.name;
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
