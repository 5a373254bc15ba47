// The two eras of the protocol. Legacy clients open with `initialize`, and what it settled holds for the
// connection; a modern request says in its `_meta` all there is to know of it (revision 2026-07-28).
import { SvcError } from "../base/errors.ts";
import { redactValues } from "../base/redact.ts";
import { isObject, quotedText, type Call, type Id, type JsonObject } from "./message.ts";
import { DOCUMENTED_VERSION, STATELESS_VERSIONS, isStateless } from "./negotiate.ts";

/** The words of the specification, "Versioning and Compatibility". */
export type Era = "legacy" | "modern";

const RESERVED = "io.modelcontextprotocol/";
const VERSION_KEY = `${RESERVED}protocolVersion`;
const CAPABILITIES_KEY = `${RESERVED}clientCapabilities`;
const CLIENT_INFO_KEY = `${RESERVED}clientInfo`;
const SERVER_INFO_KEY = `${RESERVED}serverInfo`;
const SUBSCRIPTION_KEY = `${RESERVED}subscriptionId`;

/** What a client may do with a list: keep it for the 5 minutes of section 8 of the interface, for its credential alone. */
export const CACHE_HINTS = { ttlMs: 300_000, cacheScope: "private" } as const;

/** A call, and how it is to be understood. */
export interface EraRequest extends Call {
  readonly era: Era;
}

export function toEraRequest(call: Call): EraRequest {
  return { ...call, era: eraOf(call.params) };
}

/** A request is modern when it names its version; nothing that came before it matters. */
export function eraOf(params: unknown): Era {
  return protocolVersionOf(params) === undefined ? "legacy" : "modern";
}

/** The version a request says it speaks; undefined for a legacy one. */
export function protocolVersionOf(params: unknown): string | undefined {
  const version = metaOf(params)?.[VERSION_KEY];
  return typeof version === "string" ? version : undefined;
}

/**
 * What is wrong with the `_meta` of a modern request: INVALID_PARAMS or UNSUPPORTED_VERSION;
 * undefined for a good one, and for any legacy one.
 */
export function problemWithMeta(params: unknown): SvcError | undefined {
  const version = protocolVersionOf(params);
  if (version === undefined) return undefined;
  if (!isObject(metaOf(params)?.[CAPABILITIES_KEY])) {
    return new SvcError("INVALID_PARAMS", `_meta has no object "${CAPABILITIES_KEY}".`, {
      hint: "It may be empty.",
    });
  }
  if (isStateless(version)) return undefined;
  return new SvcError("UNSUPPORTED_VERSION", `${quotedText(version)} is not spoken here.`, {
    hint: `Name ${STATELESS_VERSIONS.join(" or ")} in _meta, or open with initialize.`,
    data: { supported: STATELESS_VERSIONS, requested: redactValues(version.slice(0, 80)) },
  });
}

/** Name and version the client gives itself, for the log; undefined without. */
export function clientInfoOf(params: JsonObject): JsonObject | undefined {
  const info = metaOf(params)?.[CLIENT_INFO_KEY];
  return isObject(info) ? info : undefined;
}

/** The server's identity (interface, 2.3), the same in both eras. */
export function serverInfo(version: string): JsonObject {
  return { name: "svc", version, protocolVersion: DOCUMENTED_VERSION };
}

/** A result as its era has it: legacy clients never see what the modern one adds. */
export function resultForEra(era: Era, result: JsonObject, version: string): JsonObject {
  if (era === "legacy") return result;
  const meta = metaOf(result);
  return {
    resultType: "complete",
    ...result,
    _meta: { ...meta, [SERVER_INFO_KEY]: serverInfo(version) },
  };
}

/** The mark of everything that belongs to a subscription: the id of the request that opened it. */
export function subscriptionMeta(id: Id | null): JsonObject {
  return { _meta: { [SUBSCRIPTION_KEY]: id } };
}

function metaOf(value: unknown): JsonObject | undefined {
  const meta = isObject(value) ? value["_meta"] : undefined;
  return isObject(meta) ? meta : undefined;
}
