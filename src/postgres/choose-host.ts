// Which of several hosts to use. After a fail-over the former primary may come back and accept writes too; the promoted
// standby has a higher timeline.

/** Time that the other hosts have to answer after the first one that accepts writes. */
const MORE_MS = 300;

/** Selects the timeline of a server that accepts writes; null for a standby. */
export const TIMELINE =
  "SELECT CASE WHEN pg_is_in_recovery() THEN NULL " +
  "ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline";

/**
 * Returns the number of the host that accepts writes and has the highest timeline, the first of several; undefined if none
 * accepts writes. `timelineOf`: the timeline of a host, undefined for a standby; may throw. `signal` tells it that the
 * choice is made.
 */
export async function newestPrimary(
  hosts: number,
  timelineOf: (host: number, signal: AbortSignal) => Promise<number | undefined>,
): Promise<number | undefined> {
  const found = new Map<number, number>();
  const choice = new AbortController();
  const { promise: isLate, resolve: stop } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const looks = Array.from({ length: hosts }, async (_, host) => {
    const timeline = await timelineOf(host, choice.signal).catch(() => undefined);
    if (timeline === undefined) return;
    found.set(host, timeline);
    timer ??= setTimeout(stop, MORE_MS);
  });
  await Promise.race([Promise.all(looks), isLate]);
  clearTimeout(timer);
  choice.abort();
  const best = [...found].toSorted(
    ([one, oneLine], [other, otherLine]) => otherLine - oneLine || one - other,
  );
  return best[0]?.[0];
}
