// A client at the level of the wire: it sends any bytes and keeps every line that the server writes.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { createLogger, type Logger, type LogFields, type LogLevel } from "../../src/base/log.ts";
import { isObject, type OutgoingMessage } from "../../src/mcp/message.ts";
import type { ServerOptions } from "../../src/mcp/options.ts";
import { Session } from "../../src/mcp/session.ts";
import { localOwner } from "../../src/sources/principal.ts";
import type { ToolResult, Tool, ToolContext } from "../../src/tools/tool.ts";
import { serveStdio } from "../../src/transports/stdio.ts";

/** A message as it is on the wire, read without knowledge of its type. */
export interface Wire {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: {
      readonly error_code: string;
      readonly detail: string;
      /** Data of UNSUPPORTED_VERSION. */
      readonly supported?: unknown;
    };
  };
}

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

export const LOCAL = localOwner();

/** Params of a request of revision 2026-07-28, as Claude Code sends them. */
export function modernParams(
  params: Readonly<Record<string, unknown>> = {},
  meta: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2.1.329" },
      "io.modelcontextprotocol/clientCapabilities": { roots: { listChanged: true } },
      ...meta,
    },
  };
}

/** The `_meta` of every result of revision 2026-07-28. */
export const MODERN_RESULT_META = {
  "io.modelcontextprotocol/serverInfo": {
    name: "svc",
    version: "0.8.0",
    protocolVersion: "2024-11-05",
  },
};

/** A tool with a handler from a test. */
export function fixtureTool(
  name: string,
  run: (input: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<ToolResult>,
  more: Partial<Tool> & { readonly outputSchema?: Readonly<Record<string, unknown>> } = {},
): Tool {
  const { outputSchema, ...traits } = more;
  return {
    name,
    group: "search",
    readOnly: true,
    descriptor: {
      name,
      title: name,
      description: `The fixture ${name}.`,
      inputSchema: { type: "object" },
      annotations: {},
      ...(outputSchema === undefined ? {} : { outputSchema }),
    },
    call: (input, context) => run(isObject(input) ? input : {}, context),
    ...traits,
  };
}

export function recordingLogger(): { logger: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      void entries.push({ level, message, fields });
  return { logger: { debug: at("debug"), info: at("info"), warn: at("warn") }, entries };
}

function serverOptions(overrides: Partial<ServerOptions> = {}): ServerOptions {
  return {
    tools: [],
    version: "0.8.0",
    instructions: "Ask for code.",
    engine: () => Promise.reject(new Error("these tests have no engine")),
    authorize: () => Promise.resolve(LOCAL),
    logger: createLogger({ level: "debug", human: false, write: () => {} }),
    ...overrides,
  };
}

export interface SessionPeer {
  readonly session: Session;
  /** Everything the session has sent, in order. */
  readonly sent: Wire[];
  /** Resolves with the messages sent since, when the message is fully answered. */
  readonly exchange: (message: unknown) => Promise<Wire[]>;
  /** Sends one request and resolves with its reply. */
  readonly request: (method: string, params?: unknown, id?: string | number) => Promise<Wire>;
}

/** A session without a transport. */
export function openSession(overrides: Partial<ServerOptions> = {}): SessionPeer {
  const sent: Wire[] = [];
  const session = new Session(serverOptions(overrides), (line, message: OutgoingMessage) => {
    // Only one of them escapes line separators.
    if (JSON.stringify(message) !== JSON.stringify(JSON.parse(line)))
      throw new Error("the line is not the message");
    sent.push(parse(line));
  });
  const exchange = async (message: unknown): Promise<Wire[]> => {
    const before = sent.length;
    await session.receive(typeof message === "string" ? message : JSON.stringify(message));
    return sent.slice(before);
  };
  let lastId = 0;
  const request = async (method: string, params?: unknown, id?: string | number): Promise<Wire> => {
    const ownId = id ?? `auto-${(lastId += 1)}`;
    await session.receive(JSON.stringify({ jsonrpc: "2.0", id: ownId, method, params }));
    const reply = sent.findLast((message) => message.id === ownId);
    if (reply === undefined) throw new Error(`no reply to ${method}`);
    return reply;
  };
  return { session, sent, exchange, request };
}

export interface StreamPeer {
  /** Messages parsed from the server's lines; a line that is not JSON ends the test. */
  readonly received: Wire[];
  readonly write: (bytes: string | Buffer) => void;
  readonly send: (...messages: readonly unknown[]) => void;
  /** Resolves with the first message, past or future, for which `matches` is true. */
  readonly waitFor: (matches: (message: Wire) => boolean) => Promise<Wire>;
  readonly request: (method: string, params?: unknown) => Promise<Wire>;
  /** Resolves when `count` messages have arrived. */
  readonly waitForCount: (count: number) => Promise<void>;
}

/** Connects to a server whose input is `toServer` and whose output is `fromServer`. */
function peerOn(toServer: Writable, fromServer: Readable): StreamPeer {
  const received: Wire[] = [];
  const waiting = new Set<() => void>();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  fromServer.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    received.push(...lines.map(parse));
    for (const check of waiting) check();
  });
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  const write = (bytes: string | Buffer): void => void toServer.write(bytes);
  const send = (...messages: readonly unknown[]): void =>
    write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const waitFor = (matches: (message: Wire) => boolean): Promise<Wire> =>
    until(() => received.find(matches));
  let lastId = 0;
  return {
    received,
    write,
    send,
    waitFor,
    request(method, params) {
      const id = `auto-${(lastId += 1)}`;
      send({ jsonrpc: "2.0", id, method, params });
      return waitFor((message) => message.id === id);
    },
    async waitForCount(count) {
      await until(() => (received.length >= count ? true : undefined));
    },
  };
}

export interface StreamServer extends StreamPeer {
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Resolves when serveStdio does. */
  readonly done: Promise<void>;
  readonly stop: () => void;
}

/** serveStdio between two in-memory streams. */
export function serveInMemory(
  overrides: Partial<ServerOptions> = {},
  output: PassThrough = new PassThrough(),
): StreamServer {
  const input = new PassThrough();
  const controller = new AbortController();
  const done = serveStdio(serverOptions(overrides), { input, output, signal: controller.signal });
  return { ...peerOn(input, output), input, output, done, stop: () => controller.abort() };
}

export interface ServerProcess extends StreamPeer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stderr: () => string;
  /** Resolves with the exit code; null after a signal. */
  readonly exit: () => Promise<number | null>;
}

export const FIXTURE_SERVER = fileURLToPath(
  new URL("../transports/fixtures/server.ts", import.meta.url),
);

/** The fixture server as a separate process. */
export function spawnServer(...args: readonly string[]): ServerProcess {
  return spawnScript(FIXTURE_SERVER, ...args);
}

/** Another server, run by Node. */
export function spawnScript(script: string, ...args: readonly string[]): ServerProcess {
  const child = spawn(process.execPath, [script, ...args]);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  // The server may end before it has read everything.
  child.stdin.on("error", () => {});
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    ...peerOn(child.stdin, child.stdout),
    child,
    stderr: () => stderr,
    exit: () => exited,
  };
}

/** T7: a structured result is also in one of its text items, as the same JSON. */
export function repeatsStructuredContent(result: Readonly<Record<string, unknown>>): boolean {
  const { content, structuredContent } = result;
  const wanted = JSON.stringify(structuredContent);
  return (
    Array.isArray(content) && content.some((item) => isObject(item) && item["text"] === wanted)
  );
}

function parse(line: string): Wire {
  return JSON.parse(line);
}
