import { globSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { createPlace, exitCode, startProgram, type Place, type Run } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";
import { missingPrograms, NO_BUS, startKeyring, startMuteBus } from "./session-bus.ts";

process.env["SVC_BIN"] ??= path.join(import.meta.dirname, "../../dist/svc");

/** Time for what waits for nothing, on a busy machine. */
const AT_ONCE_MS = 1000;
/** The limit of one question to the keychain, and the start of the program twice. */
const GIVEN_UP_MS = 3500;
const INITIALIZE_MS = 300;

const DECLINED = "CREDENTIAL_STORE";
const HINT = "Unlock the keychain";
const CLIENT = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

interface Call extends Run {
  readonly tookMs: number;
  /** From the last output to the end of the process. */
  readonly lingeredMs: number;
}

const stops: (() => Promise<void>)[] = [];
let mute = "";
beforeAll(async () => {
  const bus = await startMuteBus();
  stops.push(bus.stop);
  mute = bus.address;
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

/** Creates a token and saves it, as a user within the session of this bus. */
async function call(place: Place, bus: string): Promise<Call> {
  const startedAt = performance.now();
  let [stdout, stderr, spokeAt] = ["", "", startedAt];
  const args = ["auth", "token", "create", "--name", "laptop", "--save", "--json"];
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

/** A machine of its own for the test. */
function newPlace(): Place {
  const place = createPlace();
  onTestFinished(place.remove);
  return place;
}

/** `svc mcp --stdio` within the session of this bus, with no token but the saved one. */
function serve(place: Place, bus: string): Server {
  const server = startServer(place, { DBUS_SESSION_BUS_ADDRESS: bus });
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

/** Milliseconds from the start of a server to its reply to `initialize`. */
async function initializeMs(place: Place, bus: string): Promise<number> {
  const startedAt = performance.now();
  const { result } = await serve(place, bus).request("initialize", CLIENT);
  expect(result?.serverInfo).toMatchObject({ name: "svc" });
  return performance.now() - startedAt;
}

/** Of three tries, because the machine may be busy with other tests. */
async function bestInitializeMs(place: Place, bus: string): Promise<number> {
  const first = await initializeMs(place, bus);
  return Math.min(first, await initializeMs(place, bus), await initializeMs(place, bus));
}

/** How `tools/list`, which needs a credential, is answered: `ok` or the error code and its detail. */
async function listTools(server: Server): Promise<string> {
  const { result, error } = await server.request("tools/list");
  if (error !== undefined) return `${error.data.error_code}: ${error.data.detail}`;
  return result?.tools === undefined ? "no tools" : "ok";
}

function keyFiles(place: Place): readonly string[] {
  return globSync("**/data.key", { cwd: path.join(place.home, ".config") });
}

test("a keychain that hangs is replaced by the key file, and the process ends at once", async () => {
  const place = newPlace();
  const created = await call(place, mute);
  expect(created.exit).toBe(0);
  expect(created.stderr).toContain("it did not answer within 1500 ms");
  expect(keyFiles(place)).toHaveLength(1);
  expect(created.tookMs).toBeLessThan(GIVEN_UP_MS);
  expect(created.lingeredMs).toBeLessThan(AT_ONCE_MS);
  expect(await listTools(serve(place, mute))).toBe("ok");
});

test("initialize is answered before a keychain that hangs could be asked", async () => {
  expect(await bestInitializeMs(newPlace(), mute)).toBeLessThan(INITIALIZE_MS);
});

test("without a session bus the key file is used", async () => {
  const place = newPlace();
  const created = await call(place, NO_BUS);
  expect([created.exit, keyFiles(place).length]).toEqual([0, 1]);
  expect(created.stderr).toContain("The system's keychain is not used");
  expect(await listTools(serve(place, NO_BUS))).toBe("ok");
});

function testKeyring(): void {
  let keyring = "";
  beforeAll(async () => {
    const bus = await startKeyring();
    stops.push(bus.stop);
    keyring = bus.address;
  });

  test("the data key goes into the keychain, and a server takes it from there", async () => {
    const place = newPlace();
    const created = await call(place, keyring);
    expect(created.exit).toBe(0);
    expect(created.stderr).not.toContain("keychain");
    expect(keyFiles(place)).toEqual([]);
    expect(await listTools(serve(place, keyring))).toBe("ok");
  });

  test("without its keychain the store is refused and left as it is", async () => {
    const place = newPlace();
    await call(place, keyring);
    for (const bus of [NO_BUS, mute]) {
      const again = await call(place, bus);
      expect(again).toMatchObject({ exit: 2, stdout: "" });
      expect(JSON.parse(again.stderr)).toMatchObject({ error: { data: { error_code: DECLINED } } });
      expect(again.stderr).toContain(HINT);
      expect(again.lingeredMs).toBeLessThan(AT_ONCE_MS);

      const answer = await listTools(serve(place, bus));
      expect(answer).toMatch(new RegExp(`^${DECLINED}: .*${HINT}`));
    }
    expect(keyFiles(place)).toEqual([]);
    expect((await call(place, keyring)).exit).toBe(0);
    expect(await listTools(serve(place, keyring))).toBe("ok");
  });

  test("a server whose keychain hangs answers meanwhile and ends with its input", async () => {
    const place = newPlace();
    await call(place, keyring);
    expect(await bestInitializeMs(place, mute)).toBeLessThan(INITIALIZE_MS);

    const server = serve(place, mute);
    await server.request("initialize", CLIENT);
    const listed = listTools(server).catch(() => "no answer");
    const askedAt = performance.now();
    expect(await server.request("ping")).toMatchObject({ result: {} });
    expect(performance.now() - askedAt).toBeLessThan(AT_ONCE_MS);

    const closedAt = performance.now();
    const exit = await server.close();
    expect(exit).toBe(0);
    // The question to the keychain has its own limit; the end of the process does not wait for it.
    expect(performance.now() - closedAt).toBeLessThan(AT_ONCE_MS);
    expect(await listed).not.toBe("ok");
  });
}

function testInstallation(): void {
  test("gnome-keyring is installed", () => {
    const install = "apt-get install --no-install-recommends gnome-keyring dbus";
    expect(missingPrograms(), `the keychain cannot be tested: ${install}`).toEqual([]);
  });
}

/** Where there is no keyring a person tests the rest; a check before a merge must not leave it out. */
function suites(): readonly (() => void)[] {
  if (missingPrograms().length === 0) return [testKeyring];
  return (process.env["CI"] ?? "") === "" ? [] : [testInstallation];
}

for (const register of suites()) register();
