// Reads a secret from the terminal without echo, or from a pipe. Never from the command line: every user of the machine can
// read the arguments of a process, and shells save them.
import type { Readable } from "node:stream";

import { SvcError } from "../base/errors.ts";
import type { Io } from "./io.ts";

/** Standard input; a terminal has `setRawMode`. */
export type SecretInput = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (isRaw: boolean) => unknown;
};

interface SecretRequest {
  readonly io: Pick<Io, "err">;
  readonly signal: AbortSignal;
  readonly input?: SecretInput;
}

/** In characters; far longer than any secret. Longer input is a file sent by mistake. */
const MAX_LENGTH = 4096;

const ENTER = new Set(["\r", "\n"]);
const ERASE = new Set(["\u007f", "\b"]);
const ERASE_LINE = "\u0015";
const INTERRUPT = "\u0003";
const END = "\u0004";
const ESCAPE = "\u001b";
/** An arrow or function key, which types nothing (ECMA-48 CSI, and SS3 as xterm sends it). */
const KEY_SEQUENCE = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|O[ -~])?`, "g");

/**
 * Asks twice on a terminal, without echo; otherwise reads one line. Undefined after Ctrl-C. Throws USAGE for a
 * passphrase that SERVICE_PASSPHRASE cannot hold.
 */
export async function readNewPassphrase(request: SecretRequest): Promise<string | undefined> {
  const { io } = request;
  return readFrom(request, {
    piped: requireUsable,
    async typed(keys) {
      const passphrase = await promptLine(io, keys, "New passphrase: ");
      if (passphrase === undefined) return undefined;
      requireUsable(passphrase);
      const repeated = await promptLine(io, keys, "Repeat the passphrase: ");
      if (repeated === undefined || repeated === passphrase) return repeated;
      throw new SvcError("USAGE", "The passphrases do not match.", {
        hint: "Nothing was changed.",
      });
    },
  });
}

/** Asks once on a terminal, without echo; otherwise reads one line. Undefined after Ctrl-C. */
export async function readSecret(
  request: SecretRequest,
  prompt: string,
): Promise<string | undefined> {
  return readFrom(request, {
    piped: (line) => line.trim(),
    typed: async (keys) => (await promptLine(request.io, keys, prompt))?.trim(),
  });
}

interface Reading {
  /** Takes the first line of a pipe. */
  readonly piped: (line: string) => string;
  /** Asks on the terminal. */
  readonly typed: (keys: AsyncIterator<string>) => Promise<string | undefined>;
}

async function readFrom(
  { signal, input = process.stdin }: SecretRequest,
  { piped, typed }: Reading,
): Promise<string | undefined> {
  input.setEncoding("utf8");
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (input.isTTY !== true) return piped(await firstLine(input));
    input.setRawMode?.(true);
    try {
      return await typed(typedKeys(input));
    } finally {
      input.setRawMode?.(false);
      // Reading a terminal keeps the process alive.
      input.pause();
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** One line of typed keys, without its end; undefined for Ctrl-C. */
async function promptLine(
  io: Pick<Io, "err">,
  keys: AsyncIterator<string>,
  prompt: string,
): Promise<string | undefined> {
  io.err(prompt);
  const typed: string[] = [];
  for (;;) {
    const { value: key, done } = await keys.next();
    const isEnd = done === true || key === END;
    if (isEnd || ENTER.has(key) || key === INTERRUPT) {
      io.err("\n");
      return key === INTERRUPT ? undefined : typed.join("");
    }
    if (ERASE.has(key)) typed.pop();
    else if (key === ERASE_LINE) typed.length = 0;
    else if (!/\p{Cc}/u.test(key)) typed.push(key);
  }
}

/** Single characters, so that text typed ahead is left for the next prompt. */
async function* typedKeys(input: SecretInput): AsyncGenerator<string, undefined> {
  // Not destroyed on return: two prompts read the same terminal.
  const chunks: AsyncIterable<string> = input.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    yield* chunk.replace(KEY_SEQUENCE, "");
  }
  return undefined;
}

async function firstLine(input: SecretInput): Promise<string> {
  let text = "";
  const chunks: AsyncIterable<string> = input;
  for await (const chunk of chunks) {
    text += chunk;
    if (text.includes("\n") || text.length > MAX_LENGTH) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}

/** Throws USAGE unless config/ can read the passphrase from an environment variable. */
function requireUsable(passphrase: string): string {
  const hint = "Nothing was changed.";
  if (passphrase.trim() === "") throw new SvcError("USAGE", "The passphrase is empty.", { hint });
  if (passphrase.length > MAX_LENGTH) {
    throw new SvcError("USAGE", `The passphrase is longer than ${MAX_LENGTH} characters.`, {
      hint,
    });
  }
  if (passphrase.includes("\0") || /^\$\{[^}]*\}$/.test(passphrase.trim())) {
    throw new SvcError("USAGE", "SERVICE_PASSPHRASE cannot hold that passphrase.", { hint });
  }
  return passphrase;
}
