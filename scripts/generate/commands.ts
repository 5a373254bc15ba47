import type { Command, CommandPage } from "../../src/cli/command.ts";

/** A command that can be run, with its place in the list. */
export interface DocumentedCommand extends Omit<CommandPage, "command"> {
  readonly command: Pick<Command, "description" | "args" | "flags" | "examples" | "exitCodes">;
}

/** The pages of commands; a group has no page. */
export function commandsOf(pages: readonly CommandPage[]): DocumentedCommand[] {
  return pages.flatMap(({ command, ...page }) =>
    command === undefined ? [] : [{ ...page, command }],
  );
}
