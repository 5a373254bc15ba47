import { errorRow, type SvcError } from "../base/errors.ts";
import { redact, redactValues } from "../base/redact.ts";
import type { Io } from "./io.ts";
import { type NamesOfCommand, withCommands, withFlag } from "./commands-of-tools.ts";
import { safeJson } from "./print/json.ts";
import { safeText } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";

interface ReportOptions {
  readonly io: Io;
  readonly debug: boolean;
  /** The usage line of the command; only for usage errors. */
  readonly usage: string | undefined;
  readonly asJson: boolean;
  /** Undefined if the words name no command. */
  readonly command: NamesOfCommand | undefined;
}

const DEBUG_HINT = "Run the command again with SERVICE_DEBUG=true to print the cause.";

/** Reports a failure on standard error and returns its exit code. */
export function reportFailure(error: SvcError, options: ReportOptions): number {
  const { io, debug, asJson } = options;
  io.err(asJson ? jsonOf(error, options) : textOf(error, options));
  if (debug && error.cause !== undefined) io.err(`${safeText(causeOf(error))}\n`);
  return errorRow(error).exit;
}

function textOf(error: SvcError, options: ReportOptions): string {
  const { io, debug, usage } = options;
  const style = createStyle(io.errColor);
  const isInternal = error.code === "INTERNAL_ERROR" && !debug;
  const lines = [
    `${style.bold(style.red("svc:"))} ${shown(messageOf(error, options))}`,
    ...(error.hint === undefined ? [] : [shown(withCommands(error.hint))]),
    ...(isInternal ? [DEBUG_HINT] : []),
    ...(usage === undefined ? [] : [style.dim(`Usage: ${usage}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** One line of JSON. A shell has no use for the codes of JSON-RPC; it has a hint apart, and the exit code. */
function jsonOf(error: SvcError, options: ReportOptions): string {
  const record = {
    error_code: error.code,
    message: redactValues(messageOf(error, options)),
    ...(error.hint === undefined ? {} : { hint: redactValues(withCommands(error.hint)) }),
    exit_code: errorRow(error).exit,
  };
  return `${safeJson(JSON.stringify({ error: record }))}\n`;
}

/** The message in the words of the shell: an error may come from a tool. */
function messageOf({ message }: SvcError, { command }: ReportOptions): string {
  const text = withCommands(message);
  return command === undefined ? text : withFlag(text, command);
}

/** Errors quote their input: a secret pasted into the wrong place must not be repeated. */
function shown(text: string): string {
  return safeText(redactValues(text));
}

function causeOf({ cause }: SvcError): string {
  // Redacted as in the log: a cause may quote its input.
  return String(redact(cause instanceof Error ? cause : String(cause)));
}
