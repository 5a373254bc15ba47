import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers";

import { errorRow, SvcError, type ErrorCode } from "../../base/errors.ts";
import { errorReply } from "../../mcp/errors.ts";
import { COMMON_HEADERS } from "./reply.ts";

/** Errors of Node's parser for bytes that are not an accepted request, or that came too slowly. */
const FAILURES: Readonly<Record<string, SvcError>> = {
  HPE_HEADER_OVERFLOW: new SvcError("HEADERS_TOO_LARGE", "The headers are too long."),
  ERR_HTTP_REQUEST_TIMEOUT: new SvcError("REQUEST_TIMEOUT", "The request did not arrive in time."),
};
const LINGER_MS = 1000;
const NO_REQUEST = new SvcError("INVALID_REQUEST", "The request is not valid HTTP.");

/**
 * Answers bytes that never became a request, and closes the connection. Returns the error code if an answer was
 * sent.
 */
export function refuseConnection(failure: Error, socket: Duplex): ErrorCode | undefined {
  const code = "code" in failure ? String(failure.code) : "";
  // No answer is possible for a client that did not complete its TLS handshake or has closed the connection.
  if (code === "ECONNRESET" || /^ERR_(?:TLS|SSL)_/.test(code) || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const error = FAILURES[code] ?? NO_REQUEST;
  const { http } = errorRow(error);
  const reply = errorReply(null, error);
  const body = JSON.stringify("error" in reply ? { error: reply.error } : reply);
  const headers = Object.entries({
    ...COMMON_HEADERS,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${http} ${STATUS_CODES[http] ?? ""}\r\n${headers.join("")}\r\n`;
  socket.end(head + body, () => socket.destroy());
  // A client that does not read would keep the connection open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return error.code;
}
