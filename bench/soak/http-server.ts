// `svc serve` in addition to the servers over standard input, with the same queries.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { generationsIn, type ToolResult } from "../freshness/server.ts";
import { SVC, type Environment } from "../workspace.ts";

export class HttpServer {
  readonly #child: ChildProcess;
  readonly #token: string;
  readonly #ended: Promise<unknown>;
  #url = "";
  /** The warnings and errors in its log. */
  readonly warnings: string[] = [];
  /** The generations that it published. */
  readonly published: number[] = [];

  private constructor(root: string, env: Environment, flags: readonly string[]) {
    this.#token = env["SERVICE_TOKEN"] ?? "";
    this.#child = spawn(SVC, ["serve", "--port", "0", "--root", root, ...flags], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#ended = once(this.#child, "close");
  }

  static async start(
    root: string,
    env: Environment,
    flags: readonly string[] = [],
  ): Promise<HttpServer> {
    const server = new HttpServer(root, env, flags);
    const { stderr } = server.#child;
    if (stderr === null) throw new Error("the server has no pipe");
    const lines = createInterface({ input: stderr });
    await new Promise<void>((resolve, reject) => {
      lines.on("line", (line) => {
        server.#url = /listens on (?<url>[^\s"]+)/.exec(line)?.groups?.["url"] ?? server.#url;
        if (server.#url !== "") resolve();
        if (/"level":"(?:warn|error)"/.test(line)) server.warnings.push(line);
        server.published.push(...generationsIn(line));
      });
      void server.#ended.then(() => reject(new Error("svc serve has ended")));
    });
    return server;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async call(name: string, input: unknown): Promise<ToolResult> {
    const response = await fetch(`${this.#url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.#token}` },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: input },
      }),
    });
    const text = await response.text();
    const { result }: { result?: ToolResult } = JSON.parse(text);
    if (result === undefined) throw new Error(`${response.status} ${text}`);
    return result;
  }

  kill(): Promise<unknown> {
    this.#child.kill("SIGKILL");
    return this.#ended;
  }

  /** Sends SIGTERM; rejects if the exit is a failure. */
  async close(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    const { exitCode } = this.#child;
    if (exitCode !== 0) throw new Error(`svc serve ended with ${exitCode}`);
  }
}
