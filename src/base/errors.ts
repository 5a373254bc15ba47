// Each failure that a user can see has one row here. Transports and the CLI translate the row. No other code
// chooses a JSON-RPC code, an HTTP status or an exit code.

interface ErrorRow {
  /** The `code` of the JSON-RPC error; positive if JSON-RPC defines none (interface, section 7). */
  readonly rpc: number;
  readonly http: number;
  /** Exit code of a command that ends with this error. */
  readonly exit: number;
  /** One sentence for docs/errors.md. */
  readonly when: string;
  /**
   * A tool that fails with it returns a result with `isError`, because the models of agents see only results. Never set
   * for errors that the interface fixes as JSON-RPC errors (docs/decisions/0055).
   */
  readonly asResult?: true;
}

export const ERRORS = {
  PARSE_ERROR: { rpc: -32700, http: 400, exit: 2, when: "The message is not JSON." },
  INVALID_REQUEST: {
    rpc: -32600,
    http: 400,
    exit: 2,
    when: "The message is JSON but not a JSON-RPC 2.0 request.",
  },
  DUPLICATE_ID: {
    rpc: -32600,
    http: 400,
    exit: 2,
    when: "A request with the same id is still being answered.",
  },
  MESSAGE_TOO_LARGE: {
    rpc: -32600,
    http: 413,
    exit: 2,
    when: "The message is longer than 16 MiB (HTTP body: 4 MiB).",
  },
  UNSUPPORTED_VERSION: {
    rpc: -32022,
    http: 400,
    exit: 2,
    when: "The request names a protocol version that svc does not support; `data.supported` lists the supported ones.",
  },
  HEADER_MISMATCH: {
    rpc: -32020,
    http: 400,
    exit: 2,
    when: "A header of the request is missing or contradicts the body (HTTP, from 2026-07-28 on).",
  },
  METHOD_NOT_FOUND: { rpc: -32601, http: 404, exit: 2, when: "The server has no such method." },
  INVALID_PARAMS: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "An argument is missing, unknown or outside its schema.",
    asResult: true,
  },
  TOOL_NOT_FOUND: { rpc: -32602, http: 400, exit: 2, when: "No tool has that name." },
  INVALID_CURSOR: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The cursor was not issued by this server, or the index has changed since.",
    asResult: true,
  },
  INVALID_PATTERN: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The pattern is not a regular expression that runs in linear time.",
    asResult: true,
  },
  PATH_OUTSIDE_SOURCE: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "A path or glob leads out of the source (`..`, absolute, or through a symbolic link).",
    asResult: true,
  },
  INVALID_QUERY: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The query is not 3 to 10,000 characters long.",
  },
  NAMESPACE_NOT_FOUND: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The namespace does not exist, or the caller has no access to it.",
  },
  INTERNAL_ERROR: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "An internal error of svc; the log shows the cause.",
  },
  TIMEOUT: { rpc: -32603, http: 500, exit: 2, when: "The call took longer than 30 seconds." },
  INDEX_UNAVAILABLE: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The index cannot be opened or written.",
  },
  INDEX_CORRUPT: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The list of namespaces is damaged; svc answers nothing until it is restored or rebuilt.",
  },
  BACKEND_UNAVAILABLE: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The database of the shared backend cannot be reached or used.",
  },
  REMOTE_UNAVAILABLE: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The server of `svc mcp --remote` cannot be reached, or does not answer as svc does.",
    asResult: true,
  },
  STORAGE_FULL: { rpc: -32603, http: 500, exit: 2, when: "The disk that holds the data is full." },
  PROVIDER_ERROR: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The model provider cannot be reached, fails, or returns an unusable answer.",
  },
  UNAUTHENTICATED: {
    rpc: 401,
    http: 401,
    exit: 4,
    when: "No credential was given, or svc did not issue it.",
  },
  TOKEN_EXPIRED: { rpc: 401, http: 401, exit: 4, when: "The access token has expired." },
  CREDENTIAL_REVOKED: { rpc: 401, http: 401, exit: 4, when: "The credential was revoked." },
  CREDENTIAL_MALFORMED: {
    rpc: 401,
    http: 401,
    exit: 4,
    when: "The credential is mistyped: its form or checksum is wrong.",
  },
  CREDENTIAL_STORE: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The credential store is damaged, tampered with, or its data key is not available.",
  },
  RATE_LIMITED: {
    rpc: 429,
    http: 429,
    exit: 2,
    when: "Too many failed attempts came from one address, or too many event streams are open for one credential; `Retry-After` gives the wait in seconds.",
  },
  FORBIDDEN: { rpc: 403, http: 403, exit: 4, when: "The credential does not allow this call." },
  ENDPOINT_NOT_FOUND: { rpc: 404, http: 404, exit: 2, when: "The server has no such path." },
  METHOD_NOT_ALLOWED: {
    rpc: 405,
    http: 405,
    exit: 2,
    when: "The path needs another HTTP method; `Allow` names it.",
  },
  NOT_ACCEPTABLE: {
    rpc: 406,
    http: 406,
    exit: 2,
    when: "`Accept` allows none of the server's content types.",
  },
  REQUEST_TIMEOUT: {
    rpc: 408,
    http: 408,
    exit: 2,
    when: "The headers of the request took over 10 seconds, or the whole request over 12.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    rpc: 415,
    http: 415,
    exit: 2,
    when: "The body is not `application/json` in UTF-8, or it is compressed.",
  },
  HEADERS_TOO_LARGE: {
    rpc: 431,
    http: 431,
    exit: 2,
    when: "The headers of the request are longer than 16 KiB.",
  },
  OVERLOADED: {
    rpc: 503,
    http: 503,
    exit: 2,
    when: "The server is overloaded or shutting down; `Retry-After` says how long to wait.",
  },
  CANNOT_LISTEN: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "The server cannot listen on the address or port.",
  },
  USAGE: { rpc: -32602, http: 400, exit: 2, when: "The command line is not valid." },
  INVALID_SETTINGS: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "A variable or a line of `config.json` is not a valid setting, or the file cannot be trusted.",
  },
  CLIENT_CONFIG: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The configuration file of a client cannot be parsed or written; it was not changed.",
  },
  NO_WORKSPACE: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "No folder to work on: `/` and the home directory are never indexed. A command at a shell indexes a folder of several projects, or one with more than 50,000 files, only if `svc index` names it.",
    asResult: true,
  },
  SOURCE_NOT_ALLOWED: {
    rpc: 403,
    http: 403,
    exit: 4,
    when: "The session may not index this folder or repository: it is outside the workspace, existing sources and `--allow-root`.",
    asResult: true,
  },
  PATH_NOT_FOUND: {
    rpc: -32602,
    http: 400,
    exit: 2,
    when: "The path does not exist or cannot be read.",
    asResult: true,
  },
  FETCH_FAILED: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "A repository could not be fetched.",
    asResult: true,
  },
  UPGRADE_FAILED: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "`svc upgrade` cannot read, verify or install the release; the program is unchanged.",
  },
  SYMBOL_NOT_FOUND: {
    rpc: -32602,
    http: 400,
    exit: 1,
    when: "No symbol has that name.",
    asResult: true,
  },
  INDEX_EMPTY: {
    rpc: -32603,
    http: 500,
    exit: 2,
    when: "Nothing has been indexed yet.",
    asResult: true,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * The messages of the JSON-RPC codes, as the specification words them (interface, section 7; product decisions,
 * section 8).
 */
const MESSAGES: Readonly<Record<number, string>> = {
  [-32700]: "Parse error",
  [-32600]: "Invalid request",
  [-32601]: "Method not found",
  [-32602]: "Invalid params",
  [-32603]: "Internal error",
  [-32020]: "Header mismatch",
  [-32022]: "Unsupported protocol version",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  406: "Not acceptable",
  408: "Request timeout",
  415: "Unsupported media type",
  429: "Too many requests",
  431: "Request header fields too large",
  503: "Service unavailable",
};

interface ErrorOptions {
  /** How the reader can fix the problem, as a sentence. */
  readonly hint?: string | undefined;
  /** Whole seconds to wait before the next attempt, for `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Members of the JSON-RPC error's `data` in addition to `error_code` and `detail`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** An expected failure: shown to the caller with its code, its detail and a hint on how to fix it. */
export class SvcError extends Error {
  override readonly name = "SvcError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
    this.data = options.data;
  }

  /** Message and hint as one text, as every transport shows them. */
  get detail(): string {
    return this.hint === undefined ? this.message : `${this.message} ${this.hint}`;
  }
}

/** Converts any thrown value to an SvcError, so that callers handle one type. */
export function toSvcError(thrown: unknown): SvcError {
  if (thrown instanceof SvcError) return thrown;
  if (isDiskFull(thrown)) {
    return new SvcError("STORAGE_FULL", "The disk is full.", {
      hint: "Free some space, or move the data with SERVICE_HOME.",
      cause: thrown,
    });
  }
  if (isOutOfMemory(thrown)) {
    return new SvcError("INDEX_UNAVAILABLE", "svc ran out of memory.", {
      hint: "Raise the memory limit of its container, or `ulimit -v`.",
      cause: thrown,
    });
  }
  // SQLITE_READONLY is 8; its extended codes have 8 in the low byte.
  if (((sqliteCode(thrown) ?? 0) & 0xff) === 8) return dataNotWritable(thrown);
  return new SvcError("INTERNAL_ERROR", "Internal error; the log shows the cause.", {
    cause: thrown,
  });
}

/** True if the file system or SQLite refused to write; reading may still work. */
export function isAboutWriting(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  // READONLY, IOERR, FULL, CANTOPEN.
  const refusals = [8, 10, 13, 14];
  return (
    ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].includes(code) ||
    refusals.includes((sqliteCode(thrown) ?? 0) & 0xff)
  );
}

/** The error of a refused write below the data directory. */
export function dataNotWritable(cause: unknown): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "The data directory cannot be written.", {
    hint: "Run `svc doctor` to find the cause, or set SERVICE_HOME to another directory.",
    cause,
  });
}

/** The row of an error's code in ERRORS. */
export function errorRow(error: SvcError): ErrorRow {
  return ERRORS[error.code];
}

/** The HTTP status of an error code in a reply; 500 for an unknown code. */
export function httpStatusOf(code: string): number {
  const rows: Readonly<Record<string, ErrorRow>> = ERRORS;
  return Object.hasOwn(rows, code) ? (rows[code]?.http ?? 500) : 500;
}

/** The message text of a JSON-RPC code. */
export function rpcMessage(rpc: number): string {
  return MESSAGES[rpc] ?? "Internal error";
}

/** The SQLite result code (sqlite.org/rescode.html) of an error of node:sqlite; undefined for other values. */
export function sqliteCode(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" ? code : undefined;
}

/** True if a thread or WebAssembly ran out of memory; if the main thread does, V8 ends the process. */
function isOutOfMemory(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ("code" in thrown && thrown.code === "ERR_WORKER_OUT_OF_MEMORY") return true;
  const isRange = thrown instanceof RangeError;
  return isRange && /out of memory|allocate memory|allocation failed/i.test(thrown.message);
}

function isDiskFull(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  // SQLITE_FULL is 13.
  // EFBIG: the file has reached its maximum size, which is reported in the same way.
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(code)) || sqliteCode(thrown) === 13;
}
