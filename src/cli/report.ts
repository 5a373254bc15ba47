import { errorRow, type SvcError } from "../base/errors.ts";
import { redact, redactValues } from "../base/redact.ts";
import type { Io } from "./io.ts";
import { withCommands } from "./commands-of-tools.ts";
import { safeJson } from "./print/json.ts";
import { safeText } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";

interface ReportOptions {
  readonly io: Io;
  readonly debug: boolean;
  /** The usage line of the command; only for usage errors. */
  readonly usage: string | undefined;
  readonly asJson: boolean;
}

const DEBUG_HINT = "Run the command again with SERVICE_DEBUG=true to print the cause.";

/** Reports a failure on standard error and returns its exit code. */
export function reportFailure(error: SvcError, options: ReportOptions): number {
  const { io, debug, asJson } = options;
  io.err(asJson ? jsonOf(error) : textOf(error, options));
  if (debug && error.cause !== undefined) io.err(`${safeText(causeOf(error))}\n`);
  return errorRow(error).exit;
}

function textOf(error: SvcError, { io, debug, usage }: ReportOptions): string {
  const style = createStyle(io.errColor);
  const isInternal = error.code === "INTERNAL_ERROR" && !debug;
  const lines = [
    `${style.bold(style.red("svc:"))} ${shown(error.message)}`,
    ...(error.hint === undefined ? [] : [shown(withCommands(error.hint))]),
    ...(isInternal ? [DEBUG_HINT] : []),
    ...(usage === undefined ? [] : [style.dim(`Usage: ${usage}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** One line of JSON. A shell has no use for the codes of JSON-RPC; it has a hint apart, and the exit code. */
function jsonOf(error: SvcError): string {
  const record = {
    error_code: error.code,
    message: redactValues(error.message),
    ...(error.hint === undefined ? {} : { hint: redactValues(withCommands(error.hint)) }),
    exit_code: errorRow(error).exit,
  };
  return `${safeJson(JSON.stringify({ error: record }))}\n`;
}

/** Errors quote their input: a secret pasted into the wrong place must not be repeated. */
function shown(text: string): string {
  return safeText(redactValues(text));
}

function causeOf({ cause }: SvcError): string {
  // Redacted as in the log: a cause may quote its input.
  return String(redact(cause instanceof Error ? cause : String(cause)));
}
