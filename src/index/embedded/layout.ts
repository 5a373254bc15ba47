import { join } from "node:path";

/** Paths of a namespace's index in the data directory. */
export interface IndexLayout {
  readonly directory: string;
  readonly catalog: string;
  readonly segments: string;
  readonly writerLock: string;
  /** Locked by the process that watches the sources. */
  readonly leaderLock: string;
  /** Status file of that process. */
  readonly heartbeat: string;
  /** Exists while the index is damaged and not yet rebuilt. */
  readonly damageMarker: string;
}

export function indexLayout(dataDirectory: string, namespace: string): IndexLayout {
  const directory = join(dataDirectory, "namespaces", namespace);
  return {
    directory,
    catalog: join(directory, "catalog.db"),
    segments: join(directory, "segments"),
    writerLock: join(directory, "writer.lock"),
    leaderLock: join(directory, "watcher.lock"),
    heartbeat: join(directory, "watcher.json"),
    damageMarker: join(directory, "damage"),
  };
}
