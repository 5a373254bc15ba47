// Entry of the process that asks the system's keychain: one request on standard input, one reply on
// standard output, one line of JSON each. A process of its own, because the addon blocks its thread
// when a keychain service hangs: a thread cannot be taken out of a native call, a process can be killed.
import { readSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { Worker } from "node:worker_threads";

import { readAsset } from "../base/assets.ts";
import { extractAddon } from "./native-addon.ts";

export interface KeychainRequest {
  readonly action: "read" | "write" | "remove";
  readonly account: string;
  readonly secret?: string;
  /** Where the addon is extracted to. */
  readonly nativeDirectory: string;
}

export type KeychainReply = { readonly secret?: string } | { readonly problem: string };

/** The part of @napi-rs/keyring that is used. */
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
/** Twice what the starter waits: by then it has been killed itself, or it would have killed us. */
const ABANDONED_MS = 6000;

endWhenAbandoned();
send(handleRequest());

/** A thread, because the main one is blocked whenever this is needed. */
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
  // Without the pinned store Linux falls back to the kernel's keyring, which forgets at the next reboot.
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

/** Up to the newline and not to the end of input: Windows reports the latter as an error. */
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
    // The starter has gone away; nobody is left to tell.
  }
}
