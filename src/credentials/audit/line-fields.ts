// The fields of the lines of the audit log, for any backend. No line contains a secret.

import { redact, redactText } from "../../base/log.ts";
import type { CallEvent, CredentialEvent } from "../audit-event.ts";
import type { ChainKey, LineFields } from "./chain.ts";

/** Real names are short; a client may send anything in their place. */
const MAX_NAME_LENGTH = 80;

/** Returns the fields of an event that happens now. */
export function eventLine({ event, credential, details }: CredentialEvent): LineFields {
  return {
    time: new Date().toISOString(),
    event,
    // Only the owner of the machine manages credentials.
    principal: "local",
    credential: credential ?? null,
    outcome: "ok",
    ...(details === undefined ? {} : { details: withoutSecrets(details) }),
  };
}

export interface QueryPrivacy {
  /** Makes equal queries recognisable without their text. */
  readonly key: ChainKey;
  /** Whether lines contain the text of queries. */
  readonly withQueries: boolean;
}

/** Returns the fields of a call that ended at `time`, in milliseconds since 1970. */
export function callLine(
  { query, ...call }: CallEvent,
  time: number,
  privacy: QueryPrivacy,
): LineFields {
  const { request = null, principal, tool, namespace, outcome, ms, items, characters } = call;
  return {
    time: new Date(time).toISOString(),
    event: "call",
    request: typeof request === "string" ? nameOf(request) : request,
    principal,
    ...(call.byok === true ? { byok: true } : {}),
    tool: nameOf(tool),
    namespace: namespace === null ? null : nameOf(namespace),
    outcome,
    ms: Math.round(ms),
    items,
    characters,
    ...(query === undefined ? {} : queryFields(query, privacy)),
  };
}

function queryFields(query: string, { key, withQueries }: QueryPrivacy): LineFields {
  return {
    query_length: query.length,
    query_hmac: key.query(query),
    ...(withQueries ? { query: redactText(query) } : {}),
  };
}

/**
 * Only the values are redacted: the field names are svc's own, and the field `key` holds the place of the data key.
 */
function withoutSecrets(details: Readonly<Record<string, unknown>>): LineFields {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, redact(value)]));
}

/** Cut first, because that is cheaper; the redactor still recognises a secret that was cut off. */
function nameOf(text: string): string {
  return redactText(text.slice(0, MAX_NAME_LENGTH));
}
