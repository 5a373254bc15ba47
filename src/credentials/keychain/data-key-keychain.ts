import { randomBytes } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import { readSessionEnvironment } from "../../config/settings.ts";
import type { KeychainReply, KeychainRequest } from "./keychain-agent.ts";
import { KEY_BYTES } from "../sealed/seal.ts";

/** An operating-system service that keeps short secrets by account name. */
export interface Keychain {
  /** Undefined when the account has no secret. */
  readonly read: (account: string) => Promise<string | undefined>;
  readonly write: (account: string, secret: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
}

interface SystemKeychainOptions {
  /** Directory that the addon is extracted into. It is private and may be deleted at any time. */
  readonly nativeDirectory: string;
  readonly timeoutMs?: number;
  /** Called before each request: an answer takes a process of its own, and perhaps a person. */
  readonly onRequest?: () => void;
  /** Cancels the request in progress with an error. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the keychain of this system. Each call starts a process (keychain-agent.ts) and kills it at the time
 * limit, so that neither a call nor the exit of this process ever waits for a hanging keychain.
 */
export function systemKeychain({
  nativeDirectory,
  timeoutMs = 3000,
  onRequest,
  signal,
}: SystemKeychainOptions): Keychain {
  const callAgent = (
    request: Omit<KeychainRequest, "nativeDirectory">,
  ): Promise<string | undefined> => {
    onRequest?.();
    return runAgent({ ...request, nativeDirectory }, { timeoutMs, signal });
  };
  return {
    read: (account) => callAgent({ action: "read", account }),
    async write(account, secret) {
      await callAgent({ action: "write", account, secret });
    },
    async remove(account) {
      await callAgent({ action: "remove", account });
    },
  };
}

/** Creates a key under a new account, so that two stores of one user never share or overwrite a key. */
export async function createKeychainKey(
  keychain: Keychain,
): Promise<{ readonly key: Buffer; readonly account: string }> {
  const key = randomBytes(KEY_BYTES);
  const account = `credentials-${randomBytes(8).toString("hex")}`;
  await keychain.write(account, key.toString("base64"));
  // Some keychains accept a secret and do not keep it. A store sealed with such a key would be lost.
  if ((await keychain.read(account)) !== key.toString("base64")) {
    throw new Error("the keychain did not keep the key");
  }
  return { key, account };
}

/** Returns the key stored under this account. Throws CREDENTIAL_STORE when the keychain does not supply it. */
export async function openKeychainKey(
  keychain: Keychain | undefined,
  account: string,
): Promise<Buffer> {
  let secret: string | undefined;
  try {
    secret = await keychain?.read(account);
  } catch (cause) {
    throw unavailable(cause);
  }
  const key = Buffer.from(secret ?? "", "base64");
  if (key.length !== KEY_BYTES) {
    const detail = `The keychain does not hold the data key "${account}".`;
    throw new SvcError("CREDENTIAL_STORE", detail, { hint: ELSEWHERE_HINT });
  }
  return key;
}

const ELSEWHERE_HINT =
  "Unlock the keychain, or work inside the desktop session that has it, and try again.";

class KeychainTimeoutError extends Error {}

/** Distinguishes a locked keychain, a hanging one and a missing one: each needs another fix. */
function unavailable(cause: unknown): SvcError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof KeychainTimeoutError) {
    return new SvcError("CREDENTIAL_STORE", `The keychain with the data key: ${message}.`, {
      hint: "Unlock the keychain if it asks for its password, or start its service again, and try again.",
      cause,
    });
  }
  // Texts of the secret service, and of macOS.
  if (/prompt was dismissed|is locked|user interaction is not allowed/i.test(message)) {
    return new SvcError("CREDENTIAL_STORE", "The keychain with the data key is locked.", {
      hint: "Unlock the keychain and try again.",
      cause,
    });
  }
  return new SvcError("CREDENTIAL_STORE", "The keychain with the data key cannot be reached.", {
    hint: ELSEWHERE_HINT,
    cause,
  });
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends the request through a pipe: other processes can read arguments and environment. */
async function runAgent(
  request: KeychainRequest,
  { timeoutMs, signal }: Limits,
): Promise<string | undefined> {
  const [{ programEntry }, { spawn }] = await Promise.all([
    import("../../base/assets.ts"),
    import("node:child_process"),
  ]);
  signal?.throwIfAborted();
  const { command, args } = programEntry("keychain-agent");
  const agent = spawn(command, args, {
    env: readSessionEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const giveUp = (): void => reject(new Error("the request was cancelled"));
  const timer = setTimeout(() => {
    reject(new KeychainTimeoutError(`it did not answer within ${timeoutMs} ms`));
  }, timeoutMs);
  signal?.addEventListener("abort", giveUp, { once: true });
  let output = "";
  agent.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes("\n")) resolve(output);
  });
  agent.on("error", reject);
  agent.once("close", () => reject(new Error("it ended without an answer")));
  // If the agent exits early, its `close` event reports it, not the pipe.
  agent.stdin.on("error", () => {});
  agent.stdin.write(`${JSON.stringify(request)}\n`);
  try {
    const reply: KeychainReply = JSON.parse(await promise);
    if ("problem" in reply) throw new Error(reply.problem);
    return reply.secret;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
    agent.kill("SIGKILL");
    // Nothing here waits for the process or for any that it may have started.
    agent.stdin.destroy();
    agent.stdout.destroy();
    agent.unref();
  }
}
