import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

import { exitCode, startProgram, type Environment, type Place } from "./program.ts";

export interface Item {
  readonly type: string;
  readonly text: string;
  readonly partial?: boolean;
  readonly cache_control?: { readonly type: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly error_code: string; readonly detail: string };
}

/** The members of results that the tests read; each method has its own. */
export interface Result {
  readonly serverInfo?: Readonly<Record<string, unknown>>;
  readonly capabilities?: unknown;
  readonly tools?: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly content?: readonly Item[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly instructions?: string;
}

export interface Reply {
  readonly jsonrpc: string;
  readonly id: number | string | null;
  readonly result?: Result;
  readonly error?: RpcError;
}

export interface Server {
  /** Sends a request and waits for the reply with its id. */
  readonly request: (method: string, params?: unknown) => Promise<Reply>;
  /**
   * Calls a tool and returns its items. Throws if the call failed. Calls again while the index is built for the first
   * time, as the error advises: on a busy machine that takes longer than a call waits for it.
   */
  readonly items: (tool: string, input: unknown) => Promise<readonly Item[]>;
  /** Sends a message without an id, which gets no answer. */
  readonly notify: (method: string, params?: unknown) => void;
  /** Writes a line unchanged and waits for the next reply that belongs to no `request`. */
  readonly raw: (line: string) => Promise<Reply>;
  /** Standard output so far, line by line. */
  readonly lines: readonly string[];
  readonly stderr: () => string;
  /** Ends standard input and waits for the exit code. Throws with its output if a signal ended it. */
  readonly close: () => Promise<number>;
}

const RETRY_MS = 500;

/** `svc mcp --stdio` in the project; without SERVICE_TOKEN in `env` it has no credential. `flags` follow `--stdio`. */
export function startServer(place: Place, env: Environment, flags: readonly string[] = []): Server {
  const child = startProgram(place, ["mcp", "--stdio", ...flags], env);
  const ended = exitCode(child);
  const lines: string[] = [];
  const err: string[] = [];
  const waiting = new Map<unknown, (reply: Reply) => void>();
  const waitingRaw: ((reply: Reply) => void)[] = [];
  let lastId = 0;

  child.stderr.on("data", (text: string) => err.push(text));
  // The exit of the server reports that it is gone, not the pipe.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const message = parse(line);
    if (message === undefined || "method" in message) return;
    const take = waiting.get(message.id) ?? waitingRaw.shift();
    waiting.delete(message.id);
    take?.(message);
  });

  const send = (line: string): void => {
    child.stdin.write(`${line}\n`);
  };
  const orEnd = async (reply: Promise<Reply>): Promise<Reply> => {
    const first = await Promise.race([reply, ended]);
    if (typeof first === "object" && first !== null) return first;
    throw new Error(`the server ended with ${first}:\n${err.join("")}`);
  };
  const request: Server["request"] = (method, params) => {
    lastId += 1;
    const id = lastId;
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return orEnd(reply);
  };
  return {
    request,
    async items(name, input) {
      let reply = await request("tools/call", { name, arguments: input });
      while (reply.result?.structuredContent?.["error_code"] === "INDEX_EMPTY") {
        // oxlint-disable-next-line no-await-in-loop -- one call after the other
        await delay(RETRY_MS);
        // oxlint-disable-next-line no-await-in-loop -- as above
        reply = await request("tools/call", { name, arguments: input });
      }
      return itemsOf(reply);
    },
    notify: (method, params) => send(JSON.stringify({ jsonrpc: "2.0", method, params })),
    raw: (line) => {
      const reply = new Promise<Reply>((resolve) => waitingRaw.push(resolve));
      send(line);
      return orEnd(reply);
    },
    lines,
    stderr: () => err.join(""),
    async close() {
      child.stdin.end();
      const exit = await ended;
      if (exit === null) throw new Error(`${child.signalCode} ended the server:\n${err.join("")}`);
      return exit;
    },
  };
}

function itemsOf({ result, error }: Reply): readonly Item[] {
  if (error !== undefined) throw new Error(`${error.data.error_code}: ${error.data.detail}`);
  const { content = [], isError = false } = result ?? {};
  if (isError) throw new Error(content.map(({ text }) => text).join("\n"));
  return content;
}

/** Undefined for a line that is not JSON: the tests of standard output check `lines` for that. */
function parse(line: string): Reply | undefined {
  try {
    const reply: Reply = JSON.parse(line);
    return reply;
  } catch {
    return undefined;
  }
}
