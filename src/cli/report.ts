import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
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

/** One line of JSON, in the shape that every transport uses (product decisions, section 8). */
function jsonOf(error: SvcError): string {
  const { rpc } = errorRow(error);
  const data = { error_code: error.code, detail: redactValues(withCommands(error.detail)) };
  return `${safeJson(JSON.stringify({ error: { code: rpc, message: rpcMessage(rpc), data } }))}\n`;
}

/** Errors quote their input: a secret pasted into the wrong place must not be repeated. */
function shown(text: string): string {
  return safeText(redactValues(text));
}

function causeOf({ cause }: SvcError): string {
  // Redacted as in the log: a cause may quote its input.
  return String(redact(cause instanceof Error ? cause : String(cause)));
}
