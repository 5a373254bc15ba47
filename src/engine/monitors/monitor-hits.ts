// Finds new hits of monitors, for notifications. Reads only the change log.

import { SvcError } from "../../base/errors.ts";
import type { ChangeLogReader } from "../../index/port.ts";
import type { HitPlace } from "../../index/change-log/change-event.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import { changeLogCursor } from "../changes/change-cursor.ts";
import type {
  ChangeLogPosition,
  HitsRequest,
  HitsResult,
  MonitorHit,
  NamespaceHits,
} from "../api/monitor-hits.ts";

interface HitsContext {
  /** Monitors of the caller, in namespaces that the caller may access. */
  readonly monitors: readonly Monitor[];
  /** Undefined when nothing has been indexed. */
  readonly changeLog: (namespace: string) => Promise<ChangeLogReader | undefined>;
}

/** Maximum hits returned per namespace. */
const MAX_HITS = 20;
/** Maximum hits read per namespace: a switch of branches may have any number of them. */
const MAX_ROWS = 1000;

export async function findMonitorHits(
  { monitors, changeLog }: HitsContext,
  { fromMs, positions }: HitsRequest,
): Promise<HitsResult> {
  const found: NamespaceHits[] = [];
  const reached = new Map(positions);
  for (const [namespace, own] of Map.groupBy(monitors, (monitor) => monitor.namespace)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- few namespaces, and their order is the answer's
      const hits = await hitsIn(await changeLog(namespace), { namespace, own, fromMs, reached });
      if (hits !== undefined) found.push(hits);
    } catch (thrown) {
      // A damaged or just removed namespace must not stop the others. A query on it reports the error.
      if (!(thrown instanceof SvcError)) throw thrown;
    }
  }
  return { found, positions: reached };
}

interface HitSearch {
  readonly namespace: string;
  readonly own: readonly Monitor[];
  readonly fromMs: number;
  /** Set to the end of the change log. */
  readonly reached: Map<string, ChangeLogPosition>;
}

async function hitsIn(
  changeLog: ChangeLogReader | undefined,
  { namespace, own, fromMs, reached }: HitSearch,
): Promise<NamespaceHits | undefined> {
  if (changeLog === undefined) return undefined;
  const state = await changeLog.state();
  const place = reached.get(namespace);
  const isSame = place?.changeLogId === state.id;
  if (isSame && place.seq === state.last) return undefined;
  const after = isSame ? place.seq : await changeLog.seqBefore(fromMs);
  const ids = own.map(({ id }) => id);
  const rows = await changeLog.hitsAfter({ after, last: state.last }, MAX_ROWS, ids);
  reached.set(namespace, { changeLogId: state.id, seq: state.last });
  const [first] = rows;
  if (first === undefined) return undefined;
  const hits = grouped(rows, own);
  return {
    namespace,
    hits: hits.slice(0, MAX_HITS),
    hasMore: hits.length > MAX_HITS || rows.length === MAX_ROWS,
    since: changeLogCursor(namespace, state, first.seq - 1),
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
