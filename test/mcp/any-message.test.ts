// Whatever a client sends, with the real tools behind the session: nothing falls over, each request is answered once.
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";

import { rpcMessage } from "../../src/base/errors.ts";
import { createLogger } from "../../src/base/log.ts";
import { isObject } from "../../src/mcp/message.ts";
import { tools } from "../../src/tools/registry.ts";
import { project, request, type Project } from "../helpers/project.ts";
import { MODERN_RESULT_META, openSession, type Wire } from "../helpers/rpc.ts";
import { promise, sized } from "../trust/promise.ts";
import { anySession, type AnySession } from "./any-message.ts";

const LINES = 200;
const DOCUMENTED = new Set(["initialize", "tools/list", "tools/call"]);
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Of stacks, and of the files of the program. */
const INSIDE = /\bat \S+ \(|node:internal|node_modules|\.[mc]?[jt]s:\d+:\d+|file:\/\/\//;

let made: Project;
beforeAll(async () => {
  made = project({
    "src/tokens.ts": "/** Revokes. */\nexport function revokeToken(id: string): void {}\n",
    "test/tokens.test.ts": "test('revokeToken', () => revokeToken('a'));\n",
    "docs/tokens.md": "# Tokens\n\nCall revokeToken to revoke a token.\n",
  });
  await made.engine.index(request());
}, 30_000);
afterAll(() => made.dispose());

/** How many replies each id is owed, and how many requests may have been cancelled. */
class Owed {
  readonly replies = new Map<string, number>();
  readonly cancels = new Map<string, number>();

  line(text: string, version: string | undefined): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      count(this.replies, null);
      return;
    }
    if (!Array.isArray(value)) {
      this.#message(value);
      return;
    }
    const isRefused =
      (version !== undefined && version !== "2025-03-26") ||
      value.length === 0 ||
      value.some((one) => isObject(one) && isModern(one["params"]));
    if (isRefused) count(this.replies, null);
    else for (const one of value) this.#message(one);
  }

  #message(value: unknown): void {
    if (!isObject(value)) {
      count(this.replies, null);
      return;
    }
    const { jsonrpc, id, method, params } = value;
    const readable = typeof id === "string" || Number.isSafeInteger(id) ? id : null;
    const isResponse = method === undefined && ("result" in value || "error" in value);
    if (jsonrpc === "2.0" && isResponse) return;
    if (jsonrpc !== "2.0" || typeof method !== "string" || id !== undefined) {
      count(this.replies, readable);
      return;
    }
    if (DOCUMENTED.has(method) && !isModern(params)) count(this.replies, null);
    if (method === "notifications/cancelled" && isObject(params))
      count(this.cancels, params["requestId"]);
  }
}

function isModern(params: unknown): boolean {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) && typeof meta[VERSION_KEY] === "string";
}

function count(counts: Map<string, number>, id: unknown): void {
  const key = JSON.stringify(id) ?? "";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Checked once: lists of tools are long, and all the same. */
const sound = new Set<string>();

function expectShape(message: Wire): void {
  expect(message.jsonrpc).toBe("2.0");
  const { result, error, method } = message;
  if (method !== undefined) {
    expect(method).toMatch(
      /^notifications\/(progress|subscriptions\/acknowledged|tools\/list_changed)$/,
    );
    return;
  }
  expect((result === undefined) !== (error === undefined)).toBe(true);
  if (error !== undefined) {
    expect([Number.isInteger(error.code), error.message]).toEqual([true, rpcMessage(error.code)]);
    expect([typeof error.data.error_code, typeof error.data.detail]).toEqual(["string", "string"]);
    expect(error.data.detail).not.toBe("");
  }
  if (error !== undefined || result?.["isError"] === true) {
    expect(JSON.stringify(message)).not.toMatch(INSIDE);
    expect(JSON.stringify(message)).not.toContain(made.data);
  }
  if (result !== undefined) expectResult(result);
}

function expectResult(result: NonNullable<Wire["result"]>): void {
  const text = JSON.stringify(result);
  if (sound.has(text)) return;
  if (sound.size > 5000) sound.clear();
  sound.add(text);
  if ("resultType" in result) expect(result).toMatchObject({ _meta: MODERN_RESULT_META });
  if ("tools" in result) ListToolsResultSchema.parse(result);
  else if ("content" in result) CallToolResultSchema.parse(result);
  else if ("protocolVersion" in result) InitializeResultSchema.parse(result);
  else if ("supportedVersions" in result)
    expect(result["supportedVersions"]).toEqual(["2026-07-28"]);
  else if ("resultType" in result) expect(result["resultType"]).toBe("complete");
  else EmptyResultSchema.parse(result);
}

async function survive({ version, lines }: AnySession): Promise<void> {
  const {
    session,
    sent,
    exchange,
    request: ask,
  } = openSession({
    tools,
    engine: () => Promise.resolve(made.engine),
    logger: createLogger({ level: "warn", human: false, write: () => {} }),
  });
  if (version !== undefined) await ask("initialize", { protocolVersion: version }, "first");
  await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  sent.length = 0;
  const owed = new Owed();
  const answered = lines.map((line) => {
    owed.line(line, version);
    return session.receive(line);
  });
  await session.endSubscriptions();
  await Promise.all(answered.map(async (one) => one));
  const messages = sent.flat();
  const replied = new Map<string, number>();
  for (const message of messages) {
    expectShape(message);
    if (message.method === undefined) count(replied, message.id);
  }
  for (const id of new Set([...owed.replies.keys(), ...replied.keys()])) {
    const [most, got] = [owed.replies.get(id) ?? 0, replied.get(id) ?? 0];
    const least = most - (owed.cancels.get(id) ?? 0);
    if (got > most || got < least) {
      throw new Error(`${got} replies to ${id}, instead of ${least} to ${most}`);
    }
  }
  expect((await ask("ping", {}, "last")).result).toEqual({});
  session.close();
}

promise(
  [17],
  "whatever is sent, each request is answered once, in the shape of the protocol, and no notification is",
  async () => {
    const runs = sized({ quick: 20_000, full: 1_000_000, soak: 10_000_000 }) / LINES;
    // A failure prints its seed and the shortest session that shows it.
    await fc.assert(fc.asyncProperty(anySession(LINES), survive), { numRuns: runs });
    return runs * LINES;
  },
);
