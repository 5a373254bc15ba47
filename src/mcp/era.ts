// The two eras of the protocol. Legacy clients begin with `initialize`, whose result is valid for the connection. A
// modern request is stateless: its `_meta` has the version and the capabilities (revision 2026-07-28).
import { SvcError } from "../base/errors.ts";
import { redactValues } from "../base/redact.ts";
import { isObject, quotedText, type Call, type Id, type JsonObject } from "./message.ts";
import { DOCUMENTED_VERSION, STATELESS_VERSIONS, isStateless } from "./negotiate.ts";

/** Terms of the specification, "Versioning and Compatibility". */
export type Era = "legacy" | "modern";

const RESERVED = "io.modelcontextprotocol/";
const VERSION_KEY = `${RESERVED}protocolVersion`;
const CAPABILITIES_KEY = `${RESERVED}clientCapabilities`;
const CLIENT_INFO_KEY = `${RESERVED}clientInfo`;
const LOG_LEVEL_KEY = `${RESERVED}logLevel`;
const SERVER_INFO_KEY = `${RESERVED}serverInfo`;
const SUBSCRIPTION_KEY = `${RESERVED}subscriptionId`;

/** A client may cache a list for 5 minutes (interface, section 8), only for its credential. */
export const CACHE_HINTS = { ttlMs: 300_000, cacheScope: "private" } as const;

/** A call and its era. */
export interface EraRequest extends Call {
  readonly era: Era;
}

export function toEraRequest(call: Call): EraRequest {
  return { ...call, era: eraOf(call.params) };
}

/** A request that names its version is modern, whatever came before it. */
export function eraOf(params: unknown): Era {
  return protocolVersionOf(params) === undefined ? "legacy" : "modern";
}

/** The version that a request names; undefined for a legacy request. */
export function protocolVersionOf(params: unknown): string | undefined {
  const version = metaOf(params)?.[VERSION_KEY];
  return typeof version === "string" ? version : undefined;
}

/**
 * The problem with the `_meta` of a modern request: INVALID_PARAMS or UNSUPPORTED_VERSION. Undefined when it is valid,
 * and for a legacy request.
 */
export function problemWithMeta(params: unknown): SvcError | undefined {
  const version = protocolVersionOf(params);
  if (version === undefined) return undefined;
  if (!isObject(metaOf(params)?.[CAPABILITIES_KEY])) {
    return new SvcError("INVALID_PARAMS", `_meta has no object "${CAPABILITIES_KEY}".`, {
      hint: "The object may be empty.",
    });
  }
  if (isStateless(version)) return undefined;
  return new SvcError("UNSUPPORTED_VERSION", `Version ${quotedText(version)} is not supported.`, {
    hint: `Name ${STATELESS_VERSIONS.join(" or ")} in _meta, or open with initialize.`,
    data: { supported: STATELESS_VERSIONS, requested: redactValues(version.slice(0, 80)) },
  });
}

/** The client's name and version, for the log; undefined when absent. */
export function clientInfoOf(params: JsonObject): JsonObject | undefined {
  const info = metaOf(params)?.[CLIENT_INFO_KEY];
  return isObject(info) ? info : undefined;
}

/** The lowest level of log messages that a modern request asks for; undefined when it wants none. */
export function logLevelOf(params: unknown): unknown {
  return metaOf(params)?.[LOG_LEVEL_KEY];
}

/** The server's identity (interface, 2.3), the same in both eras. */
export function serverInfo(version: string): JsonObject {
  return { name: "svc", version, protocolVersion: DOCUMENTED_VERSION };
}

/** The result in the form of its era: only modern clients get the added members. */
export function resultForEra(era: Era, result: JsonObject, version: string): JsonObject {
  if (era === "legacy") return result;
  const meta = metaOf(result);
  return {
    resultType: "complete",
    ...result,
    _meta: { ...meta, [SERVER_INFO_KEY]: serverInfo(version) },
  };
}

/** The `_meta` of messages of a subscription: the id of the request that opened it. */
export function subscriptionMeta(id: Id | null): JsonObject {
  return { _meta: { [SUBSCRIPTION_KEY]: id } };
}

function metaOf(value: unknown): JsonObject | undefined {
  const meta = isObject(value) ? value["_meta"] : undefined;
  return isObject(meta) ? meta : undefined;
}
