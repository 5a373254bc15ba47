import { isSameDeletion } from "./apply-edit.ts";
import type {
  LastRun,
  Monitor,
  PendingDeletion,
  PendingDeletionRecord,
  RegistryRecords,
  Source,
} from "./records.ts";

/** Answers questions about one state of the registry. */
export class RegistryState {
  protected current: RegistryRecords;

  constructor(records: RegistryRecords) {
    this.current = records;
  }

  get records(): RegistryRecords {
    return this.current;
  }

  /** Returns the names of all namespaces, in order. */
  namespaces(): readonly string[] {
    return this.records.namespaces.map(({ name }) => name);
  }

  has(namespace: string): boolean {
    return this.createdAt(namespace) !== undefined;
  }

  /** Creation time of the namespace, ISO 8601; undefined if it does not exist. */
  createdAt(namespace: string): string | undefined {
    return this.records.namespaces.find(({ name }) => name === namespace)?.createdAt;
  }

  sources(namespace: string): readonly Source[] {
    return this.records.sources.filter((source) => source.namespace === namespace);
  }

  /** Returns the first wanted namespace that has `root` as a source. */
  namespaceOf(root: string, isWanted = (_namespace: string) => true): string | undefined {
    return this.records.sources.find((source) => source.root === root && isWanted(source.namespace))
      ?.namespace;
  }

  hasRoot(root: string): boolean {
    return this.records.sources.some((source) => source.root === root);
  }

  pendingDeletions(): readonly PendingDeletion[] {
    return this.records.pendingDeletions;
  }

  pendingDeletion(wanted: PendingDeletion): PendingDeletionRecord | undefined {
    return this.records.pendingDeletions.find((one) => isSameDeletion(one, wanted));
  }

  lastRun(namespace: string): LastRun | undefined {
    return this.records.lastRuns.find((run) => run.namespace === namespace);
  }

  /** Returns the monitors of all owners in a namespace, in order of creation. */
  monitors(namespace: string): readonly Monitor[] {
    return this.records.monitors.filter((monitor) => monitor.namespace === namespace);
  }

  /** Returns an owner's monitors in a namespace, in order of creation. */
  monitorsOfOwner(namespace: string, owner: string): readonly Monitor[] {
    return this.monitors(namespace).filter((monitor) => monitor.owner === owner);
  }

  /** Returns an owner's monitors in all namespaces, sorted by namespace. */
  allMonitorsOfOwner(owner: string): readonly Monitor[] {
    return this.records.monitors
      .filter((monitor) => monitor.owner === owner)
      .toSorted((one, other) => (one.namespace < other.namespace ? -1 : 1));
  }
}
