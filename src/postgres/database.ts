// Connections to the database of a shared backend. Everything of svc that talks to PostgreSQL goes through here.

import { readFileSync } from "node:fs";

import { DatabaseError, Pool, types, type ClientConfig, type PoolClient } from "pg";

import { SvcError } from "../base/errors.ts";
import { newestPrimary, TIMELINE } from "./choose-host.ts";
import {
  databaseError,
  databaseFailure,
  noAnswer,
  noPrimary,
  standbyFailure,
} from "./database-errors.ts";
import {
  hostName,
  isOnThisMachine,
  type DatabaseAddress,
  type DatabaseHost,
} from "./database-url.ts";
import { LoginClient, passwordOf } from "./login.ts";
import { migrate } from "./migrate.ts";
import type { PostgresRow, Sql } from "./sql.ts";

/** A connection that belongs to its caller until `release`. */
export interface OwnConnection extends Sql {
  readonly client: PoolClient;
  /** With `broken`, closes the connection instead of using it again. */
  readonly release: (broken?: boolean) => void;
}

/** Connections of one process. A question needs none; each needs about 10 MB of the server. */
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
/** A statement that takes longer is cancelled by the server. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** The server never cancels the wait of a commit for a synchronous standby, so svc gives up the connection. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
/** Type ids of PostgreSQL: 8-byte integers and times become numbers. All of ours are far below 2 ** 53. */
const INT8 = 20;
const CERTIFICATE = /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----/m;

/**
 * A pool of connections to one database. It connects with the first statement, creates or updates the schema then, and
 * connects again after a failure. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL.
 */
export class Database implements Sql {
  readonly address: DatabaseAddress;
  readonly #user: string;
  readonly #migrates: boolean;
  readonly #answerMs: number;
  #pool: Pool | undefined;
  /** Index of the host in use. */
  #host = 0;
  /** The choice of the host; undefined if it has to be chosen again. */
  #choice: Promise<number> | undefined;
  #ready: Promise<void> | undefined;
  #isClosed = false;

  /**
   * `user`: the name to connect with, if the address has none. Without `migrates`, the tables stay as they are, and there
   * may be none. `answerMs`: how long a statement may take.
   */
  constructor(
    address: DatabaseAddress,
    user: string,
    { migrates = true, answerMs = ANSWER_TIMEOUT_MS } = {},
  ) {
    this.address = address;
    this.#answerMs = answerMs;
    this.#migrates = migrates;
    this.#user = address.user ?? user;
  }

  /** The host in use: the newest of the address that accepts writes, as far as is known. */
  get host(): DatabaseHost {
    return this.address.hosts[this.#host] ?? { host: "localhost", port: 0 };
  }

  readonly query: Sql["query"] = async (text, values = []) => {
    const connection = await this.connect();
    try {
      const rows = await connection.query(text, values);
      connection.release();
      return rows;
    } catch (thrown) {
      connection.release(databaseFailure(thrown) === "unreachable");
      throw this.#error(thrown);
    }
  };

  /**
   * Runs `work` in one transaction on one connection, and returns its result. If it throws, nothing is changed. Work that
   * met a conflict with another transaction runs again, so it must do nothing else but run statements.
   */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const connection = await this.connect();
      try {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await connection.query("BEGIN");
        // oxlint-disable-next-line no-await-in-loop -- as above
        const result = await work(connection);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await connection.query("COMMIT");
        connection.release();
        return result;
      } catch (thrown) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const isUsable = await connection.query("ROLLBACK").then(
          () => true,
          () => false,
        );
        connection.release(!isUsable);
        if (attempt < MAX_ATTEMPTS && databaseFailure(thrown) === "conflict") continue;
        throw thrown instanceof SvcError || !isDatabaseFailure(thrown)
          ? thrown
          : this.#error(thrown);
      }
    }
  }

  /** Takes a connection, with the schema ready. Makes as many attempts as the address has hosts. */
  async connect(): Promise<OwnConnection> {
    const { hosts } = this.address;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#isClosed) throw new SvcError("BACKEND_UNAVAILABLE", "The backend is closed.");
      try {
        // oxlint-disable-next-line no-await-in-loop -- one host after the other
        await this.#chooseHost();
        // oxlint-disable-next-line no-await-in-loop -- as above
        const client = await this.#client();
        return ownConnection(client, this.#answerMs);
      } catch (thrown) {
        const failure = databaseFailure(thrown);
        const isElsewhere = failure === "unreachable" || failure === "read-only";
        if (!isElsewhere || attempt >= hosts.length) throw this.#error(thrown);
        this.#moveOn();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }

  /** Of several hosts, uses the newest primary. Throws BACKEND_UNAVAILABLE if there is none. */
  async #chooseHost(): Promise<void> {
    if (this.address.hosts.length === 1) return;
    this.#choice ??= this.#findPrimary();
    try {
      this.#host = await this.#choice;
    } catch (thrown) {
      this.#choice = undefined;
      throw thrown;
    }
  }

  async #findPrimary(): Promise<number> {
    const { hosts, database } = this.address;
    const failures = new Map<string, unknown>();
    const host = await newestPrimary(hosts.length, async (at, signal) => {
      const name = hostName(hosts[at] ?? this.host);
      try {
        const timeline = await this.#timelineOf(at, signal);
        if (timeline === undefined) failures.set(name, standbyFailure());
        return timeline;
      } catch (thrown) {
        failures.set(name, thrown);
        throw thrown;
      }
    });
    if (host !== undefined) return host;
    throw noPrimary(failures, { user: this.#user, database });
  }

  async #timelineOf(host: number, signal: AbortSignal): Promise<number | undefined> {
    const place = this.address.hosts[host];
    if (place === undefined) return undefined;
    const client = new LoginClient(this.#optionsFor(place));
    client.on("error", () => undefined);
    const abandon = (): void => client.abandon();
    signal.addEventListener("abort", abandon);
    try {
      await client.connect();
      const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
      return rows[0]?.timeline ?? undefined;
    } finally {
      signal.removeEventListener("abort", abandon);
      await client.end().catch(() => undefined);
    }
  }

  async #client(): Promise<PoolClient> {
    this.#pool ??= this.#createPool();
    const pool = this.#pool;
    const client = await pool.connect();
    this.#ready ??= this.#prepare(client);
    try {
      await this.#ready;
      return client;
    } catch (thrown) {
      this.#ready = undefined;
      client.release(true);
      throw thrown;
    }
  }

  /** Throws a failure of the class "read-only" on a standby. */
  async #prepare(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ standby: boolean }>(
      "SELECT pg_is_in_recovery() AS standby",
    );
    if (rows[0]?.standby === true) throw standbyFailure();
    if (this.#migrates) await migrate(ownConnection(client, this.#answerMs), this.address.schema);
  }

  /** Chooses a host again; uses the next one if none can be chosen. */
  #moveOn(): void {
    this.#host = (this.#host + 1) % this.address.hosts.length;
    this.#choice = undefined;
    this.#ready = undefined;
    const pool = this.#pool;
    this.#pool = undefined;
    // Its connections fail by themselves.
    void pool?.end().catch(() => undefined);
  }

  #createPool(): Pool {
    const pool = new Pool({
      Client: LoginClient,
      ...this.#optionsFor(this.host),
      max: MAX_CONNECTIONS,
      // A pool that nobody uses must not keep the process.
      allowExitOnIdle: true,
    });
    // A connection that breaks between two statements is replaced by the next one.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
      client.on("notice", ({ routine }) => {
        if (routine === UNREPLICATED) notReplicated.add(client);
      });
    });
    return pool;
  }

  #optionsFor(host: DatabaseHost): ClientConfig {
    const { address } = this;
    const login = { host, user: this.#user, database: address.database };
    return {
      host: host.host,
      port: host.port,
      user: this.#user,
      password: () => passwordOf(login),
      database: address.database,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      application_name: "svc",
      options: `-c search_path=${address.schema}`,
      types: { getTypeParser },
      ssl: isOnThisMachine(host)
        ? false
        : { rejectUnauthorized: true, ca: rootCertificates(address) },
    };
  }

  #error(thrown: unknown): SvcError {
    return databaseError(thrown, {
      host: hostName(this.host),
      user: this.#user,
      database: this.address.database,
    });
  }
}

/** Returns the certificates of the authorities to trust; undefined for those of Node. */
function rootCertificates({ rootCertificates: file }: DatabaseAddress): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw noCertificates(`svc cannot read the certificates for the database: ${reason}.`);
  }
  if (!CERTIFICATE.test(text)) throw noCertificates(`${file} contains no certificate.`);
  return text;
}

function noCertificates(message: string): SvcError {
  return new SvcError("BACKEND_UNAVAILABLE", message, {
    hint: "Give ?sslrootcert=FILE a PEM file with the certificates of the authorities to trust.",
  });
}

const MAX_ATTEMPTS = 5;
/**
 * The function of the server that reports, as a mere warning, that a commit has not reached the synchronous standby
 * (src/backend/replication/syncrep.c): an administrator has cancelled the wait.
 */
const UNREPLICATED = "SyncRepWaitForLSN";
/** Connections whose last statement has got that warning. */
const notReplicated = new WeakSet<PoolClient>();

function ownConnection(client: PoolClient, answerMs: number): OwnConnection {
  return {
    client,
    query: async (text, values = []) => {
      const { rows } = await answered(client, answerMs, () =>
        client.query<PostgresRow>(text, [...values]),
      );
      if (notReplicated.delete(client)) throw unreplicated();
      return rows;
    },
    release: (broken) => client.release(broken),
  };
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
    client.connection.stream.destroy();
  }, answerMs);
  try {
    return await ask();
  } catch (thrown) {
    throw isLate ? noAnswer(answerMs, thrown) : thrown;
  } finally {
    clearTimeout(timer);
  }
}

/** What such a commit has changed would be lost in a fail-over, so it must not be acknowledged. */
function unreplicated(): SvcError {
  return new SvcError(
    "BACKEND_UNAVAILABLE",
    "The standby of the database did not get the change.",
    {
      hint: "Check the standby and its connection, then repeat the command.",
    },
  );
}

/** True for errors of the server and of the connection, false for those that the work itself threw. */
function isDatabaseFailure(thrown: unknown): boolean {
  return thrown instanceof DatabaseError || databaseFailure(thrown) !== "other";
}

function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === INT8) return Number;
  // oxlint-disable-next-line typescript/no-unsafe-return -- its own declaration
  return types.getTypeParser(oid, format);
}
