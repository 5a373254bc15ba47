// What monitors have hit since the last look, for who is to be woken by it: the journal alone is read.

import { SvcError } from "../../base/errors.ts";
import type { JournalReader } from "../../index/backend.ts";
import type { HitPlace } from "../../index/journal/journal.ts";
import type { Caller } from "../../sources/caller.ts";
import type { Monitor } from "../../sources/monitors.ts";
import { journalCursor } from "../changes/change-cursor.ts";

export interface HitsRequest {
  readonly caller: Caller;
  /** Milliseconds since 1970: nothing is told of what was hit before. */
  readonly fromMs: number;
  /** Those of the last answer. */
  readonly places: HitPlaces;
}

/** How far each journal has been read, by namespace. */
export type HitPlaces = ReadonlyMap<string, JournalPlace>;

interface JournalPlace {
  /** Another journal knows nothing of the numbers of this one. */
  readonly journal: string;
  readonly seq: number;
}

export interface HitsAnswer {
  /** A namespace each, with at least one hit. */
  readonly found: readonly NamespaceHits[];
  /** For the next request. */
  readonly places: HitPlaces;
}

export interface NamespaceHits {
  readonly namespace: string;
  /** In the order in which they were first hit. */
  readonly hits: readonly MonitorHit[];
  /** True when there are more than are shown. */
  readonly hasMore: boolean;
  /** With it as `since`, `changes` begins with the first of these. */
  readonly since: string;
}

interface MonitorHit {
  /** Name of the monitor. */
  readonly monitor: string;
  readonly path: string;
  /** Changes of this file that the monitor hit. */
  readonly count: number;
}

interface HitsSight {
  /** The caller's own, in namespaces that it may see. */
  readonly monitors: readonly Monitor[];
  /** Undefined where nothing has been indexed. */
  readonly journal: (namespace: string) => JournalReader | undefined;
}

/** Hits that are shown of one namespace. */
const MOST_HITS = 20;
/** Hits that are read of one namespace: a switch of branches may have any number of them. */
const MOST_READ = 1000;

export function findMonitorHits(
  { monitors, journal }: HitsSight,
  { fromMs, places }: HitsRequest,
): HitsAnswer {
  const found: NamespaceHits[] = [];
  const reached = new Map(places);
  for (const [namespace, own] of Map.groupBy(monitors, (monitor) => monitor.namespace)) {
    try {
      const hits = hitsIn(journal(namespace), { namespace, own, fromMs, reached });
      if (hits !== undefined) found.push(hits);
    } catch (thrown) {
      // One that is damaged or was just removed does not keep the others silent; who asks it is told.
      if (!(thrown instanceof SvcError)) throw thrown;
    }
  }
  return { found, places: reached };
}

interface Look {
  readonly namespace: string;
  readonly own: readonly Monitor[];
  readonly fromMs: number;
  /** Is moved to where the journal ends. */
  readonly reached: Map<string, JournalPlace>;
}

function hitsIn(
  journal: JournalReader | undefined,
  { namespace, own, fromMs, reached }: Look,
): NamespaceHits | undefined {
  if (journal === undefined) return undefined;
  const state = journal.state();
  const place = reached.get(namespace);
  const isSame = place?.journal === state.id;
  if (isSame && place.seq === state.last) return undefined;
  const after = isSame ? place.seq : journal.seqBefore(fromMs);
  const ids = own.map(({ id }) => id);
  const rows = journal.hitsAfter({ after, last: state.last }, MOST_READ, ids);
  reached.set(namespace, { journal: state.id, seq: state.last });
  const [first] = rows;
  if (first === undefined) return undefined;
  const hits = grouped(rows, own);
  return {
    namespace,
    hits: hits.slice(0, MOST_HITS),
    hasMore: hits.length > MOST_HITS || rows.length === MOST_READ,
    since: journalCursor(namespace, state, first.seq - 1),
  };
}

function grouped(rows: readonly HitPlace[], monitors: readonly Monitor[]): readonly MonitorHit[] {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  const groups = Map.groupBy(rows, ({ monitor, path }) => `${monitor} ${path}`);
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { monitor, path } = first;
    return [{ monitor: names.get(monitor) ?? "", path, count: rest.length + 1 }];
  });
}
