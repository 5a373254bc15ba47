import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export interface Bus {
  /** For DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** A bus that counts the clients that have disconnected, because they ended or gave up a request. */
export interface CountingBus extends Bus {
  readonly left: () => number;
}

/** A bus that forwards nothing to another bus before `release`. */
export interface HeldBus extends CountingBus {
  /** Resolves when the first client has connected. */
  readonly connected: Promise<void>;
  readonly release: () => void;
}

export interface Keyring extends Bus {
  /** Locks it, as a desktop does when its user logs out. */
  readonly lock: () => Promise<void>;
  /** Unlocks it, as a desktop does with the login password of its user. */
  readonly unlock: () => Promise<void>;
  /** The number of svc's secrets that it holds, including locked ones. */
  readonly entries: () => Promise<number>;
}

interface KeyringOptions {
  /** Whether a locked keyring can ask for its password: with `unanswered` it asks, and nobody answers. */
  readonly prompt?: "none" | "unanswered";
}

/** An address without a bus, as on a machine without a desktop. */
export const NO_BUS = "unix:path=/nonexistent";

const SESSION_RUNNER = "dbus-run-session";
const KEYRING = "gnome-keyring-daemon";
const BUS_CLIENT = "dbus-send";
const PASSWORD = "password";
/** Longer than svc waits for the keychain. */
const PROMPT_SECONDS = 5;
const SECRETS = "org.freedesktop.secrets";
const SECRETS_PATH = "/org/freedesktop/secrets";
const PROMPTER = "org.gnome.keyring.SystemPrompter";

// The bus lives as long as `cat`, until the input is closed; the keyring ends with its bus.
const SESSION = `printf ${PASSWORD} | ${KEYRING} --unlock --components=secrets >/dev/null &&
  echo "$DBUS_SESSION_BUS_ADDRESS" && exec cat`;

/** A separate session bus with a gnome-keyring that is empty and unlocked. */
export async function startKeyring({ prompt = "none" }: KeyringOptions = {}): Promise<Keyring> {
  const home = mkdtempSync(path.join(os.tmpdir(), "svc-keyring-"));
  if (prompt === "unanswered") addPrompter(home);
  const session = spawn(SESSION_RUNNER, ["--", "sh", "-c", SESSION], {
    env: { PATH: process.env["PATH"], HOME: home, XDG_RUNTIME_DIR: home },
  });
  const ended = once(session, "close");
  let log = "";
  session.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const [line] = await Promise.race([once(session.stdout, "data"), ended]);
  if (!Buffer.isBuffer(line)) throw new Error(`there is no session bus: ${log}`);
  const address = line.toString().trim();
  return {
    address,
    lock: () => lockCollection(address),
    entries: () => countEntries(address),
    unlock: () => unlockCollection(path.join(home, "keyring", "control")),
    async stop() {
      session.stdin.end();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A session bus that accepts connections and never answers. */
export async function startMuteBus(): Promise<CountingBus> {
  // The data is read, because otherwise the server does not notice the end of a connection and never closes.
  return listen((connection) => connection.on("error", () => {}).resume());
}

/** The bus at this address; its clients are counted, and get no answer before `release`. */
export async function startHeldBus(address: string): Promise<HeldBus> {
  const [, socket] = /^unix:path=([^,]+)/.exec(address) ?? [];
  if (socket === undefined) throw new Error(`this is no bus with a path: ${address}`);
  const released = Promise.withResolvers<void>();
  const connected = Promise.withResolvers<void>();
  const bus = await listen((client) => {
    connected.resolve();
    const inner = createConnection(socket);
    const end = (): void => {
      client.destroy();
      inner.destroy();
    };
    for (const side of [client, inner]) side.on("error", end).on("close", end);
    inner.pipe(client);
    void released.promise.then(() => client.pipe(inner));
  });
  return { ...bus, connected: connected.promise, release: () => released.resolve() };
}

async function listen(answer: (connection: Socket) => void): Promise<CountingBus> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "svc-bus-"));
  const socket = path.join(folder, "bus");
  let left = 0;
  const server: Server = createServer((connection) => {
    connection.once("close", () => (left += 1));
    answer(connection);
  });
  server.listen(socket);
  await once(server, "listening");
  return {
    address: `unix:path=${socket}`,
    left: () => left,
    async stop() {
      const closed = once(server, "close");
      server.close();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The bus starts it when the keyring needs to ask; it never answers, like a window that nobody sees. */
function addPrompter(runtimeDirectory: string): void {
  const folder = path.join(runtimeDirectory, "dbus-1", "services");
  mkdirSync(folder, { recursive: true });
  const service = `[D-BUS Service]\nName=${PROMPTER}\nExec=/bin/sleep ${PROMPT_SECONDS}\n`;
  writeFileSync(path.join(folder, `${PROMPTER}.service`), service);
}

async function lockCollection(bus: string): Promise<void> {
  const collection = `${SECRETS_PATH}/collection/login`;
  const reply = await callSecrets(bus, "Lock", `array:objpath:${collection}`);
  if (!reply.includes(collection)) throw new Error(`it was not locked: ${reply}`);
}

async function countEntries(bus: string): Promise<number> {
  const reply = await callSecrets(bus, "SearchItems", "dict:string:string:service,svc");
  return reply.match(/object path/g)?.length ?? 0;
}

/** Calls a method of the Secret Service API. */
async function callSecrets(bus: string, method: string, argument: string): Promise<string> {
  const args = ["--session", "--print-reply", `--dest=${SECRETS}`, SECRETS_PATH];
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus };
  const name = `org.freedesktop.Secret.Service.${method}`;
  const { stdout } = await promisify(execFile)(BUS_CLIENT, [...args, name, argument], { env });
  return stdout;
}

/**
 * The message of gnome-keyring's PAM module to the daemon: a byte that carries the credentials, then
 * length, operation (1: unlock) and password, with numbers of four bytes, the highest first. The
 * answer is its length and 0.
 */
async function unlockCollection(control: string): Promise<void> {
  const connection = createConnection(control);
  connection.write(
    Buffer.concat([Buffer.of(0), numbers(12 + PASSWORD.length, 1, PASSWORD.length)]),
  );
  connection.write(PASSWORD);
  const [answer] = await once(connection, "data");
  connection.destroy();
  if (!Buffer.isBuffer(answer) || !answer.equals(numbers(8, 0))) {
    throw new Error(`it was not unlocked: ${String(answer)}`);
  }
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}
