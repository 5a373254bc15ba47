// A real PostgreSQL server for tests: an empty cluster in a temporary folder, on a free port of this machine, or on a
// host with a separate network.

import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { Client } from "pg";

import { postgresPrograms } from "../../scripts/testing/postgres-programs.ts";
import { Database } from "../../src/postgres/database.ts";
import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import type { Certificate } from "./certificate.ts";
import type { Account, NetworkHost } from "./network-hosts.ts";
import { PostgresProcess } from "./postgres-process.ts";

const USER = "svc";
const CLUSTER_OPTIONS = ["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
const KEPT_CLUSTERS = join(import.meta.dirname, "../../node_modules/.cache/svc-postgres");
/** On a separate host, nothing else takes the port. */
const PORT = 5432;

export interface PostgresServer {
  readonly port: number;
  /** The folder of its socket, which also works from another network. */
  readonly folder: string;
  /** Address of a schema that no other test uses. */
  readonly freshUrl: () => string;
  /** Opens a schema that no other test uses. The server's `stop` closes it. */
  readonly freshDatabase: () => Database;
  /** Opens the database at an address. The server's `stop` closes it. */
  readonly open: (url: string) => Database;
  /** Ends the server at once, like a power cut. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly stop: () => Promise<void>;
}

/** Creates and starts a server. With a certificate, it also accepts connections over TLS, on a host from other hosts. */
export async function startPostgres(
  certificate?: Certificate,
  host?: NetworkHost,
): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const account = serverAccount();
  const folder = newFolder(account);
  const data = join(folder, "data");
  createCluster(programs, data, account);
  if (certificate !== undefined) {
    writeFileSync(join(data, "server.crt"), certificate.cert);
    writeFileSync(join(data, "server.key"), certificate.key, { mode: 0o600 });
    appendFileSync(join(data, "postgresql.conf"), "ssl = on\n");
  }
  if (host !== undefined) {
    appendFileSync(join(data, "postgresql.conf"), NETWORK_SETTINGS);
    appendFileSync(join(data, "pg_hba.conf"), NETWORK_RIGHTS);
  }
  giveTo(data, account);
  const port = host === undefined ? await freePort() : PORT;
  const databases = new Set<Database>();
  let schemas = 0;
  const server = new PostgresProcess({ programs, account, folder, data, port, host });
  const open = (url: string): Database => {
    const database = new Database(parseDatabaseUrl(url), USER);
    databases.add(database);
    return database;
  };
  const freshUrl = (): string => {
    schemas += 1;
    return `postgres://${USER}@${host?.address ?? "127.0.0.1"}:${port}/postgres?schema=test_${schemas}`;
  };
  await server.start();
  return {
    port,
    folder,
    freshUrl,
    freshDatabase: () => open(freshUrl()),
    open,
    kill: () => server.kill(),
    start: () => server.start(),
    stop: async () => {
      await Promise.all([...databases].map((database) => database.close()));
      await server.end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A lost connection between the servers is noticed after seconds instead of a minute. */
const NETWORK_SETTINGS = "wal_sender_timeout = 2s\nwal_receiver_timeout = 2s\n";
const NETWORK_RIGHTS = "hostssl all all all trust\nhost replication all all trust\n";

export interface PostgresStandby {
  readonly port: number;
  readonly folder: string;
  /** Promotes it to primary. */
  readonly promote: () => Promise<void>;
  /** Stops the process that receives changes, as a broken connection does. */
  readonly disconnect: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * Makes a synchronous standby of a server, and starts it: from then on the server acknowledges only changes that both
 * have. `hosts`: the hosts of the server and of the standby, if they have separate networks.
 */
export async function startStandby(
  primary: PostgresServer,
  hosts?: readonly [primary: NetworkHost, standby: NetworkHost],
): Promise<PostgresStandby> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const account = serverAccount();
  const folder = newFolder(account);
  const data = join(folder, "data");
  const [from, host] = hosts ?? [];
  const source = `host=${from?.address ?? "127.0.0.1"} port=${primary.port}`;
  const address = `${source} user=${USER} application_name=standby`;
  const words = ["-D", data, "-d", address, "-R", "-X", "stream", "--no-sync", "-c", "fast"];
  const backup = [join(programs, "pg_basebackup"), ...words];
  const [program = "", ...args] = host?.command(backup, account) ?? backup;
  execFileSync(program, args, { ...(host === undefined ? account : undefined), cwd: folder });
  const port = host === undefined ? await freePort() : PORT;
  const standby = new PostgresProcess({ programs, account, folder, data, port, host });
  await standby.start();
  const setStandby = "ALTER SYSTEM SET synchronous_standby_names = 'standby'";
  await execute(primary, setStandby, "SELECT pg_reload_conf()");
  // Processes of the server read the configuration one after the other; the last is the one that writes checkpoints.
  await untilAnswered(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
  await execute(primary, "CHECKPOINT");
  const self = { folder, port };
  return {
    ...self,
    promote: () => execute(self, "SELECT pg_promote()"),
    disconnect: async () => {
      await execute(self, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
      await untilAnswered(self, "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_wal_receiver)");
      await untilAnswered(primary, "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_replication)");
    },
    stop: async () => {
      await standby.end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Executes statements one after the other, each in a separate transaction. */
async function execute(
  { folder, port }: { readonly folder: string; readonly port: number },
  ...statements: readonly string[]
): Promise<void> {
  const client = new Client({ host: folder, port, user: USER, database: "postgres" });
  await client.connect();
  try {
    for (const statement of statements) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

/** Asks until a query returns a row. */
async function untilAnswered(
  { folder, port }: { readonly folder: string; readonly port: number },
  query: string,
): Promise<void> {
  const client = new Client({ host: folder, port, user: USER, database: "postgres" });
  await client.connect();
  try {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    while ((await client.query(query)).rowCount === 0) await delay(10);
  } finally {
    await client.end();
  }
}

function newFolder(account: Account | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-postgres-"));
  chmodSync(folder, 0o700);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Creates an empty cluster. The first one of a version is kept: a copy takes a tenth of the time of `initdb`. */
function createCluster(programs: string, data: string, account: Account | undefined): void {
  const initdb = join(programs, "initdb");
  const version = execFileSync(initdb, ["--version"], { encoding: "utf8" });
  const name = [version, ...CLUSTER_OPTIONS].join(" ").replaceAll(/\W+/g, "-");
  const kept = join(KEPT_CLUSTERS, name);
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true });
    return;
  }
  execFileSync(initdb, ["-D", data, ...CLUSTER_OPTIONS], {
    ...account,
    cwd: dirname(data),
    stdio: "ignore",
  });
  mkdirSync(KEPT_CLUSTERS, { recursive: true });
  const draft = mkdtempSync(join(KEPT_CLUSTERS, "draft-"));
  cpSync(data, draft, { recursive: true });
  try {
    renameSync(draft, kept);
  } catch (thrown) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has stored its own copy.
    if (!existsSync(kept)) throw thrown;
  }
}

function giveTo(folder: string, account: Account | undefined): void {
  chmodSync(folder, 0o700);
  if (account === undefined) return;
  chownSync(folder, account.uid, account.gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, name), account.uid, account.gid);
  }
}

/** The server refuses to run as root. */
function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) => {
    const { stdout } = spawnSync("id", [flag, "postgres"], { encoding: "utf8" });
    return Number(stdout);
  });
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
