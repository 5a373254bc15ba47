// Shows long output in the user's pager, as git and bat do.
import { currentEnvironment } from "../config/environment.ts";
import { DEFAULT_PAGER, isInstalled } from "../config/user-programs.ts";
import type { CommandContext } from "./command.ts";
import type { BooleanFlag } from "./flag-definition.ts";

export const PAGER_FLAG = {
  type: "boolean",
  default: true,
  description: "Do not send long output to a pager.",
} as const satisfies BooleanFlag;

type Context = Pick<CommandContext, "io" | "signal">;

/**
 * Calls `print` with a context whose output goes to the pager as soon as it is longer than the window. Messages go there
 * too, so that the order stays. Without a terminal or a pager, and if `isWanted` is false, output is as usual. The signal
 * of the context ends when the user quits the pager, which is success: the result is then undefined.
 */
export async function withPager<Result>(
  context: Context,
  isWanted: boolean,
  print: (context: Context) => Promise<Result> | Result,
): Promise<Result | undefined> {
  const { io } = context;
  if (!isWanted || !io.isTerminal || io.pager === undefined) return print(context);
  // Nobody has asked for it by name, so its absence is not reported.
  if (io.pager === DEFAULT_PAGER && !isInstalled(DEFAULT_PAGER, currentEnvironment()))
    return print(context);
  // Most output goes to no terminal.
  const { PagedOutput } = await import("./paged-output.ts");
  const output = new PagedOutput(io, io.pager);
  const signal = AbortSignal.any([context.signal, output.closed]);
  try {
    return await print({ io: output.asIo(), signal });
  } catch (thrown) {
    if (output.closed.aborted && !context.signal.aborted) return undefined;
    throw thrown;
  } finally {
    await output.end();
  }
}
