// Logs go to standard error only: standard output belongs to the protocol.

export type LogLevel = "debug" | "info" | "warn";
export type LogFields = Readonly<Record<string, unknown>>;

/** Messages are constant strings; what varies goes into the fields. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
}

interface LogOptions {
  readonly level: LogLevel;
  /** Receives one finished line with its newline. */
  readonly write: (line: string) => void;
  /** Human lines when true (a terminal), JSON lines otherwise. */
  readonly human: boolean;
  readonly now?: () => Date;
}

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2 };

/** Secrets are taken out here, in the sink, so that no caller can forget to. */
const SECRET_VALUE = /\bsv[kt]_[0-9A-Za-z]{4,}/g;
const MAX_DEPTH = 12;
const SECRET_FIELD =
  /^(authorization|x-api-key|x-provider-key|service_token|token|key|secret|passphrase)$/i;

export function createLogger({ level, write, human, now = () => new Date() }: LogOptions): Logger {
  const log = (at: LogLevel, message: string, fields: LogFields = {}): void => {
    if (ORDER[at] < ORDER[level]) return;
    const clean = redactFields(fields, 0);
    const time = now().toISOString();
    write(
      human
        ? `${time.slice(11, 23)} ${at.padEnd(5)} ${message}${humanFields(clean)}\n`
        : `${JSON.stringify({ time, level: at, message, ...withoutOwn(clean) })}\n`,
    );
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
  };
}

/** A logger for code that runs where nobody listens. */
export const silentLogger: Logger = { debug: noop, info: noop, warn: noop };

/** A field cannot pass for what the line itself says. */
function withoutOwn({
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

/** Replaces secret values in any JSON-like value; errors become their stack. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.replace(SECRET_VALUE, "[redacted]");
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return redact(value.stack ?? value.message);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactFields(value, depth);
}

function redactFields(fields: object, depth: number): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, item]: [string, unknown]) => [
      key,
      SECRET_FIELD.test(key) && typeof item === "string" ? "[redacted]" : redact(item, depth + 1),
    ]),
  );
}
