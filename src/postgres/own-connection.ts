// One connection to the database, for one user at a time.

import type { PoolClient } from "pg";

import { noAnswer, unreplicatedError, withoutAnswer } from "./database-errors.ts";
import type { PostgresRow, Sql } from "./sql.ts";

/** A connection that belongs to its caller until `release`. */
export interface OwnConnection extends Sql {
  readonly client: PoolClient;
  /** Returns the error to show for a failure of `client`. `query` throws what `pg` reports. */
  readonly failure: (thrown: unknown) => unknown;
  /** With `broken`, closes the connection instead of using it again. */
  readonly release: (broken?: boolean) => void;
}

interface OwnConnectionOptions {
  /** How long a statement may take. */
  readonly answerMs: number;
  /** How long the server may be silent before svc tries to reach it by another connection. */
  readonly silenceMs: number;
  /** Tries to reach the server by another connection. */
  readonly isReachable: () => Promise<boolean>;
  readonly failure: (thrown: unknown) => unknown;
}

/** Takes a connection out of the pool. */
export function ownConnection(client: PoolClient, options: OwnConnectionOptions): OwnConnection {
  const { answerMs, failure } = options;
  return {
    client,
    failure,
    query: async (text, values = []) => {
      const { rows } = await watched(client, options, () =>
        answered(client, answerMs, () => client.query<PostgresRow>(text, [...values])),
      );
      if (notReplicated.delete(client)) throw unreplicatedError();
      return rows;
    },
    release: (broken) => client.release(broken),
  };
}

/**
 * The function of the server that reports, as a mere warning, that a commit has not reached the synchronous standby
 * (src/backend/replication/syncrep.c): an administrator has cancelled the wait.
 */
const UNREPLICATED = "SyncRepWaitForLSN";
/** Connections whose last statement has got that warning. */
const notReplicated = new WeakSet<PoolClient>();

/** Prepares a new connection of a pool. */
export function prepareConnection(client: PoolClient): void {
  client.on("error", () => undefined);
  client.on("notice", ({ routine }) => {
    if (routine === UNREPLICATED) notReplicated.add(client);
  });
}

/** Closes a connection at once. Work that waits for it gets an error. */
export function breakConnection(client: PoolClient): void {
  client.connection.stream.destroy();
}

/** Closes the connection if the server does not answer in time. */
async function answered<T>(
  client: PoolClient,
  answerMs: number,
  ask: () => Promise<T>,
): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    breakConnection(client);
  }, answerMs);
  try {
    return await ask();
  } catch (thrown) {
    throw isLate ? noAnswer(answerMs, thrown) : thrown;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Closes the connection if the server has sent nothing for a while and cannot be reached either. TCP would wait a quarter
 * of an hour for the answer to what was sent into a cut connection.
 */
async function watched<T>(
  client: PoolClient,
  { silenceMs, isReachable }: OwnConnectionOptions,
  work: () => Promise<T>,
): Promise<T> {
  let received = receivedBy(client);
  let isLost = false;
  let isOver = false;
  const check = async (): Promise<void> => {
    const before = received;
    received = receivedBy(client);
    if (received !== before || (await isReachable())) return;
    if (isOver || receivedBy(client) !== received) return;
    isLost = true;
    breakConnection(client);
  };
  const timer = setInterval(() => void check(), silenceMs);
  try {
    return await work();
  } catch (thrown) {
    throw isLost ? withoutAnswer(silenceMs, thrown) : thrown;
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}

/** Number of bytes. The stream is a socket. */
function receivedBy({ connection: { stream } }: PoolClient): unknown {
  return "bytesRead" in stream ? stream.bytesRead : undefined;
}
