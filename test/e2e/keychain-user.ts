// A user of the built program within a bus session, on a test machine.
import { globSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

import { createPlace, exitCode, startProgram, type Place, type Run } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";
import type { Bus } from "./session-bus.ts";

process.env["SVC_BIN"] ??= path.join(import.meta.dirname, "../../dist/svc");

/** Limit for the reply to `initialize`. */
export const INITIALIZE_MS = 300;

export const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

interface Call extends Run {
  readonly tookMs: number;
  /** From the last output to the end of the process. */
  readonly lingeredMs: number;
}

/** A bus for all tests that are registered after this. */
export function useBus<T extends Bus>(start: () => Promise<T>): () => T {
  let bus: T | undefined;
  beforeAll(async () => {
    bus = await start();
  });
  afterAll(() => bus?.stop());
  return () => {
    if (bus === undefined) throw new Error("the bus has not been started");
    return bus;
  };
}

/** A separate machine for the test. */
export function newPlace(): Place {
  const place = createPlace();
  onTestFinished(place.remove);
  return place;
}

let tokens = 0;

/** Creates a token with a unique name and saves it. */
export async function saveToken(place: Place, bus: string): Promise<Call> {
  const startedAt = performance.now();
  let [stdout, stderr, spokeAt] = ["", "", startedAt];
  tokens += 1;
  const args = ["auth", "token", "create", "--name", `laptop-${tokens}`, "--save", "--json"];
  const child = startProgram(place, args, { DBUS_SESSION_BUS_ADDRESS: bus });
  child.stdout.on("data", (text: string) => {
    stdout += text;
    spokeAt = performance.now();
  });
  child.stderr.on("data", (text: string) => {
    stderr += text;
    spokeAt = performance.now();
  });
  const exit = await exitCode(child);
  const endedAt = performance.now();
  const [tookMs, lingeredMs] = [endedAt - startedAt, endedAt - spokeAt];
  return { stdout, stderr, exit, tookMs, lingeredMs };
}

/** `svc mcp --stdio`, with no token but the saved one. */
export function serve(place: Place, bus: string): Server {
  const server = startServer(place, { DBUS_SESSION_BUS_ADDRESS: bus });
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

/** Milliseconds from the start of a server to its reply to `initialize`; the best of three tries, on a busy machine. */
export async function bestInitializeMs(place: Place, bus: string): Promise<number> {
  const first = await initializeMs(place, bus);
  return Math.min(first, await initializeMs(place, bus), await initializeMs(place, bus));
}

async function initializeMs(place: Place, bus: string): Promise<number> {
  const startedAt = performance.now();
  const { result } = await serve(place, bus).request("initialize", CLIENT);
  expect(result?.serverInfo).toMatchObject({ name: "svc" });
  return performance.now() - startedAt;
}

/** The result of a call, which needs a credential: `ok`, or the error code and its detail. */
export async function accessOf(server: Server): Promise<string> {
  const { result, error } = await server.request("tools/call", {
    name: "index_status",
    arguments: {},
  });
  const refused = error?.data ?? (result?.isError === true ? result.structuredContent : undefined);
  return refused === undefined
    ? "ok"
    : `${String(refused["error_code"])}: ${String(refused["detail"])}`;
}

/** The key files of this machine. */
export function keyFiles(place: Place): readonly string[] {
  return globSync("**/data.key", { cwd: path.join(place.home, ".config") });
}
