// One client for both transports and every revision of the protocol, so that a test of a line that concerns both is
// written once.
import { test } from "vitest";

import { isObject } from "../../src/mcp/message.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { modernParams, serveInMemory, type Wire } from "../helpers/rpc.ts";
import { serve, TOKEN } from "../transports/http/serve.ts";

export const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export const MODERN = "2026-07-28";
export type Version = (typeof LEGACY)[number] | typeof MODERN;

type Params = Readonly<Record<string, unknown>>;

export interface Exchanged {
  /** Everything received: replies and notifications; for a batch, its array. */
  readonly received: readonly (Wire | readonly Wire[])[];
  /** The HTTP status; undefined for other transports. */
  readonly status: number | undefined;
}

export interface Exchange extends Exchanged {
  readonly reply: Wire;
}

export interface Peer {
  readonly isHttp: boolean;
  /** Sends it unchanged, in a revision; `answers` is the number of expected messages. */
  readonly send: (message: unknown, answers: number, version?: string) => Promise<Exchanged>;
  /** One request, as a client of the revision sends it. */
  readonly ask: (version: Version, method: string, params?: Params) => Promise<Exchange>;
}

interface Served {
  readonly tools: readonly Tool[];
  readonly timeoutMs?: number;
}

/** The same test over standard input and output and over HTTP. Its title begins with the ids it proves. */
export function onBothWires(
  title: string,
  served: Served,
  prove: (peer: Peer) => Promise<void>,
): void {
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in `prove`.
  test(`${title} (stdio)`, async () => {
    const server = serveInMemory(served);
    await prove(withRequests(false, overStdio(server)));
    server.stop();
    await server.done;
  });
  // oxlint-disable-next-line vitest/expect-expect -- the assertions are in `prove`.
  test(`${title} (HTTP)`, async () => {
    const { tools, timeoutMs } = served;
    const limits = timeoutMs === undefined ? {} : { limits: { callMs: timeoutMs } };
    const { url } = await serve(tools, limits);
    await prove(withRequests(true, overHttp(url)));
  });
}

function withRequests(isHttp: boolean, send: Peer["send"]): Peer {
  let lastId = 0;
  return {
    isHttp,
    send,
    async ask(version, method, params) {
      const id = `ask-${(lastId += 1)}`;
      const all = version === MODERN ? modernParams(params) : params;
      const message = { jsonrpc: "2.0", id, method, params: all };
      const exchanged = await send(message, 1, version);
      const reply = exchanged.received.flat().find((one) => one.id === id);
      if (reply === undefined) throw new Error(`${method} was not answered`);
      return { ...exchanged, reply };
    },
  };
}

/** The revision of a session is that of its `initialize`. */
function overStdio(server: ReturnType<typeof serveInMemory>): Peer["send"] {
  let spoken: string | undefined;
  return async (message, answers, version) => {
    if (version !== undefined && version !== MODERN && version !== spoken) {
      await server.request("initialize", { protocolVersion: version });
      spoken = version;
    }
    const from = server.received.length;
    server.send(message);
    while (repliesIn(server.received.slice(from)) < answers) {
      await server.waitForCount(server.received.length + 1);
    }
    // An unrequested message would arrive before the answer to this request.
    const { id } = await server.request("ping");
    const received = server.received.slice(from).filter((one) => one.id !== id);
    return { received, status: undefined };
  };
}

/** The revision of a request is that of its header, and a modern request has more headers. */
function overHttp(url: string): Peer["send"] {
  return async (message, _answers, version) => {
    const { method, params } = isObject(message) ? message : {};
    const name = isObject(params) ? params["name"] : undefined;
    const mirrored =
      version === MODERN
        ? {
            "Mcp-Method": String(method),
            ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
          }
        : {};
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(version === undefined ? {} : { "MCP-Protocol-Version": version }),
        ...mirrored,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const texts = isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data) : [];
    if (!isStream && text !== "") texts.push(text);
    return { received: texts.map((one) => JSON.parse(one)), status: response.status };
  };
}

function repliesIn(received: readonly Wire[]): number {
  return received.filter(({ method }) => method === undefined).length;
}
