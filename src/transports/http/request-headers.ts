// What headers say of a message, which must be what it says itself: those on the way read only headers
// (revision 2026-07-28, "Request Metadata").
import { SvcError } from "../../base/errors.ts";
import { protocolVersionOf } from "../../mcp/era.ts";
import { isObject, quotedText, type Incoming, type JsonObject } from "../../mcp/message.ts";
import { isStateless, KNOWN_VERSIONS } from "../../mcp/negotiate.ts";
import type { HttpExchange } from "./exchange.ts";

const VERSION = "MCP-Protocol-Version";
const METHOD = "Mcp-Method";
const NAME = "Mcp-Name";

/** Of header values that are not plain ASCII; the marks are case-sensitive. */
const ENCODED = /^=\?base64\?(?<base64>.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PLAIN = /^[\t\x20-\x7e]*$/;

/** The revision a request says it speaks, known or not; undefined for one that says none. */
export function protocolVersionHeader(exchange: HttpExchange): string | undefined {
  return headerValue(exchange, VERSION);
}

/** Throws INVALID_REQUEST for a revision that is not known. */
export function requireKnownVersion(exchange: HttpExchange): void {
  const version = protocolVersionHeader(exchange);
  if (version !== undefined && !KNOWN_VERSIONS.includes(version)) throw unknownVersion();
}

/**
 * Why a message is refused for its headers: HEADER_MISMATCH for a modern request, INVALID_PARAMS for one
 * that is modern by its headers alone, INVALID_REQUEST for a revision that is not known.
 */
export function problemWithHeaders(
  exchange: HttpExchange,
  message: Incoming,
): SvcError | undefined {
  const version = protocolVersionHeader(exchange);
  const named = message.kind === "call" ? protocolVersionOf(message.params) : undefined;
  if (message.kind === "call" && named !== undefined) {
    if (version !== named) return mismatch(VERSION, version, "_meta");
    // One of another revision may have other headers; that it is not spoken is the better answer.
    return isStateless(named) ? problemWithMirrors(exchange, message) : undefined;
  }
  if (version === undefined) return undefined;
  if (!KNOWN_VERSIONS.includes(version)) return unknownVersion();
  if (!isStateless(version) || message.kind !== "call" || message.id === undefined)
    return undefined;
  return new SvcError("INVALID_PARAMS", `_meta names no version, but ${VERSION} does.`, {
    hint: `A request of version ${version} has both.`,
  });
}

function problemWithMirrors(
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

/** Undefined where there is none, which is not for the headers to say. */
function nameIn({ name }: JsonObject): string | undefined {
  return typeof name === "string" ? name : undefined;
}

/** Without the blanks around it. Of several that differ none counts. */
function headerValue({ request }: HttpExchange, name: string): string | undefined {
  const all = request.headersDistinct[name.toLowerCase()] ?? [];
  const values = new Set(all.map((value) => value.trim()));
  return values.size > 1 ? [...values].join(", ") : [...values][0];
}

/** Undefined for what nobody may send. */
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
    hint: `It says the same as ${location} in the body.`,
  });
}

function unknownVersion(): SvcError {
  return new SvcError("INVALID_REQUEST", "The protocol version in the headers is not known here.", {
    hint: `${VERSION} is one of ${KNOWN_VERSIONS.join(", ")}.`,
  });
}
