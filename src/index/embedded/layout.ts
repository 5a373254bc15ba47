import { join } from "node:path";

/** Where the index of a namespace lies inside the data directory. */
export interface IndexLayout {
  readonly directory: string;
  readonly catalog: string;
  readonly segments: string;
  readonly writerLock: string;
  /** Held by the process that watches the sources. */
  readonly leaderLock: string;
  /** What it says of that. */
  readonly heartbeat: string;
  /** That it is damaged, until it has been built anew. */
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
