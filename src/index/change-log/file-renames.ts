// Pairs removed files with added ones to detect renames.

import type { FileFingerprints } from "../../parse/fingerprints.ts";
import type { PendingState } from "./change-log-store.ts";
import { isSimilarFile } from "./symbol-diff.ts";

/** Maximum candidates compared with each added file: there may be thousands called "index.ts". */
const MAX_RENAME_CANDIDATES = 20;

/**
 * Returns the old path of each renamed file by its new path. Files with equal content are paired, first those
 * with equal names, then in path order. A file that was also edited is paired if at least half of its
 * definitions match, with a file of the same name or folder.
 */
export function pairRenames(
  states: readonly PendingState[],
  fingerprintsOf: (state: "baseline" | "pending", path: string) => FileFingerprints,
): ReadonlyMap<string, string> {
  const gone = states.filter(({ hash, oldHash }) => hash === undefined && oldHash !== undefined);
  const added = states.filter(({ hash, oldHash }) => hash !== undefined && oldHash === undefined);
  const renamed = new Map<string, string>();
  if (gone.length === 0 || added.length === 0) return renamed;
  const taken = new Set<string>();
  const pair = (
    key: (state: PendingState) => string | undefined,
    isSame: (one: PendingState, other: PendingState) => boolean,
  ): void => {
    const unpaired = Map.groupBy(
      gone.filter(({ path }) => !taken.has(path)),
      key,
    );
    for (const file of added) {
      const wanted = key(file);
      if (wanted === undefined || renamed.has(file.path)) continue;
      const candidates = unpaired.get(wanted) ?? [];
      const at = candidates.slice(0, MAX_RENAME_CANDIDATES).findIndex((one) => isSame(one, file));
      const [was] = at === -1 ? [] : candidates.splice(at, 1);
      if (was === undefined) continue;
      taken.add(was.path);
      renamed.set(file.path, was.path);
    }
  };
  pair(
    (state) => withContent(state, (hash) => `${hash} ${nameOf(state.path)}`),
    () => true,
  );
  pair(
    (state) => withContent(state, (hash) => hash),
    () => true,
  );
  const isEdited = (one: PendingState, other: PendingState): boolean =>
    isSimilarFile(fingerprintsOf("baseline", one.path), fingerprintsOf("pending", other.path));
  pair(({ path }) => nameOf(path), isEdited);
  pair(({ path }) => path.slice(0, path.lastIndexOf("/") + 1), isEdited);
  return renamed;
}

/** Undefined for a file with unknown content. */
function withContent(
  { hash, oldHash }: PendingState,
  key: (hash: string) => string,
): string | undefined {
  const content = hash ?? oldHash ?? "";
  return content === "" ? undefined : key(content);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
