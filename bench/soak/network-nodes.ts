// svc on hosts with separate networks.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import type { NetworkHost } from "../../test/helpers/network-hosts.ts";
import { SVC, type Environment } from "../workspace.ts";
import type { FoundPassage } from "./team-machines.ts";

const RELAY = join(import.meta.dirname, "relay.ts");
const PORT = 8080;
/** A time longer than any call may take. */
const HANGING_MS = 60_000;

/** The output of svc on a host; throws with its message if it fails. */
export function runSvcOn(host: NetworkHost, args: readonly string[], env: Environment): string {
  const [program, ...words] = host.command([SVC, ...args]);
  return execFileSync(program, words, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export interface Reply {
  readonly status: number;
  /** The text of the body. */
  readonly body: string;
}

/** `svc serve --role read` on a host. This process reaches it by a socket in `folder`. */
export class NetworkReadNode {
  readonly #host: NetworkHost;
  readonly #env: Environment;
  readonly #socket: string;
  readonly #children: ChildProcess[] = [];

  constructor(host: NetworkHost, env: Environment, folder: string) {
    this.#host = host;
    this.#env = env;
    this.#socket = join(folder, "node.sock");
  }

  async start(): Promise<void> {
    const serve = [SVC, "serve", "--role", "read", "--port", String(PORT)];
    await Promise.all([
      this.#startUntil(serve, "stderr", "listens on"),
      this.#startUntil([process.execPath, RELAY, this.#socket, String(PORT)], "stdout", "listens"),
    ]);
  }

  /** Asks for passages. Rejects if there is no reply at all. */
  async ask(key: string, body: object): Promise<Reply> {
    const headers = {
      Host: `127.0.0.1:${PORT}`,
      "Content-Type": "application/json",
      "X-API-Key": key,
    };
    const options = { socketPath: this.#socket, path: "/v1/search", method: "POST", headers };
    const sent = request({ ...options, signal: AbortSignal.timeout(HANGING_MS) });
    sent.end(JSON.stringify(body));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only value of this event
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response) };
  }

  async kill(): Promise<void> {
    await Promise.all(
      this.#children.splice(0).map(async (child) => {
        const ended = once(child, "close");
        child.kill("SIGKILL");
        await ended;
      }),
    );
  }

  /** Starts a program on the host, and resolves when it prints a line with these words. */
  async #startUntil(
    command: readonly string[],
    output: "stdout" | "stderr",
    words: string,
  ): Promise<void> {
    const [program, ...args] = this.#host.command(command);
    const child = spawn(program, args, { env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    this.#children.push(child);
    for (const other of [child.stdout, child.stderr]) other.resume();
    const lines = createInterface({ input: child[output] });
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => {
        if (line.includes(words)) resolve();
      });
      child.once("close", () => reject(new Error(`${command.join(" ")} has ended`)));
    });
  }
}

/** The passages of a reply. */
export function passagesOf({ body }: Reply): readonly FoundPassage[] {
  const { results }: { results: readonly FoundPassage[] } = JSON.parse(body);
  return results;
}
