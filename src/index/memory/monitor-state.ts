import {
  lacksLineHashes,
  lineHashesOf,
  setLineHashes,
  setWatched,
  watchedOf,
} from "../change-log/monitored-baselines.ts";
import type { MonitorState, MonitorStateChanges, UsingSymbols } from "../port.ts";
import type { MemoryChangeLog } from "./change-log.ts";
import type { IndexState } from "./index-state.ts";

/** The data that monitors need, in the state that `current` returns. `change` runs a transaction of the writer. */
export function memoryMonitorState(
  current: () => IndexState,
  change: (next: (state: IndexState) => IndexState) => Promise<void>,
): MonitorState {
  const changeLog = (): MemoryChangeLog => current().changeLog;
  return {
    note: (name) => changeLog().note(name),
    withoutLineHashes: () =>
      [...changeLog().baselines]
        .filter(lacksLineHashes)
        .map(({ path, hash }) => ({ path, hash: String(hash) })),
    hasPending: () => changeLog().hasPending(),
    change: (write) =>
      change((state) => {
        const copy = state.changeLog.copy();
        write(changesOf(copy));
        return { ...state, changeLog: copy };
      }),
    usesOf: (name) => ownersOfUses(current(), name),
    changedSinceBaseline: () => changedSinceBaseline(current()),
    lineHashes: (path) => lineHashesOf(changeLog(), path),
    watched: (path) => watchedOf(changeLog(), path),
  };
}

function changesOf(changeLog: MemoryChangeLog): MonitorStateChanges {
  return {
    setNote: (name, value) => changeLog.setNote(name, value),
    setLineHashes: (path, hashes) => setLineHashes(changeLog, path, hashes),
    dropLineHashes: () => {
      for (const file of changeLog.baselines) {
        changeLog.setBaseline({ ...file, lineHashes: null });
      }
    },
    setWatched: (path, value) => setWatched(changeLog, path, value),
    deleteHitsExcept: (monitors) => changeLog.deleteHitsExcept(monitors),
  };
}

function ownersOfUses({ contents }: IndexState, name: string): readonly UsingSymbols[] {
  return [...contents.byPath.values()].flatMap(({ facts, symbols, references }) => {
    const uses = references.uses.filter((use) => use.name === name);
    const owners = uses.map(({ owner }) => symbols[owner]?.qualifiedName ?? "");
    return owners.length === 0 ? [] : [{ path: facts.path, owners }];
  });
}

/** Returns files with a baseline whose indexed content differs or is not complete. */
function changedSinceBaseline({ changeLog, states }: IndexState): readonly string[] {
  return [...changeLog.baselines]
    .filter(({ path, hash }) => {
      const state = states.get(path);
      return hash !== "" && (state?.stage !== "complete" || state.hash !== hash);
    })
    .map(({ path }) => path);
}
