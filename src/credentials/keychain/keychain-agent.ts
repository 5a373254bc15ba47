// Entry of the process that calls the system's keychain: one request on standard input, one reply on standard
// output, each one line of JSON. It is a process because the addon blocks its thread when a keychain service hangs:
// a thread cannot leave a native call, but a process can be killed.
import { readSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { Worker } from "node:worker_threads";

import { readAsset } from "../../base/assets.ts";
import { extractAddon } from "./native-addon.ts";

/** One request to the agent. */
export interface KeychainRequest {
  readonly action: "read" | "write" | "remove";
  readonly account: string;
  /** The secret to write. */
  readonly secret?: string;
  /** Directory that the addon is extracted into. */
  readonly nativeDirectory: string;
}

/** The agent's reply; `problem` is an error message. */
export type KeychainReply = { readonly secret?: string } | { readonly problem: string };

/** The part of @napi-rs/keyring that svc uses. */
interface KeyringAddon {
  readonly Entry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: "secret-service" } },
  ) => {
    readonly getPassword: () => string | null;
    readonly setPassword: (secret: string) => void;
    readonly deletePassword: () => boolean;
  };
}

const SERVICE = "svc";
const STDIN = 0;
const STDOUT = 1;
const MAX_REQUEST_BYTES = 64 * 1024;
/** Twice the parent's time limit: by then the parent has killed this process, or was killed itself. */
const ABANDONED_MS = 6000;

endWhenAbandoned();
send(handleRequest());

/** Uses a thread, because the main thread is blocked whenever this is needed. */
function endWhenAbandoned(): void {
  const code = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${ABANDONED_MS});`;
  new Worker(code, { eval: true, env: {} }).unref();
}

function handleRequest(): KeychainReply {
  try {
    const secret = perform(parseRequest(readLine()));
    return secret === undefined ? {} : { secret };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function perform({
  action,
  account,
  secret,
  nativeDirectory,
}: KeychainRequest): string | undefined {
  const { Entry } = loadAddon(nativeDirectory);
  // Without this option Linux falls back to the kernel's keyring, which is lost at the next reboot.
  const entry = new Entry(SERVICE, account, { linux: { store: "secret-service" } });
  if (action === "read") return entry.getPassword() ?? undefined;
  if (action === "write") entry.setPassword(secret ?? "");
  else entry.deletePassword();
  return undefined;
}

function loadAddon(nativeDirectory: string): KeyringAddon {
  const path = extractAddon(nativeDirectory, "keyring", readAsset("keyring.node"));
  const target = { exports: {} };
  process.dlopen(target, path, constants.dlopen.RTLD_NOW);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the addon's own declarations say so
  return target.exports as KeyringAddon;
}

/** Reads up to the newline, not to the end of input, which Windows reports as an error. */
function readLine(): string {
  const buffer = Buffer.alloc(MAX_REQUEST_BYTES);
  let length = 0;
  for (;;) {
    const read = readSync(STDIN, buffer, length, buffer.length - length, null);
    const newline = buffer.subarray(length, length + read).indexOf("\n");
    if (newline !== -1) return buffer.toString("utf8", 0, length + newline);
    length += read;
    if (read === 0) throw new Error("the request is not one line of JSON");
  }
}

function parseRequest(line: string): KeychainRequest {
  const request: Partial<Record<keyof KeychainRequest, unknown>> = JSON.parse(line);
  const { action, account, secret, nativeDirectory } = request;
  const isKnown = action === "read" || action === "write" || action === "remove";
  if (!isKnown || typeof account !== "string" || typeof nativeDirectory !== "string") {
    throw new Error("the request is not one that the keychain agent knows");
  }
  return { action, account, nativeDirectory, ...(typeof secret === "string" ? { secret } : {}) };
}

function send(reply: KeychainReply): void {
  try {
    writeSync(STDOUT, `${JSON.stringify(reply)}\n`);
  } catch {
    // The parent has exited; nobody can receive the reply.
  }
}
