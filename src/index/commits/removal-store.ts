// What commits removed, stored next to the words of commits. It can be read from the repository again at any time, so a
// file that cannot be read counts as none.

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

/** What the commits of a repository removed, as far as they have been read. */
export interface Removals {
  /** The commits up to this one have been read, the newest first; "" if none have. */
  readonly head: string;
  /** Number of the commits up to `head` that have been read. */
  readonly read: number;
  /** Whether those are all, within the limits. */
  readonly isWhole: boolean;
  readonly byKey: ReadonlyMap<string, Removal>;
}

const FILE = "removals.json";
/** Increase it when other names are read from patches. */
const VERSION = 1;
type StoredName = readonly [
  key: string,
  path: string,
  became: string,
  certainty: Removal["certainty"],
];

export const NO_REMOVALS: Removals = { head: "", read: 0, isWhole: false, byKey: new Map() };

/** Returns what was stored; `NO_REMOVALS` if nothing was, by this version of the format. */
export function loadRemovals(storage: Storage): Removals {
  try {
    const file = storage.open(FILE);
    try {
      return parse(Buffer.from(file.read(0, file.sizeBytes)).toString());
    } finally {
      file.close();
    }
  } catch {
    return NO_REMOVALS;
  }
}

export function saveRemovals(storage: Storage, { head, read, isWhole, byKey }: Removals): void {
  const ofCommits = new Map<string, StoredName[]>();
  for (const [key, { commit, path, became, certainty }] of byKey) {
    const list = ofCommits.get(commit);
    const stored: StoredName = [key, path, became, certainty];
    if (list === undefined) ofCommits.set(commit, [stored]);
    else list.push(stored);
  }
  const stored = { version: VERSION, head, read, isWhole, commits: [...ofCommits] };
  storage.write(FILE, [Buffer.from(JSON.stringify(stored))]);
}

function parse(text: string): Removals {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `saveRemovals` writes it; else the caller drops it
  const { version, head, read, isWhole, commits } = JSON.parse(text) as {
    readonly version: number;
    readonly head: string;
    readonly read: number;
    readonly isWhole: boolean;
    readonly commits: readonly (readonly [commit: string, removed: readonly StoredName[]])[];
  };
  if (version !== VERSION) return NO_REMOVALS;
  const byKey = new Map<string, Removal>();
  for (const [commit, removed] of commits)
    for (const [key, path, became, certainty] of removed)
      byKey.set(key, { commit, path, became, certainty });
  return { head, read, isWhole, byKey };
}
