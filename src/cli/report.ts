import { errorRow, rpcMessage, type SvcError } from "../base/errors.ts";
import { redact, redactValues } from "../base/redact.ts";
import type { Io } from "./io.ts";
import { safeJson } from "./print/json.ts";
import { safeText } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";

interface ReportOptions {
  readonly io: Io;
  readonly debug: boolean;
  /** The command line that would have been right in form; only for wrong use. */
  readonly usage: string | undefined;
  readonly asJson: boolean;
}

const DEBUG_HINT = "Run it again with SERVICE_DEBUG=true: the cause is printed here.";

/** Tells of a failure on standard error and returns its exit code. */
export function reportFailure(error: SvcError, options: ReportOptions): number {
  const { io, debug, asJson } = options;
  io.err(asJson ? jsonOf(error) : textOf(error, options));
  if (debug && error.cause !== undefined) io.err(`${safeText(causeOf(error))}\n`);
  return errorRow(error).exit;
}

function textOf(error: SvcError, { io, debug, usage }: ReportOptions): string {
  const style = createStyle(io.errColor);
  const isOurs = error.code === "INTERNAL_ERROR" && !debug;
  const lines = [
    `${style.bold(style.red("svc:"))} ${shown(error.message)}`,
    ...(error.hint === undefined ? [] : [shown(error.hint)]),
    ...(isOurs ? [DEBUG_HINT] : []),
    ...(usage === undefined ? [] : [style.dim(`Usage: ${usage}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The shape of every other edge (product decisions, section 8), on one line. */
function jsonOf(error: SvcError): string {
  const { rpc } = errorRow(error);
  const data = { error_code: error.code, detail: redactValues(error.detail) };
  return `${safeJson(JSON.stringify({ error: { code: rpc, message: rpcMessage(rpc), data } }))}\n`;
}

/** Errors quote what they refuse: a secret that was pasted into the wrong place is not repeated. */
function shown(text: string): string {
  return safeText(redactValues(text));
}

function causeOf({ cause }: SvcError): string {
  // Secrets are taken out as in the log: a cause may quote what it was given.
  return String(redact(cause instanceof Error ? cause : String(cause)));
}
