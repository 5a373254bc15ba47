import { randomBytes } from "node:crypto";

import { SvcError } from "../base/errors.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import type { KeychainReply, KeychainRequest } from "./keychain-agent.ts";
import { KEY_BYTES } from "./seal.ts";

/** A place of the operating system that keeps short secrets under an account name. */
export interface Keychain {
  /** Undefined when the account has no secret. */
  readonly read: (account: string) => Promise<string | undefined>;
  readonly write: (account: string, secret: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
}

interface SystemKeychainOptions {
  /** Where the addon is extracted to; a private directory that may be deleted at any time. */
  readonly nativeDirectory: string;
  readonly timeoutMs?: number;
  /** Called before each request: an answer takes a process of its own, and perhaps a person. */
  readonly onRequest?: () => void;
  /** Ends what is under way, with an error: nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/**
 * The keychain of this system. Each call starts a process (keychain-agent.ts) and kills it at the
 * limit, so that neither an answer nor the end of this process ever waits for a keychain that hangs.
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

/** Each store has an account of its own, so that two stores of one user never share or overwrite a key. */
export async function createKeychainKey(
  keychain: Keychain,
): Promise<{ readonly key: Buffer; readonly account: string }> {
  const key = randomBytes(KEY_BYTES);
  const account = `credentials-${randomBytes(8).toString("hex")}`;
  await keychain.write(account, key.toString("base64"));
  // Some keychains accept a secret and keep it nowhere; a store sealed with such a key would be lost.
  if ((await keychain.read(account)) !== key.toString("base64")) {
    throw new Error("the keychain did not keep the key");
  }
  return { key, account };
}

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

/** Tells a keychain that is locked from one that hangs and from one that is not there: each is mended in its own way. */
function unavailable(cause: unknown): SvcError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof KeychainTimeoutError) {
    return new SvcError("CREDENTIAL_STORE", `The keychain with the data key: ${message}.`, {
      hint: "Unlock the keychain if it asks for its password, or start its service again, and try again.",
      cause,
    });
  }
  // The words of the secret service, and of macOS.
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

/** The request goes through a pipe: arguments and environment can be read by other processes. */
async function runAgent(
  request: KeychainRequest,
  { timeoutMs, signal }: Limits,
): Promise<string | undefined> {
  const [{ programEntry }, { spawn }] = await Promise.all([
    import("../base/assets.ts"),
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
  const giveUp = (): void => reject(new Error("nobody waits for it any more"));
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
  // An agent that ended early is reported by its end, not by the pipe.
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
    // Whatever becomes of the process and of what it may have started, nothing here waits for it.
    agent.stdin.destroy();
    agent.stdout.destroy();
    agent.unref();
  }
}
