// A real PostgreSQL server for tests: an empty cluster in a temporary folder, on a free port of this machine.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
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
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

import { postgresPrograms } from "../../scripts/testing/postgres-programs.ts";
import { Database } from "../../src/postgres/database.ts";
import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import type { Certificate } from "./certificate.ts";

const USER = "svc";
const CLUSTER_OPTIONS = ["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
const KEPT_CLUSTERS = join(import.meta.dirname, "../../node_modules/.cache/svc-postgres");
/** Attempts to start the server. */
const MAX_STARTS = 50;
const READY = "database system is ready to accept connections";

interface Account {
  readonly uid: number;
  readonly gid: number;
}

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
  const folder = mkdtempSync(join(tmpdir(), "svc-postgres-"));
  chmodSync(folder, 0o700);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
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
  let server: ChildProcess | undefined;
  const startOnce = async (): Promise<string | undefined> => {
    const options = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
    const tls = `ssl=${certificate === undefined ? "off" : "on"}`;
    // A kill of the server loses nothing that the system has taken; only a power cut would.
    const settings = [...options, tls, "max_connections=200", "fsync=off"];
    const words = settings.flatMap((setting) => ["-c", setting]);
    const child = spawn(join(programs, "postgres"), ["-D", data, "-p", String(port), ...words], {
      ...account,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    let log = "";
    for await (const line of createInterface(child.stderr)) {
      log += `${line}\n`;
      if (line.includes(READY)) {
        child.stderr.resume();
        return undefined;
      }
    }
    return log;
  };
  const start = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const log = await startOnce();
      if (log === undefined) return;
      // After a kill its workers still hold the shared memory for a moment.
      if (attempt === MAX_STARTS) throw new Error(`PostgreSQL did not start: ${log}`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await delay(100);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const open = (url: string): Database => {
    const database = new Database(parseDatabaseUrl(url), USER);
    databases.add(database);
    return database;
  };
  const freshUrl = (): string => {
    schemas += 1;
    return `postgres://${USER}@127.0.0.1:${port}/postgres?schema=test_${schemas}`;
  };
  await start();
  return {
    port,
    freshUrl,
    freshDatabase: () => open(freshUrl()),
    open,
    kill: async () => {
      // Its workers would answer for a moment more.
      const workers = workersOf(server?.pid ?? 0);
      await end("SIGKILL");
      for (const pid of workers) killIfAlive(pid);
    },
    start,
    stop: async () => {
      await Promise.all([...databases].map((database) => database.close()));
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

function workersOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.split(" ").filter(Boolean).map(Number);
  } catch {
    // There is no /proc: the workers notice the end of the server by themselves.
    return [];
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has noticed the end of the server.
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
