// A user of the built program within a bus session, on a test machine.
import { globSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

import { createPlace, exitCode, startProgram, type Place, type Run } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";
import type { Bus, CountingBus } from "./session-bus.ts";

process.env["SVC_BIN"] ??= path.join(import.meta.dirname, "../../dist/svc");

export const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

/** A bus for all tests that are registered after this call. */
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
export async function saveToken(place: Place, bus: string): Promise<Run> {
  let [stdout, stderr] = ["", ""];
  tokens += 1;
  const args = ["auth", "token", "create", "--name", `laptop-${tokens}`, "--save", "--json"];
  const child = startProgram(place, args, { DBUS_SESSION_BUS_ADDRESS: bus });
  child.stdout.on("data", (text: string) => (stdout += text));
  child.stderr.on("data", (text: string) => (stderr += text));
  const exit = await exitCode(child);
  return { stdout, stderr, exit };
}

/** `svc mcp --stdio`, with no token but the saved one. */
export function serve(place: Place, bus: string): Server {
  const server = startServer(place, { DBUS_SESSION_BUS_ADDRESS: bus });
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

/** Returns the number of keychain requests on this bus that end or are given up before the reply to `initialize`. */
export async function questionsBeforeInitialize(place: Place, bus: CountingBus): Promise<number> {
  const before = bus.left();
  const { result } = await serve(place, bus.address).request("initialize", CLIENT);
  expect(result?.serverInfo).toMatchObject({ name: "svc" });
  return bus.left() - before;
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
