// `svc search -i`: a prompt that searches while the user types, and the user's editor.
import { emitKeypressEvents, type Interface } from "node:readline";
import { Writable, type Readable } from "node:stream";

import type { CommandContext } from "../command.ts";
import type { Io } from "../io.ts";
import type { OpenedProject } from "../open-project.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { endOf, startUserProgram } from "../user-program.ts";
import { editorArguments } from "./editor-arguments.ts";
import { searchPrompt, type PromptEnd, type PromptOptions } from "./search-prompt.ts";

interface Interaction
  extends Pick<PromptOptions, "search" | "read">, Pick<OpenedProject, "fileOf"> {
  readonly query: string;
  /** Brings the index up to date, after the user may have changed a file. */
  readonly refresh: () => Promise<void>;
  readonly input?: Readable;
}

const INTERRUPTED = 130;
/** How long the rest of a key's sequence may take, also over ssh, before Esc is Esc. */
const ESCAPE_MS = 100;
/** The shell's code for a program that it could not run. */
const MIN_NOT_STARTED = 126;
/** The alternate screen (xterm), empty. */
const ENTER_SCREEN = "\u001b[?1049h\u001b[2J\u001b[H";
const CLEAR_SCREEN = "\u001b[2J\u001b[H";
const LEAVE_SCREEN = "\u001b[?1049l\u001b[?25h";

/**
 * Asks until the user leaves. Returns the exit code. If standard output is not a terminal, the window is on standard
 * error, and Enter prints the location instead of opening it: `vim $(svc search -i)`.
 */
export async function searchInteractively(
  { io, signal }: Pick<CommandContext, "io" | "signal">,
  interaction: Interaction,
): Promise<number | undefined> {
  let next = { query: safeLine(interaction.query), selected: 0, notice: "" };
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one prompt after the other
    const end = await ask({ io, signal }, interaction, next);
    if (end === "interrupted") return signal.aborted ? undefined : INTERRUPTED;
    const { passage, query, selected } = end;
    if (end.action === "leave" || passage === undefined) return 0;
    if (end.action === "print" || !io.isTerminal) {
      io.out(`${locationOf(passage)}\n`);
      return 0;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const notice = await openInEditor(io, interaction.fileOf(passage.path), passage.bestLine);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (notice === "") await interaction.refresh();
    next = { query, selected, notice };
  }
}

async function ask(
  { io, signal }: Pick<CommandContext, "io" | "signal">,
  { search, read, input = process.stdin }: Interaction,
  start: Pick<PromptOptions, "query" | "selected" | "notice">,
): Promise<PromptEnd | "interrupted"> {
  const write = io.isTerminal ? io.out : io.err;
  const size: PromptOptions["size"] = () => ({ columns: io.columns, rows: io.rows });
  decodeKeys(input);
  write(ENTER_SCREEN);
  try {
    return await searchPrompt(
      {
        ...start,
        search,
        read,
        style: createStyle(io.isTerminal ? io.color : io.errColor),
        size,
        onResize(listener) {
          const resized = (): void => {
            write(CLEAR_SCREEN);
            listener();
          };
          process.on("SIGWINCH", resized);
          return () => process.off("SIGWINCH", resized);
        },
        copy(passage) {
          const location = locationOf(passage);
          // The terminal copies it (OSC 52), also over ssh.
          write(`\u001b]52;c;${Buffer.from(location).toString("base64")}\u0007`);
          return location;
        },
      },
      { input, output: outputOf(write, size), signal, clearPromptOnDone: true },
    );
  } catch (thrown) {
    const isEnd = thrown instanceof Error && /^(?:Exit|Abort)PromptError$/.test(thrown.name);
    if (isEnd) return "interrupted";
    throw thrown;
  } finally {
    write(LEAVE_SCREEN);
  }
}

/** The prompt gives readline no options: its decoder of keys is made before, with a shorter time for Esc. */
function decodeKeys(input: Readable): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the decoder reads only this member of an interface
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
}

/** A stream with the width of the window, which the prompt asks for. */
function outputOf(write: (text: string) => void, size: PromptOptions["size"]): Writable {
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, next) {
      write(String(chunk));
      next();
    },
  });
  return Object.defineProperty(output, "columns", { get: () => size().columns });
}

function locationOf({
  path,
  bestLine,
}: {
  readonly path: string;
  readonly bestLine: number;
}): string {
  return `${safeLine(path)}:${bestLine}`;
}

/** Returns why it did not open; "" when the editor has ended. */
async function openInEditor(io: Io, file: string | undefined, line: number): Promise<string> {
  const { editor } = io;
  if (file === undefined) return "This file is not on this machine.";
  if (editor === undefined)
    return "Set VISUAL or EDITOR to open files. Ctrl-O prints the location.";
  const child = startUserProgram(editor, editorArguments(editor, file, line), { input: "inherit" });
  const code = await endOf(child);
  return code < MIN_NOT_STARTED ? "" : `The editor ${JSON.stringify(editor)} did not start.`;
}
