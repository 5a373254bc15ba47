// A real PostgreSQL server for tests: an empty cluster in a temporary folder, on a free port of this machine.

import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
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

import { Client } from "pg";

import { postgresPrograms } from "../../scripts/testing/postgres-programs.ts";
import { Database } from "../../src/postgres/database.ts";
import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import type { Certificate } from "./certificate.ts";
import { PostgresProcess, type Account } from "./postgres-process.ts";

const USER = "svc";
const CLUSTER_OPTIONS = ["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
const KEPT_CLUSTERS = join(import.meta.dirname, "../../node_modules/.cache/svc-postgres");
export interface PostgresServer {
  readonly port: number;
  /** Address of a schema that no other test uses. */
  readonly freshUrl: () => string;
  /** Opens a schema that no other test uses. The server's `stop` closes it. */
  readonly freshDatabase: () => Database;
  /** Opens the database at an address. The server's `stop` closes it. */
  readonly open: (url: string) => Database;
  /** Ends the server at once, as a power cut does. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly stop: () => Promise<void>;
}

/** Creates and starts a server. With a certificate, it also accepts connections over TLS. */
export async function startPostgres(certificate?: Certificate): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const account = serverAccount();
  const folder = newFolder(account);
  const data = join(folder, "data");
  createCluster(programs, data, account);
  if (certificate !== undefined) {
    writeFileSync(join(data, "server.crt"), certificate.cert);
    writeFileSync(join(data, "server.key"), certificate.key, { mode: 0o600 });
  }
  giveTo(data, account);
  const port = await freePort();
  const databases = new Set<Database>();
  let schemas = 0;
  const settings = [`ssl=${certificate === undefined ? "off" : "on"}`];
  const server = new PostgresProcess({ programs, account, folder, data, port, settings });
  const open = (url: string): Database => {
    const database = new Database(parseDatabaseUrl(url), USER);
    databases.add(database);
    return database;
  };
  const freshUrl = (): string => {
    schemas += 1;
    return `postgres://${USER}@127.0.0.1:${port}/postgres?schema=test_${schemas}`;
  };
  await server.start();
  return {
    port,
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

export interface PostgresStandby {
  readonly port: number;
  /** Makes it a primary. */
  readonly promote: () => Promise<void>;
  /** Stops the process that receives changes, as a broken connection does. */
  readonly disconnect: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly stop: () => Promise<void>;
}

/** Makes a synchronous standby of a server, and starts it: from then on the server acknowledges what both have. */
export async function startStandby(primary: PostgresServer): Promise<PostgresStandby> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const account = serverAccount();
  const folder = newFolder(account);
  const data = join(folder, "data");
  const address = `host=127.0.0.1 port=${primary.port} user=${USER} application_name=standby`;
  const words = ["-D", data, "-d", address, "-R", "-X", "stream", "--no-sync", "-c", "fast"];
  execFileSync(join(programs, "pg_basebackup"), words, { ...account, cwd: folder });
  const port = await freePort();
  const standby = new PostgresProcess({ programs, account, folder, data, port, settings: [] });
  await standby.start();
  const on = async (at: number, ...statements: readonly string[]): Promise<void> => {
    const client = new Client({ host: "127.0.0.1", port: at, user: USER, database: "postgres" });
    await client.connect();
    try {
      for (const statement of statements) {
        // oxlint-disable-next-line no-await-in-loop -- in their order
        await client.query(statement);
      }
    } finally {
      await client.end();
    }
  };
  const setStandby = "ALTER SYSTEM SET synchronous_standby_names = 'standby'";
  await on(primary.port, setStandby, "SELECT pg_reload_conf()");
  return {
    port,
    promote: () => on(port, "SELECT pg_promote()"),
    disconnect: () => on(port, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"),
    stop: async () => {
      await standby.end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
    // Another process has kept its own.
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
