// An argument that may come from standard input: `echo "where are tokens revoked" | svc search -`.
import { SvcError } from "../base/errors.ts";
import type { CommandContext } from "./command.ts";

/** Stands for standard input, as in most programs. */
const STANDARD_INPUT = "-";
/** Longer than any argument that a command accepts. */
const MAX_LENGTH = 100_000;

interface PipedArgument {
  /** Its name in help. */
  readonly name: string;
  readonly value: string | undefined;
  readonly example: string;
}

/**
 * Returns the argument, or standard input for `-`, and without an argument if input is not a terminal. Throws USAGE if
 * there is none.
 */
export async function argumentOrInput(
  { name, value, example }: PipedArgument,
  { io, signal }: Pick<CommandContext, "io" | "signal">,
): Promise<string> {
  const isPiped = value === STANDARD_INPUT || (value === undefined && !io.inputIsTerminal);
  const text = isPiped ? (await io.readInput({ maxLength: MAX_LENGTH, signal })).trim() : value;
  if (text !== undefined && text.trim() !== "") return text;
  throw new SvcError("USAGE", `${name} is missing.`, { hint: `For example: ${example}` });
}
