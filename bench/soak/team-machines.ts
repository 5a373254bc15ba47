// Machines of a team that share a database: each has its own home and copies, and runs the built program.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import type { NetworkHost } from "../../test/helpers/network-hosts.ts";
import { homesIn, SVC, type Environment } from "../workspace.ts";

/** Makes the environments of machines that use one database, with their homes below `place`. */
export function machinesOf(place: string, url: string): () => Environment {
  const newHome = homesIn(place);
  return () => ({
    ...newHome(),
    SERVICE_BACKEND: url,
    // The environment of a machine without a keychain.
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  });
}

export interface EndedRun {
  /** Null after a signal. */
  readonly exit: number | null;
  readonly stderr: string;
}

/** Runs one `svc` to its end, on this machine or on a host with a separate network. */
export class Run {
  readonly #child: ChildProcess;
  readonly ended: Promise<EndedRun>;

  constructor(args: readonly string[], env: Environment, host?: NetworkHost) {
    const [program, ...words] = host?.command([SVC, ...args]) ?? [SVC, ...args];
    const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    const stderr = text(child.stderr);
    this.ended = once(child, "close").then(async () => ({
      exit: child.exitCode,
      stderr: await stderr,
    }));
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

export interface FoundPassage {
  readonly path: string;
  readonly text: string;
}

/** `svc serve --role read`. */
export class ReadNode {
  readonly #env: Environment;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #url = "";

  constructor(env: Environment, flags: readonly string[] = ["--port", "0"]) {
    this.#env = env;
    this.#flags = flags;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isUp(): boolean {
    return this.#url !== "";
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const child = spawn(SVC, ["serve", "--role", "read", ...this.#flags], {
      env: this.#env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    const lines = createInterface({ input: child.stderr });
    const listens = new Promise<string>((resolve, reject) => {
      lines.on("line", (line) => {
        const url = /listens on (?<url>\S+)/.exec(line)?.groups?.["url"];
        if (url !== undefined) resolve(url);
      });
      child.once("close", () => reject(new Error("the read node has ended")));
    });
    this.#url = await listens;
  }

  /** Throws an error with the reply if it is not a success. */
  async search(key: string, body: object): Promise<readonly FoundPassage[]> {
    const response = await fetch(`${this.#url}/v1/search`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: JSON.stringify(body),
    });
    const reply = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${reply}`);
    const { results }: { results: readonly FoundPassage[] } = JSON.parse(reply);
    return results;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#url = "";
    if (child === undefined) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }
}
