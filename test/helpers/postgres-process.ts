// The process of a PostgreSQL server over a folder with a cluster.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

import type { Account, NetworkHost } from "./network-hosts.ts";

interface ProcessOptions {
  /** Folder of the programs of PostgreSQL. */
  readonly programs: string;
  /** The owner of the process; undefined for this account. */
  readonly account: Account | undefined;
  /** Folder of its socket. */
  readonly folder: string;
  /** Folder of the cluster. */
  readonly data: string;
  readonly port: number;
  /** The host that it runs on; this machine, on loopback, by default. */
  readonly host?: NetworkHost | undefined;
}

/** Attempts to start the server. */
const MAX_STARTS = 50;
const READY = /database system is ready to accept (?:read-only )?connections/;

export class PostgresProcess {
  readonly #options: ProcessOptions;
  #child: ChildProcess | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const log = await this.#startOnce();
      if (log === undefined) return;
      // After a kill its workers still hold the shared memory for a moment.
      if (attempt === MAX_STARTS) throw new Error(`PostgreSQL did not start: ${log}`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await delay(100);
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Ends the server at once, like a power cut. */
  async kill(): Promise<void> {
    // Its workers would answer for another moment.
    const workers = workersOf(this.#child?.pid ?? 0);
    await this.end("SIGKILL");
    for (const pid of workers) killIfAlive(pid);
  }

  /** Returns the log of the server if it ended; undefined when it is ready. */
  async #startOnce(): Promise<string | undefined> {
    const { programs, account, folder, data, port, host } = this.#options;
    const address = host?.address ?? "127.0.0.1";
    const options = [`listen_addresses=${address}`, `unix_socket_directories=${folder}`];
    // A kill of the server loses no data that the system has accepted; only a power cut would.
    const all = [...options, "max_connections=200", "fsync=off"];
    const words = all.flatMap((setting) => ["-c", setting]);
    const postgres = [join(programs, "postgres"), "-D", data, "-p", String(port), ...words];
    const [program = "", ...args] = host?.command(postgres, account) ?? postgres;
    const child = spawn(program, args, {
      ...(host === undefined ? account : undefined),
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    let log = "";
    for await (const line of createInterface(child.stderr)) {
      log += `${line}\n`;
      if (READY.test(line)) {
        child.stderr.resume();
        return undefined;
      }
    }
    return log;
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
    // The worker has noticed the end of the server.
  }
}
