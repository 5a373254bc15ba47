// The transports to the servers of a world, each of which returns every byte of the reply.
import { Agent, request as httpRequest } from "node:http";
import { text as textOf } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import {
  modernParams,
  recordingLogger,
  serveInMemory,
  type StreamServer,
} from "../../helpers/rpc.ts";
import { tools } from "../../../src/tools/registry.ts";
import type { Asker, World } from "./world.ts";

export const CHANNELS = ["http", "http-modern", "stdio", "stdio-modern", "rest"] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly wantsProgress: boolean;
}

/** Sends calls to one world; sessions over standard input are reopened at intervals. */
export class Channels {
  readonly #world: World;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #sessions = new Map<string, Session>();

  constructor(world: World) {
    this.#world = world;
    onTestFinished(() => this.#agent.destroy());
    onTestFinished(() => {
      for (const session of this.#sessions.values()) session.end();
    });
  }

  /** All bytes of the answer; over HTTP including the headers. */
  ask(channel: Channel, asker: Asker, call: Call): Promise<string> {
    if (channel === "rest") return this.#rest(asker, call);
    const { tool, input, wantsProgress } = call;
    const meta = wantsProgress ? { progressToken: "p" } : {};
    const bare = { name: tool, arguments: input };
    const isModern = channel.endsWith("-modern");
    const params = isModern ? modernParams(bare, meta) : { ...bare, _meta: meta };
    if (channel.startsWith("http")) return this.#http(channel, asker, params);
    return this.#session(channel, asker).call(params);
  }

  /** Any HTTP request. */
  send(path: string, { method = "GET", headers = {}, body }: HttpOptions): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const sent = httpRequest(
      { host: "127.0.0.1", port: this.#world.port, path, method, headers, agent: this.#agent },
      (response) => {
        const head = [response.statusCode, response.statusMessage, ...response.rawHeaders];
        textOf(response).then((text) => resolve(`${head.join("\n")}\n\n${text}`), reject);
      },
    );
    sent.once("error", reject).end(body);
    return promise;
  }

  #http(channel: Channel, { secret }: Asker, params: Readonly<Record<string, unknown>>) {
    const isModern = channel === "http-modern";
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return this.send("/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${secret}`,
        ...(isModern
          ? {
              "MCP-Protocol-Version": "2026-07-28",
              "Mcp-Method": "tools/call",
              "Mcp-Name": String(params["name"]),
            }
          : {}),
      },
      body: JSON.stringify(message),
    });
  }

  #rest({ secret }: Asker, { input }: Call): Promise<string> {
    return this.send("/v1/search", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": secret },
      body: JSON.stringify(input),
    });
  }

  #session(channel: Channel, asker: Asker): Session {
    const key = `${channel} ${asker.name}`;
    const open = this.#sessions.get(key);
    if (open !== undefined && open.calls < CALLS_OF_SESSION) return open;
    open?.end();
    const session = new Session(this.#world, asker);
    this.#sessions.set(key, session);
    return session;
  }
}

interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A session stores its output, and a long one stores much. */
const CALLS_OF_SESSION = 100;

/** A client over standard input, one call after the other. */
class Session {
  readonly #server: StreamServer;
  calls = 0;
  #unread = "";

  constructor(world: World, { secret, kind }: Asker) {
    this.#server = serveInMemory({
      tools,
      engine: () => Promise.resolve(world.local),
      authorize: async () => world.authenticate(secret, kind),
      logger: recordingLogger().logger,
    });
    this.#server.output.on("data", (chunk: Buffer) => (this.#unread += chunk.toString()));
  }

  /** Everything received since the previous call. */
  async call(params: unknown): Promise<string> {
    this.calls += 1;
    await this.#server.request("tools/call", params);
    const received = this.#unread;
    this.#unread = "";
    return received;
  }

  end(): void {
    this.#server.stop();
  }
}
