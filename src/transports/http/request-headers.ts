// Compares the headers of a message with its content. They must agree, because intermediaries read only the headers
// (revision 2026-07-28, "Request Metadata").
import { SvcError } from "../../base/errors.ts";
import { protocolVersionOf } from "../../mcp/era.ts";
import { isObject, quotedText, type Incoming, type JsonObject } from "../../mcp/message.ts";
import { isStateless, KNOWN_VERSIONS } from "../../mcp/negotiate.ts";
import type { HttpExchange } from "./exchange.ts";

const VERSION = "MCP-Protocol-Version";
const METHOD = "Mcp-Method";
const NAME = "Mcp-Name";

/** Format of header values that are not plain ASCII; the marks are case-sensitive. */
const ENCODED = /^=\?base64\?(?<base64>.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PLAIN = /^[\t\x20-\x7e]*$/;

/** Returns the protocol revision that a request declares, known or not; undefined if it declares none. */
export function protocolVersionHeader(exchange: HttpExchange): string | undefined {
  return headerValue(exchange, VERSION);
}

/** Throws INVALID_REQUEST for an unknown revision. */
export function requireKnownVersion(exchange: HttpExchange): void {
  const version = protocolVersionHeader(exchange);
  if (version !== undefined && !KNOWN_VERSIONS.includes(version)) throw unknownVersion();
}

/**
 * Returns the error of a message with wrong headers: HEADER_MISMATCH for a modern request, INVALID_PARAMS for one
 * that is modern only according to its headers, INVALID_REQUEST for an unknown revision; else undefined.
 */
export function problemWithHeaders(
  exchange: HttpExchange,
  message: Incoming,
): SvcError | undefined {
  const version = protocolVersionHeader(exchange);
  const named = message.kind === "call" ? protocolVersionOf(message.params) : undefined;
  if (message.kind === "call" && named !== undefined) {
    if (version !== named) return mismatch(VERSION, version, "_meta");
    // Another revision may have other headers; the error for an unsupported revision is the better answer.
    return isStateless(named) ? problemWithMirroredHeaders(exchange, message) : undefined;
  }
  if (version === undefined) return undefined;
  if (!KNOWN_VERSIONS.includes(version)) return unknownVersion();
  if (!isStateless(version) || message.kind !== "call" || message.id === undefined)
    return undefined;
  return new SvcError("INVALID_PARAMS", `_meta names no version, but ${VERSION} does.`, {
    hint: `A request of version ${version} must have both.`,
  });
}

function problemWithMirroredHeaders(
  exchange: HttpExchange,
  { method, params }: { readonly method: string; readonly params: unknown },
): SvcError | undefined {
  const given = headerValue(exchange, METHOD);
  if (given !== method) return mismatch(METHOD, given, "method");
  const name = method === "tools/call" && isObject(params) ? nameIn(params) : undefined;
  if (name === undefined) return undefined;
  const header = headerValue(exchange, NAME);
  return header === undefined || decoded(header) !== name
    ? mismatch(NAME, header, "params.name")
    : undefined;
}

/** Undefined when there is no name; that is not an error of the headers. */
function nameIn({ name }: JsonObject): string | undefined {
  return typeof name === "string" ? name : undefined;
}

/** Returns the trimmed value. If several values differ, they are joined, so that none matches. */
function headerValue({ request }: HttpExchange, name: string): string | undefined {
  const all = request.headersDistinct[name.toLowerCase()] ?? [];
  const values = new Set(all.map((value) => value.trim()));
  return values.size > 1 ? [...values].join(", ") : [...values][0];
}

/** Returns undefined for a value that no client may send. */
function decoded(header: string): string | undefined {
  const base64 = ENCODED.exec(header)?.groups?.["base64"];
  if (base64 === undefined) return PLAIN.test(header) ? header : undefined;
  if (!BASE64.test(base64)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(base64, "base64"),
    );
  } catch {
    return undefined;
  }
}

function mismatch(header: string, value: string | undefined, location: string): SvcError {
  const found = value === undefined ? "is missing" : `is ${quotedText(value)}`;
  return new SvcError("HEADER_MISMATCH", `The header ${header} ${found}.`, {
    hint: `It must equal ${location} in the body.`,
  });
}

function unknownVersion(): SvcError {
  return new SvcError("INVALID_REQUEST", "The protocol version in the headers is unknown.", {
    hint: `${VERSION} must be one of ${KNOWN_VERSIONS.join(", ")}.`,
  });
}
