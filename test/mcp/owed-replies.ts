// The replies that a session must send for any input lines: their number per id, and their form.
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";

import { rpcMessage } from "../../src/base/errors.ts";
import { isObject } from "../../src/mcp/message.ts";
import { MODERN_RESULT_META, type Wire } from "../helpers/rpc.ts";

const DOCUMENTED = new Set(["initialize", "tools/list", "tools/call"]);
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Patterns of stack traces and of the program's files. */
const INSIDE = /\bat \S+ \(|node:internal|node_modules|\.[mc]?[jt]s:\d+:\d+|file:\/\/\//;

/** The number of expected replies per id, and of possibly cancelled requests. */
export class Owed {
  readonly #replies = new Map<string, number>();
  readonly #cancels = new Map<string, number>();
  readonly #got = new Map<string, number>();

  line(text: string, version: string | undefined): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      count(this.#replies, null);
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
    if (isRefused) count(this.#replies, null);
    else for (const one of value) this.#message(one);
  }

  /** Checks the form of a received message. `place` is a folder that no error may name. */
  came(message: Wire, place: string): void {
    expectShape(message, place);
    if (message.method === undefined) count(this.#got, message.id);
  }

  /** Ids with a wrong number of replies: `2 to "a", instead of 0 to 1`. */
  wrong(which: "too few" | "any" = "any"): readonly string[] {
    return [...new Set([...this.#replies.keys(), ...this.#got.keys()])].flatMap((id) => {
      const [most, got] = [this.#replies.get(id) ?? 0, this.#got.get(id) ?? 0];
      const least = most - (this.#cancels.get(id) ?? 0);
      const isWrong = got < least || (which === "any" && got > most);
      return isWrong ? [`${got} to ${id}, instead of ${least} to ${most}`] : [];
    });
  }

  #message(value: unknown): void {
    if (!isObject(value)) {
      count(this.#replies, null);
      return;
    }
    const { jsonrpc, id, method, params } = value;
    const readable = typeof id === "string" || Number.isSafeInteger(id) ? id : null;
    const isResponse = method === undefined && ("result" in value || "error" in value);
    if (jsonrpc === "2.0" && isResponse) return;
    if (jsonrpc !== "2.0" || typeof method !== "string" || id !== undefined) {
      count(this.#replies, readable);
      return;
    }
    if (DOCUMENTED.has(method) && !isModern(params)) count(this.#replies, null);
    if (method === "notifications/cancelled" && isObject(params))
      count(this.#cancels, params["requestId"]);
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

/** Checked once, because lists of tools are long and identical. */
const sound = new Set<string>();

function expectShape(message: Wire, place: string): void {
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
    expect(JSON.stringify(message)).not.toContain(place);
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
