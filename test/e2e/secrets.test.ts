// Places without secrets: the test searches everything that svc writes, prints and starts.
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  createPlace,
  exitCode,
  startProgram,
  type Environment,
  type Run,
} from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";
import { startMuteBus } from "./session-bus.ts";
import { promise } from "../trust/promise.ts";

process.env["SVC_BIN"] ??= path.join(import.meta.dirname, "../../dist/svc");

const PASSPHRASE = "canary passphrase 5d1fe8";
const place = createPlace({
  "README.md": "# Lighthouse\n\nThe lamp is lit at dusk by the keeper.\n",
  "lamp.ts": "export function lightLamp(): void {}\n",
});

/** Name -> value of every secret. */
const secrets = new Map([["passphrase", PASSPHRASE]]);
/** All of standard output and standard error, without the line that is the secret. */
const said: string[] = [];
/** Arguments and environments of the processes that svc started, and its own arguments. */
const processes: string[] = [];
let bus: Awaited<ReturnType<typeof startMuteBus>>;

beforeAll(async () => {
  bus = await startMuteBus();
});
afterAll(async () => {
  await bus.stop();
  place.remove();
});

/** Runs a command, and watches the processes that it starts. */
async function svc(args: readonly string[], env: Environment = {}): Promise<Run> {
  const child = startProgram(place, args, { SERVICE_DEBUG: "true", ...env });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.on("data", (text: string) => out.push(text));
  child.stderr.on("data", (text: string) => err.push(text));
  child.stdin.end();
  const ended = exitCode(child);
  const looking = setInterval(() => look(child.pid ?? 0), 20);
  await ended.finally(() => clearInterval(looking));
  return { stdout: out.join(""), stderr: err.join(""), exit: await ended };
}

async function quietly(args: readonly string[], env: Environment = {}): Promise<Run> {
  const run = await svc(args, env);
  said.push(run.stdout, run.stderr);
  return run;
}

/** Creates a credential; its value may be printed only once, as the only text on standard output. */
async function create(name: string, args: readonly string[], env?: Environment): Promise<string> {
  const { stdout, stderr, exit } = await svc(args, env);
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/^sv[kt]_\w{38}\n$/)]);
  said.push(stderr);
  secrets.set(name, stdout.trim());
  return stdout.trim();
}

/** The visible properties of a process, and the input of its children. */
function look(parent: number): void {
  processes.push(read(`/proc/${parent}/cmdline`));
  for (const child of childrenOf(parent)) {
    processes.push(read(`/proc/${child}/cmdline`), read(`/proc/${child}/environ`));
    look(child);
  }
}

/**
 * Linux's list of children for each thread, because reading the parent of every process takes long on a busy machine.
 */
function childrenOf(parent: number): number[] {
  return globSync(`/proc/${parent}/task/*/children`).flatMap((list) =>
    (read(list).match(/\d+/g) ?? []).map(Number),
  );
}

/** "" for files that were removed in between. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** Every form of a secret that reveals it; for our own values also the hash, which only the seal may hold. */
function formsOf(value: string): readonly Buffer[] {
  const bytes = Buffer.from(value);
  const digest = createHash("sha256").update(bytes).digest();
  const texts = [bytes, digest].flatMap((one) => [
    one.toString("hex"),
    one.toString("base64").replace(/=+$/, ""),
    one.toString("base64url"),
  ]);
  return [bytes, digest, Buffer.from(value, "utf16le"), ...texts.map((text) => Buffer.from(text))];
}

/** Finds the names of the secrets that a text contains. */
function finder(): (text: string | Buffer) => string[] {
  const forms = [...secrets].map(([name, value]) => ({ name, all: formsOf(value) }));
  return (text) => {
    const bytes = Buffer.from(text);
    return forms.flatMap(({ name, all }) =>
      all.some((form) => bytes.includes(form)) ? [name] : [],
    );
  };
}

test("secrets are used in every possible way", async () => {
  const ask = { DBUS_SESSION_BUS_ADDRESS: bus.address };
  // The keychain hangs, so that the process that queries it can be inspected.
  const saved = await create(
    "saved",
    ["auth", "token", "create", "--name", "laptop", "--save"],
    ask,
  );
  const token = await create("token", ["auth", "token", "create", "--name", "ci", "--ttl", "1d"]);
  const key = await create("key", [
    "auth",
    "keys",
    "create",
    "--name",
    "rest",
    "--namespace",
    "docs",
  ]);
  const revoked = await create("revoked", ["auth", "token", "create", "--name", "old"]);
  const mistyped = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
  secrets.set("mistyped", mistyped);

  const list = await quietly(["auth", "token", "list", "--json"]);
  const records: readonly { token_id: string; name: string }[] = JSON.parse(list.stdout);
  const old = records.find(({ name }) => name === "old")?.token_id ?? "";
  expect((await quietly(["auth", "token", "revoke", old])).exit).toBe(0);
  for (const args of [
    ["auth", "keys", "list", "--all"],
    ["auth", "keys", "list", "--json"],
    ["auth", "token", "list", "--all"],
    ["auth", "store", "status"],
    ["config", "list", "--origin"],
    ["search", "who lights the lamp"],
    // Secrets pasted instead of an id, a name or a duration.
    ["auth", "keys", "revoke", key],
    ["auth", "token", "revoke", token],
    ["auth", "token", "create", "--name", "x", "--ttl", token],
    ["auth", "keys", "create", "--name", "x", "--namespace", key],
    ["config", "set", "namespace", token],
    ["config", "get", token],
    [token],
    ["search", "lamp", `--${token}`],
    ["search", "lamp", "--namespace", token],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    const { exit } = await quietly(args, { SERVICE_TOKEN: token, SERVICE_PASSPHRASE: PASSPHRASE });
    expect([0, 2, 4]).toContain(exit);
  }

  for (const SERVICE_TOKEN of [token, saved, key, revoked, mistyped]) {
    const server = startServer(place, { SERVICE_TOKEN, SERVICE_DEBUG: "true", ...ask });
    /* oxlint-disable no-await-in-loop -- a conversation */
    await server.request("initialize", { clientInfo: { name: token } });
    await server.request("tools/list");
    await server.request("tools/call", {
      name: "search_context",
      arguments: { query: `who lights ${token} or ${key}?`, namespace: saved },
    });
    await server.request("tools/call", { name: token, arguments: {} });
    await server.request("tools/call", { name: "index_source", arguments: { source: `/${key}` } });
    await server.request("tools/call", {
      name: "read_context",
      arguments: { targets: [key], [token]: 1 },
    });
    await server.request(token, { Authorization: `Bearer ${token}` });
    await server.raw(`{"jsonrpc":"2.0","id":"${key}","method":"${token}"`);
    await server.raw(JSON.stringify({ jsonrpc: "1.0", id: 7.5, method: token }));
    /* oxlint-enable no-await-in-loop */
    expect(await server.close()).toBe(0);
    said.push(server.stderr(), ...server.lines);
  }
  expect((await quietly(["audit", "verify"])).exit).toBe(0);
  await quietly(["audit", "tail", "--json"]);
});

test("and with a store that a passphrase opens", async () => {
  const env = { SERVICE_PASSPHRASE: PASSPHRASE, SERVICE_HOME: path.join(place.home, "second") };
  const token = await create("second", ["auth", "token", "create", "--name", "b", "--save"], env);
  const server = startServer(place, { ...env, SERVICE_TOKEN: token, SERVICE_DEBUG: "true" });
  await server.request("initialize", { clientInfo: { name: "e2e" } });
  expect((await server.request("tools/list")).error).toBeUndefined();
  await server.close();
  said.push(server.stderr(), ...server.lines);
  await quietly(["auth", "token", "list"], { ...env, SERVICE_PASSPHRASE: `${PASSPHRASE}!` });
});

promise(
  [38],
  "no file that svc writes contains a key, a token, a passphrase or a hash of one",
  () => {
    const files = globSync("**", { cwd: place.home }).filter((name) =>
      statSync(path.join(place.home, name)).isFile(),
    );
    expect(files.filter((name) => name.includes("credentials.db"))).not.toEqual([]);
    expect(files.filter((name) => name.includes("audit"))).not.toEqual([]);
    const foundIn = finder();
    const holding = files.flatMap((name) =>
      foundIn(readFileSync(path.join(place.home, name))).map((secret) => `${name}: ${secret}`),
    );
    expect(holding).toEqual([]);
    return files.length * secrets.size;
  },
);

promise(
  [38],
  "no output, log line or error contains a secret, with the debug log on and for any place where it was typed",
  () => {
    const foundIn = finder();
    const telling = said
      .flatMap((text) => text.split("\n"))
      .flatMap((line) => foundIn(line).map((secret) => `${secret}: ${line.slice(0, 300)}`));
    expect(telling).toEqual([]);
    return said.length * secrets.size;
  },
);

promise(
  [38],
  "no process has a secret in its arguments, and svc passes none to the processes that it starts",
  () => {
    expect(processes.filter((text) => text.includes("keychain-agent"))).not.toEqual([]);
    // Arguments that a person types are in the list of processes; svc adds nothing to it.
    const typed = /^[^\0]*svc\0(?:auth|config|search|sv)/;
    // The test inspects each process many times while it runs.
    const texts = [...new Set(processes)].filter((text) => !typed.test(text));
    const telling = texts.flatMap(finder());
    expect(telling).toEqual([]);
    return processes.length * secrets.size;
  },
);
