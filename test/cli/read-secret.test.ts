import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import { readNewPassphrase, type SecretInput } from "../../src/cli/read-secret.ts";

interface Prompted {
  /** The passphrase, or the error; undefined after Ctrl-C. */
  readonly read: string | undefined;
  readonly shown: string;
  /** How the terminal was set, in turn. */
  readonly rawModes: readonly boolean[];
}

async function ask(chunks: readonly (string | Buffer)[], isTerminal: boolean): Promise<Prompted> {
  const rawModes: boolean[] = [];
  const stream = new PassThrough();
  const setRawMode = (isRaw: boolean): void => void rawModes.push(isRaw);
  const input: SecretInput = isTerminal
    ? Object.assign(stream, { isTTY: true, setRawMode })
    : stream;
  const io = createMemoryIo();
  const signal = new AbortController().signal;
  const reading = readNewPassphrase({ io, signal, input });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  const read = await reading.catch((error: unknown) => {
    if (error instanceof SvcError) return `${error.code}: ${error.message}`;
    throw error;
  });
  return { read, shown: io.stderr() + io.stdout(), rawModes };
}

const terminal = (...chunks: readonly (string | Buffer)[]): Promise<Prompted> => ask(chunks, true);
const pipe = async (...chunks: readonly (string | Buffer)[]): Promise<string | undefined> =>
  (await ask(chunks, false)).read;

test("a terminal is asked twice, without echo, and is reset", async () => {
  expect(await terminal("a b", "c\r", "a bc\r")).toEqual({
    read: "a bc",
    shown: "New passphrase: \nRepeat the passphrase: \n",
    rawModes: [true, false],
  });
});

test("text that is typed ahead or pasted answers both prompts", async () => {
  expect((await terminal("secret\nsecret\n")).read).toBe("secret");
});

test("a character in pieces stays whole", async () => {
  const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
  expect((await terminal(first, second, "\r", "é\r")).read).toBe("é");
});

test("typos can be erased, and other keys type nothing", async () => {
  const typed = "wrong\u0015secrex\u007ft\t";
  expect((await terminal(typed, "\u001b[A", "\r", "secre", "\bet\r")).read).toBe("secret");
});

test("two different passphrases are refused", async () => {
  const { read, rawModes } = await terminal("secret\r", "Secret\r");
  expect([read, rawModes]).toEqual(["USAGE: The passphrases do not match.", [true, false]]);
});

test("Ctrl-C stops at either prompt, and the terminal is reset", async () => {
  for (const typed of ["sec\u0003", "secret\rsec\u0003"]) {
    expect(await terminal(typed)).toMatchObject({ read: undefined, rawModes: [true, false] });
  }
});

test("without a terminal it is the first line, with any line end", async () => {
  expect(await pipe("sec", "ret\nmore\n")).toBe("secret");
  expect(await pipe(" secret \r\n")).toBe(" secret ");
  expect(await pipe("secret")).toBe("secret");
});

test.each([
  ["", "The passphrase is empty."],
  ["\n", "The passphrase is empty."],
  ["  \n", "The passphrase is empty."],
  ["${SERVICE_PASSPHRASE}\n", "SERVICE_PASSPHRASE cannot hold that passphrase."],
  ["a\0b\n", "SERVICE_PASSPHRASE cannot hold that passphrase."],
  ["x".repeat(5000), "The passphrase is longer than 4096 characters."],
])("%j cannot be stored in the variable and is refused", async (text, detail) => {
  expect(await pipe(text)).toBe(`USAGE: ${detail}`);
});

test("an interruption ends the question and sets the terminal back", async () => {
  const rawModes: boolean[] = [];
  const setRawMode = (isRaw: boolean): void => void rawModes.push(isRaw);
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const controller = new AbortController();
  const reading = readNewPassphrase({ io: createMemoryIo(), signal: controller.signal, input });
  controller.abort();
  await expect(reading).rejects.toThrow(/abort|premature/i);
  expect(rawModes).toEqual([true, false]);
});
