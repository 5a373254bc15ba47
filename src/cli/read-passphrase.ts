// A new passphrase comes from the terminal, unseen, or from a pipe. Never from the command line: the
// words of a process can be read by every user of the machine, and shells keep them.
import type { Readable } from "node:stream";

import { SvcError } from "../base/errors.ts";
import type { Io } from "./io.ts";

/** Standard input: a terminal where it can be set to raw mode. */
export type PassphraseInput = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (isRaw: boolean) => unknown;
};

interface PassphraseRequest {
  readonly io: Pick<Io, "err">;
  readonly signal: AbortSignal;
  readonly input?: PassphraseInput;
}

/** Far longer than anybody types; what is longer is a file sent here by mistake. */
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
 * Asks twice at a terminal, without showing what is typed; reads one line where there is none.
 * Undefined when the user broke off with Ctrl-C. Throws USAGE for a passphrase that could not be
 * given back later through SERVICE_PASSPHRASE.
 */
export async function readNewPassphrase({
  io,
  signal,
  input = process.stdin,
}: PassphraseRequest): Promise<string | undefined> {
  input.setEncoding("utf8");
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (input.isTTY !== true) return requireUsable(await firstLine(input));
    return await promptTwice(io, input);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function promptTwice(
  io: Pick<Io, "err">,
  input: PassphraseInput,
): Promise<string | undefined> {
  input.setRawMode?.(true);
  try {
    const keys = typedKeys(input);
    const passphrase = await promptLine(io, keys, "New passphrase: ");
    if (passphrase === undefined) return undefined;
    requireUsable(passphrase);
    const repeated = await promptLine(io, keys, "The same again: ");
    if (repeated === undefined || repeated === passphrase) return repeated;
    throw new SvcError("USAGE", "The two passphrases differ.", { hint: "Nothing was changed." });
  } finally {
    input.setRawMode?.(false);
    // Lets the process end: a terminal that is read keeps it alive.
    input.pause();
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

/** Characters one by one, so that what was typed ahead is left for the next question. */
async function* typedKeys(input: PassphraseInput): AsyncGenerator<string, undefined> {
  // Not destroyed on return: the terminal is the user's, and there are two questions.
  const chunks: AsyncIterable<string> = input.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    yield* chunk.replace(KEY_SEQUENCE, "");
  }
  return undefined;
}

async function firstLine(input: PassphraseInput): Promise<string> {
  let text = "";
  const chunks: AsyncIterable<string> = input;
  for await (const chunk of chunks) {
    text += chunk;
    if (text.includes("\n") || text.length > MAX_LENGTH) break;
  }
  return (text.split("\n")[0] ?? "").replace(/\r$/, "");
}

/** It has to survive the way through an environment variable, as config/ reads that. */
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
