// The names that commits removed, stored next to the words of commits. They can be read from the repository again at
// any time, so an unreadable file counts as missing.

import type { Storage } from "../embedded/storage/storage.ts";

/** The newest commit that removed something. */
export interface Removal {
  /** Full id of the commit. */
  readonly commit: string;
  /** The file that it was in, relative to the top level of the repository. */
  readonly path: string;
  /** What it was replaced by; "" if that is not known. */
  readonly became: string;
  /** How sure it is that the name was defined there; "moved" if another package may have it now. */
  readonly certainty: "sure" | "likely" | "moved";
}

/** What one commit removed, as it is stored. */
export type CommitRemovals = readonly [
  commit: string,
  names: readonly (readonly [
    key: string,
    path: string,
    became: string,
    certainty: Removal["certainty"],
  ])[],
];

/** What the commits of a repository removed, as far as they have been read. */
export interface Removals {
  /** The commits up to this one have been read, the newest first; "" if none have. */
  readonly head: string;
  /** Number of the commits up to `head` that have been read. */
  readonly read: number;
  /** Whether those are all, within the limits. */
  readonly isWhole: boolean;
  /** Those that removed something, the newest first. */
  readonly commits: readonly CommitRemovals[];
}

const FILE = "removals.json";
/** Increase it when other names are read from patches. */
const VERSION = 2;

export const NO_REMOVALS: Removals = { head: "", read: 0, isWhole: false, commits: [] };

/** Returns what was stored; `NO_REMOVALS` if nothing was, by this version of the format. */
export function loadRemovals(storage: Storage): Removals {
  try {
    const file = storage.open(FILE);
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `saveRemovals` writes it; else it is dropped
      const { version, ...stored } = JSON.parse(
        Buffer.from(file.read(0, file.sizeBytes)).toString(),
      ) as Removals & { readonly version: number };
      return version === VERSION && Array.isArray(stored.commits) ? stored : NO_REMOVALS;
    } finally {
      file.close();
    }
  } catch {
    return NO_REMOVALS;
  }
}

export function saveRemovals(storage: Storage, removals: Removals): void {
  storage.write(FILE, [Buffer.from(JSON.stringify({ version: VERSION, ...removals }))]);
}

/** The newest removal of each name. */
export function newestRemovals({ commits }: Removals): ReadonlyMap<string, Removal> {
  const byKey = new Map<string, Removal>();
  for (const [commit, names] of commits)
    for (const [key, path, became, certainty] of names)
      if (!byKey.has(key)) byKey.set(key, { commit, path, became, certainty });
  return byKey;
}
