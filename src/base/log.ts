// Logs go to standard error only: standard output belongs to the protocol.

import { redactFields, redactText } from "./redact.ts";

export { redact, redactText } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn";
export type LogFields = Readonly<Record<string, unknown>>;

/** Messages are constant strings; variable data goes into the fields. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
}

interface LogOptions {
  readonly level: LogLevel;
  /** Receives one complete line with its newline. */
  readonly write: (line: string) => void;
  /** Text lines for people when true (a terminal), JSON lines otherwise. */
  readonly human: boolean;
  readonly now?: () => Date;
}

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2 };

/** Creates a logger that drops messages below `level`. */
export function createLogger({ level, write, human, now = () => new Date() }: LogOptions): Logger {
  const log = (at: LogLevel, message: string, fields: LogFields = {}): void => {
    if (ORDER[at] < ORDER[level]) return;
    // Secrets are removed here, in the sink, so that no caller can forget it.
    const clean = redactFields(fields);
    const text = redactText(message);
    const time = now().toISOString();
    write(
      human
        ? `${time.slice(11, 23)} ${at.padEnd(5)} ${text}${humanFields(clean)}\n`
        : `${JSON.stringify({ time, level: at, message: text, ...withoutReservedFields(clean) })}\n`,
    );
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
  };
}

/** A logger that drops every message. */
export const silentLogger: Logger = { debug: noop, info: noop, warn: noop };

/** Removes fields that would overwrite the line's own time, level and message. */
function withoutReservedFields({
  time: _time,
  level: _level,
  message: _message,
  ...rest
}: LogFields): LogFields {
  return rest;
}

function noop(): void {}

function humanFields(fields: LogFields): string {
  return Object.entries(fields)
    .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
}
