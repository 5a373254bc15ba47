// Connections to the database of a shared backend. Everything of svc that talks to PostgreSQL goes through here.

import { readFileSync } from "node:fs";

import { DatabaseError, Pool, types, type ClientConfig, type PoolClient } from "pg";

import { SvcError } from "../base/errors.ts";
import { TIMELINE, type Primary } from "./choose-host.ts";
import {
  databaseError,
  databaseFailure,
  isDatabaseFailure,
  noPrimary,
  standbyFailure,
} from "./database-errors.ts";
import {
  hostName,
  isOnThisMachine,
  type DatabaseAddress,
  type DatabaseHost,
} from "./database-url.ts";
import { HostChoice } from "./host-choice.ts";
import { LoginClient, passwordOf } from "./login.ts";
import { migrate } from "./migrate.ts";
import {
  breakConnection,
  ownConnection,
  prepareConnection,
  type OwnConnection,
} from "./own-connection.ts";
import type { Sql } from "./sql.ts";

/** Connections of one process. A question needs none; each needs about 10 MB of the server. */
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
/** Connects, and gets one answer. */
const LOOK_TIMEOUT_MS = CONNECT_TIMEOUT_MS + 1000;
/** Attempts of a transaction that meets conflicts. */
const MAX_ATTEMPTS = 5;
/** A statement that takes longer is cancelled by the server. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** The server never cancels the wait of a commit for a synchronous standby, so svc gives up the connection. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
const SILENCE_MS = 5000;
/** Node sends ten more packets, one a second. */
const KEEP_ALIVE_MS = 5000;
/** Begins a statement that changes nothing. */
const READING = /^SELECT\b/;
/** Type ids of PostgreSQL: 8-byte integers and times become numbers. All of ours are far below 2 ** 53. */
const INT8 = 20;
const CERTIFICATE = /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----/m;

interface DatabaseOptions {
  /** Without it, the tables stay as they are, and there may be none. */
  readonly migrates?: boolean;
  /** How long a statement may take. */
  readonly answerMs?: number;
  /** How long the server may be silent before svc tries to reach it by another connection. */
  readonly silenceMs?: number;
  /** How often hosts that are not in use are checked. */
  readonly lookAgainMs?: number | undefined;
}

/**
 * A pool of connections to one database. It connects with the first statement, creates or updates the schema then, and
 * connects again after a failure. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL.
 */
export class Database implements Sql {
  readonly address: DatabaseAddress;
  readonly #user: string;
  readonly #options: Required<Pick<DatabaseOptions, "migrates" | "answerMs" | "silenceMs">>;
  #pool: Pool | undefined;
  /** All open connections, also those in use and those of former pools -> the index of their host. */
  readonly #clients = new Map<PoolClient, number>();
  /** Index of the host in use. */
  #host = 0;
  /** Undefined for a single host. */
  readonly #choice: HostChoice | undefined;
  #ready: Promise<void> | undefined;
  /** An attempt to reach the host in use; all silent connections share it. */
  #reaching: Promise<boolean> | undefined;
  #isClosed = false;

  /** `user`: the name to connect with, if the address has none. */
  constructor(
    address: DatabaseAddress,
    user: string,
    {
      migrates = true,
      answerMs = ANSWER_TIMEOUT_MS,
      silenceMs = SILENCE_MS,
      lookAgainMs,
    }: DatabaseOptions = {},
  ) {
    this.address = address;
    this.#options = { migrates, answerMs, silenceMs };
    this.#user = address.user ?? user;
    const { length: size } = address.hosts;
    if (size > 1) {
      this.#choice = new HostChoice({
        size,
        look: (host, signal) => this.#lookAt(host, signal),
        // Requests that wait for the former primary would wait for a long time.
        onNewer: () => void this.#chooseHost().catch(() => undefined),
        lookAgainMs,
      });
    }
  }

  /** The host in use: the newest of the address that accepts writes, as far as is known. */
  get host(): DatabaseHost {
    return this.address.hosts[this.#host] ?? { host: "localhost", port: 0 };
  }

  readonly query: Sql["query"] = async (text, values = []) => {
    const connection = await this.connect();
    const host = this.#host;
    try {
      const rows = await connection.query(text, values);
      connection.release();
      return rows;
    } catch (thrown) {
      connection.release(databaseFailure(thrown) === "unreachable");
      // It was asked of a former primary.
      if (this.#host !== host && READING.test(text)) return this.query(text, values);
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
        throw this.failure(thrown);
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
        return this.#own(client);
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
    this.#choice?.close();
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }

  /** Returns the error to show for a failure of a connection; any other is returned unchanged. */
  failure(thrown: unknown): unknown {
    return thrown instanceof SvcError || !isDatabaseFailure(thrown) ? thrown : this.#error(thrown);
  }

  /** Of several hosts, uses the newest primary. Throws BACKEND_UNAVAILABLE if there is none. */
  async #chooseHost(): Promise<void> {
    const { hosts, database } = this.address;
    if (this.#choice === undefined) return;
    const host = await this.#choice.host();
    if (host === undefined) {
      const failures = hosts.flatMap((one, at) => {
        const failure = this.#choice?.failures.get(at);
        return failure === undefined ? [] : [[hostName(one), failure] as const];
      });
      throw noPrimary(new Map(failures), { user: this.#user, database });
    }
    if (host === this.#host) return;
    this.#leavePool();
    this.#host = host;
    // Open connections to it would be lost, and notifications come from the new primary.
    for (const [client, at] of this.#clients) if (at !== host) breakConnection(client);
  }

  async #lookAt(host: number, signal: AbortSignal): Promise<Primary | undefined> {
    const place = this.address.hosts[host];
    if (place === undefined) return undefined;
    const client = new LoginClient(this.#optionsFor(place));
    client.on("error", () => undefined);
    const abandon = (): void => client.abandon();
    const timer = setTimeout(abandon, LOOK_TIMEOUT_MS);
    signal.addEventListener("abort", abandon);
    try {
      await client.connect();
      const { rows } = await client.query<{ timeline: number | null; cluster: string }>(TIMELINE);
      const [{ timeline, cluster } = { timeline: null, cluster: "" }] = rows;
      return timeline === null ? undefined : { timeline, cluster };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abandon);
      await client.end().catch(() => undefined);
    }
  }

  /** Whether the host in use answers another connection. */
  readonly #isReachable = (): Promise<boolean> => {
    this.#reaching ??= this.#lookAt(this.#host, new AbortController().signal)
      .then(
        () => true,
        // A refusal is an answer too, for example of a server that has too many connections.
        (thrown: unknown) =>
          thrown instanceof DatabaseError || databaseFailure(thrown) !== "unreachable",
      )
      .finally(() => (this.#reaching = undefined));
    return this.#reaching;
  };

  #own(client: PoolClient): OwnConnection {
    const { answerMs, silenceMs } = this.#options;
    return ownConnection(client, {
      answerMs,
      silenceMs,
      isReachable: this.#isReachable,
      failure: (thrown) => this.failure(thrown),
    });
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
    if (this.#options.migrates) await migrate(this.#own(client), this.address.schema);
  }

  /** Chooses a host again; uses the next one if none can be chosen. */
  #moveOn(): void {
    this.#host = (this.#host + 1) % this.address.hosts.length;
    this.#choice?.forget();
    this.#leavePool();
  }

  #leavePool(): void {
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
    const host = this.#host;
    pool.on("connect", (client) => {
      prepareConnection(client);
      this.#clients.set(client, host);
    });
    pool.on("remove", (client) => this.#clients.delete(client));
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
      // A connection that waits for the server, and was cut in silence, ends after 15 s instead of two hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
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

function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === INT8) return Number;
  // oxlint-disable-next-line typescript/no-unsafe-return -- its own declaration
  return types.getTypeParser(oid, format);
}
