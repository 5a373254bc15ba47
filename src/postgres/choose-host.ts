// Which of several hosts to use. After a fail-over the former primary may come back and accept writes too; the promoted
// standby has a higher timeline.

/** Time that the other hosts have to answer after the first one that accepts writes. */
const MORE_MS = 300;

/** Selects the timeline of a server that accepts writes, null for a standby, and the id that it shares with its standbys. */
export const TIMELINE =
  "SELECT CASE WHEN pg_is_in_recovery() THEN NULL " +
  "ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline, " +
  "(SELECT system_identifier::text FROM pg_control_system()) AS cluster";

/** A host that accepts writes. */
export interface Primary {
  readonly timeline: number;
  /** Equal for a server and all servers that were made of it: only their timelines can be compared. */
  readonly cluster: string;
}

/** What a host answers: undefined for a standby. May throw. `signal` tells it that nobody waits any more. */
export type LookAt = (host: number, signal: AbortSignal) => Promise<Primary | undefined>;

export interface ChosenHost extends Primary {
  readonly host: number;
}

/** Returns the one of these hosts that accepts writes and has the highest timeline, the first of several. */
export async function newestPrimary(
  hosts: readonly number[],
  look: LookAt,
): Promise<ChosenHost | undefined> {
  const found: ChosenHost[] = [];
  const choice = new AbortController();
  const { promise: isLate, resolve: stop } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const looks = hosts.map(async (host) => {
    const primary = await look(host, choice.signal).catch(() => undefined);
    if (primary === undefined) return;
    found.push({ ...primary, host });
    timer ??= setTimeout(stop, MORE_MS);
  });
  await Promise.race([Promise.all(looks), isLate]);
  clearTimeout(timer);
  choice.abort();
  return found.toSorted((one, other) => other.timeline - one.timeline || one.host - other.host)[0];
}
