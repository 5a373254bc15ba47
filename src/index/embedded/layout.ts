import { join } from "node:path";

/** Paths of a namespace's index in the data directory. */
export interface IndexLayout {
  /** Contains all files of the index. */
  readonly directory: string;
  /** The SQLite file of the catalogue. */
  readonly catalog: string;
  /** Directory of the segment files. */
  readonly segments: string;
  /** Directory of the texts of documents. */
  readonly documents: string;
  /** Directory of the words of commits. */
  readonly commits: string;
  /** Directory of the indexes of commits. */
  readonly revisions: string;
  /** Data directory with the index that was fetched from a server. */
  readonly fetched: string;
  /** Locked by the writer of the index. */
  readonly writerLock: string;
  /** Locked by the process that gets the writer lock next. */
  readonly writerQueue: string;
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
    documents: join(directory, "documents"),
    commits: join(directory, "commits"),
    revisions: join(directory, "revisions"),
    fetched: join(directory, "fetched"),
    writerLock: join(directory, "writer.lock"),
    writerQueue: join(directory, "writer-queue.lock"),
    leaderLock: join(directory, "watcher.lock"),
    heartbeat: join(directory, "watcher.json"),
    damageMarker: join(directory, "damage"),
  };
}
