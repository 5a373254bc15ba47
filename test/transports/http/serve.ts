// A server with the real transport and tools defined by the test, and clients that see the bytes.
import { connect, type Socket } from "node:net";

import { onTestFinished } from "vitest";

import type { CallEvent } from "../../../src/credentials/audit-event.ts";
import {
  serveHttp,
  type HttpOptions,
  type HttpServer,
} from "../../../src/transports/http/server.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { memoryAccess, SECRETS } from "./memory-access.ts";

export interface TestServer extends HttpServer {
  readonly port: number;
  readonly audited: readonly CallEvent[];
}

export const TOKEN = SECRETS.token;
export const KEY = SECRETS.key;
export const TOKEN_RECORD = { id: "token_1", kind: "token", namespaces: "all" } as const;
const KEY_RECORD = { id: "key_1", kind: "key", namespaces: ["docs"] } as const;

/** Starts a server that ends with the test; its only credentials are TOKEN and KEY. */
export async function serve(
  tools: readonly Tool[] = [],
  options: Partial<HttpOptions> = {},
): Promise<TestServer> {
  const audited: CallEvent[] = [];
  const { authenticateAs, rights } = await memoryAccess([
    { ...TOKEN_RECORD, secret: TOKEN },
    { ...KEY_RECORD, secret: KEY },
  ]);
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: {
      tools,
      version: "0.8.0",
      instructions: "Ask for code.",
      engine: () => Promise.reject(new Error("these tests have no engine")),
      logger: recordingLogger().logger,
      audit: (call) => void audited.push(call),
    },
    authenticate: authenticateAs,
    rights,
    ready: () => Promise.resolve(),
    ...options,
  });
  onTestFinished(() => server.end());
  return { ...server, port: Number(new URL(server.url).port), audited };
}

export interface Wire {
  readonly socket: Socket;
  readonly send: (text: string) => void;
  /** Resolves with everything received once it matches; rejects when the connection closes before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves with everything received when the server has closed the connection. */
  readonly closed: () => Promise<string>;
}

/** Opens a connection on which any bytes can be sent. */
export function open({ port }: TestServer): Wire {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  // A reset closes the connection too.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return {
    socket,
    send: (text) => void socket.write(text),
    closed: async () => {
      await closed;
      return received;
    },
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(received)) resolve(received);
        };
        socket.on("data", look);
        void closed.then(() => reject(new Error(`closed after ${JSON.stringify(received)}`)));
        look();
      }),
  };
}

interface RequestParts {
  readonly line?: string;
  /** Headers with the value undefined are omitted. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export function message(method: string, params?: unknown, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export const PING = message("ping");

/** Returns the bytes of a request; by default a ping that succeeds. */
export function requestText(
  { port }: TestServer,
  { line = "POST /mcp HTTP/1.1", headers = {}, body = PING }: RequestParts = {},
): string {
  const all = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${TOKEN}`,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return `${[line, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

/**
 * Returns status and error code of the response to one request, such as "200 ok". The request closes the
 * connection.
 */
export async function outcomeOf(server: TestServer, parts: RequestParts = {}): Promise<string> {
  const wire = open(server);
  wire.send(requestText(server, { ...parts, headers: { Connection: "close", ...parts.headers } }));
  return summary(await wire.closed());
}

export function summary(answer: string): string {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? "none";
  return `${status} ${/"error_code":"(\w+)"/.exec(answer)?.[1] ?? "ok"}`;
}
