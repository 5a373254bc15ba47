import type { Readable } from "node:stream";

import { SvcError } from "../base/errors.ts";
import type { Io } from "./io.ts";
import { safeText } from "./print/safe-text.ts";

interface ConfirmOptions {
  readonly io: Pick<Io, "err">;
  readonly signal: AbortSignal;
  readonly input?: Readable & { readonly isTTY?: boolean };
}

/** Asks on the terminal; only `y` and `yes` mean yes. Throws USAGE without a terminal. */
export async function confirm(
  question: string,
  { io, signal, input = process.stdin }: ConfirmOptions,
): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new SvcError("USAGE", "There is no terminal to ask for confirmation.", {
      hint: "Add --yes.",
    });
  }
  io.err(safeText(`${question} [y/N] `));
  return /^y(?:es)?$/i.test((await firstLine(input, signal)).trim());
}

/** The first line of the input; "" at its end and after an interrupt. */
async function firstLine(input: Readable, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  const take = (part: unknown): void => {
    text += String(part);
    if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
  };
  const end = (): void => resolve("");
  input.on("data", take).on("end", end);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await promise;
  } finally {
    input.off("data", take).off("end", end);
    signal.removeEventListener("abort", end);
    // Reading a terminal keeps the process alive.
    input.pause();
  }
}
