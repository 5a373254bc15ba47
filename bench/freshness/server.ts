// `svc mcp --stdio` as a client drives it, kept until it is killed or closed.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import { lineClient, type LineClient } from "../timed-child.ts";
import { SVC, type Environment } from "../workspace.ts";

export interface Freshness {
  readonly mode: string;
  readonly pid: number | null;
}

interface Item {
  readonly text: string;
}

export interface ToolResult {
  readonly content: readonly Item[];
  readonly isError?: boolean;
  readonly structuredContent?: { readonly namespaces?: readonly { freshness: Freshness }[] };
}

export class Server {
  readonly #child: ChildProcess;
  readonly #client: LineClient;
  /** The warnings and errors in its log. */
  readonly warnings: string[] = [];
  /** The generations that it published. */
  readonly published: number[] = [];

  private constructor(root: string, env: Environment) {
    this.#child = spawn(SVC, ["mcp", "--stdio", "--root", root], {
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (this.#child.stderr !== null) {
      createInterface({ input: this.#child.stderr }).on("line", (line) => {
        if (/"level":"(?:warn|error)"/.test(line)) this.warnings.push(line);
        this.published.push(...generationsIn(line));
      });
    }
    // A killed process closes its input before a request has been written.
    this.#child.stdin?.on("error", () => {});
    this.#client = lineClient(this.#child);
  }

  static async start(root: string, env: Environment): Promise<Server> {
    const server = new Server(root, env);
    await server.#client.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    return server;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async call(name: string, input: unknown): Promise<ToolResult> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      throw new Error("the server has ended");
    }
    const result = await this.#client.request("tools/call", { name, arguments: input });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the protocol defines it
    return result as ToolResult;
  }

  /** The files with a line that holds the text, in order. */
  async filesWith(text: string): Promise<readonly string[]> {
    const result = await this.call("search_text", { pattern: text, output: "files", limit: 500 });
    if (result.isError === true) throw new Error(result.content[0]?.text);
    const all = result.content.map((item) => item.text).join("\n");
    return [...all.matchAll(/[\w./-]+\.(?:ts|md)\b/g)].map(([path]) => path).toSorted();
  }

  /** Whether the best answers name the word. */
  async finds(word: string): Promise<boolean> {
    const result = await this.call("search_context", { query: word, limit: 3 });
    return result.isError !== true && result.content.some((item) => item.text.includes(word));
  }

  async freshness(): Promise<Freshness | undefined> {
    const result = await this.call("index_status", {});
    return result.structuredContent?.namespaces?.[0]?.freshness;
  }

  kill(): Promise<unknown> {
    this.#child.kill("SIGKILL");
    return this.#client.close().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

export async function until(
  check: () => Promise<boolean>,
  { withinMs, everyMs = 5 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<number> {
  const from = performance.now();
  while (!(await check())) {
    if (performance.now() - from > withinMs) throw new Error(`it did not hold in ${withinMs} ms`);
    await new Promise((resolve) => void setTimeout(resolve, everyMs));
  }
  return performance.now() - from;
}

/** Returns the generations from a log line or report of a run that changed something. */
export function generationsIn(line: string): readonly number[] {
  if (!/"added":/.test(line)) return [];
  const { generation, added, changed, removed }: Readonly<Record<string, number | undefined>> =
    JSON.parse(line);
  const changes = (added ?? 0) + (changed ?? 0) + (removed ?? 0);
  return generation === undefined || changes === 0 ? [] : [generation];
}
