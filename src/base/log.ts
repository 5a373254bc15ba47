// Logs go to standard error only: standard output belongs to the protocol.

import { type ConsolaReporter, createConsola, LogLevels, type LogObject } from "consola/core";

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
}

/** Creates a logger that drops messages below `level`. */
export function createLogger({ level, write, human }: LogOptions): Logger {
  const consola = createConsola({
    level: LogLevels[level],
    reporters: [human ? textReporter(write) : jsonReporter(write)],
    // consola would count equal messages and drop them. Each call has a line of its own in the log.
    throttle: Number.NEGATIVE_INFINITY,
  });
  const log = (name: LogLevel): Logger[LogLevel] =>
    LogLevels[name] > LogLevels[level]
      ? noop
      : (message, fields = {}) => consola[name](message, fields);
  return { debug: log("debug"), info: log("info"), warn: log("warn") };
}

/** One line of text for each message: `12:00:00.000 info  message key=value`. */
function textReporter(write: LogOptions["write"]): ConsolaReporter {
  return {
    log(entry) {
      const { time, level, message, fields } = toRecord(entry);
      write(`${time.slice(11, 23)} ${level.padEnd(5)} ${message}${humanFields(fields)}\n`);
    },
  };
}

/** One line of JSON for each message, with its fields next to `time`, `level` and `message`. */
function jsonReporter(write: LogOptions["write"]): ConsolaReporter {
  return {
    log(entry) {
      const { fields, ...head } = toRecord(entry);
      write(`${JSON.stringify({ ...head, ...withoutReservedFields(fields) })}\n`);
    },
  };
}

interface LogRecord {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** Removes the secrets. Both reporters call it, so that no caller can forget it. */
function toRecord({ date, type, args }: LogObject): LogRecord {
  const [message, fields]: readonly unknown[] = args;
  return {
    time: date.toISOString(),
    level: type,
    message: redactText(String(message)),
    fields: redactFields(Object(fields)),
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
