import { SvcError } from "../base/errors.ts";
import { requireNamespaces } from "./credential-namespaces.ts";
import { numberedName, requireCredentialName, requireFreeName } from "./credential-name.ts";
import { CREATE_TOKEN_HINT, newId, newSecret, parseSecret } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { recordOf } from "./find-credential.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";
import { secretDigest } from "./secret-digest.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Lifetime of a token, in milliseconds, unless its user chooses another. */
export const DEFAULT_TTL_MS = 30 * DAY_MS;
const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

interface TokenRequest {
  readonly name: string;
  /** Milliseconds: 1 minute to 365 days; 30 days by default. */
  readonly ttlMs?: number;
  readonly namespaces?: "all" | readonly string[];
  readonly readOnly?: boolean;
  /** Shows the admin's view of the search page; only with all namespaces. */
  readonly admin?: boolean;
  /** When the name is taken: true appends a number to it, false throws USAGE. */
  readonly isNumbered?: boolean;
}

interface NewToken {
  readonly record: CredentialRecord;
  /** Shown to the user once; the store keeps its SHA-256. */
  readonly secret: string;
}

/**
 * Creates an access token. Throws USAGE when a name, lifetime or namespace is out of range, or when the name is
 * taken.
 */
export async function createToken(
  store: CredentialStore,
  {
    name,
    ttlMs = DEFAULT_TTL_MS,
    namespaces = "all",
    readOnly = false,
    admin = false,
    isNumbered = false,
  }: TokenRequest,
  now = Date.now(),
): Promise<NewToken> {
  requireCredentialName(name);
  requireTtl(ttlMs);
  requireNamespaces(namespaces);
  if (admin) requireAllNamespaces(namespaces);
  const secret = newSecret("token");
  const createdAt = await store.time(now);
  const draft: CredentialRecord = {
    id: newId("token"),
    kind: "token",
    name,
    namespaces,
    readOnly,
    ...(admin ? { admin } : {}),
    createdAt,
    expiresAt: createdAt + ttlMs,
    digest: secretDigest(secret),
  };
  const record = await store.write(({ records, put, audit }) => {
    if (!isNumbered) requireFreeName(records.values(), draft, createdAt);
    const made = isNumbered ? { ...draft, name: numberedName(records, draft, createdAt) } : draft;
    put(made);
    audit({
      event: "token.create",
      credential: made.id,
      details: { namespaces, read_only: readOnly, ...(admin ? { admin } : {}), ttl_ms: ttlMs },
    });
    return made;
  });
  return { record, secret };
}

/** Makes an access token of this store the machine's default token. Throws UNAUTHENTICATED for any other secret. */
export async function saveDefaultToken(
  store: CredentialStore,
  defaultToken: DefaultToken,
  secret: string,
): Promise<void> {
  const isToken = parseSecret(secret).kind === "token";
  const record = isToken ? await recordOf(store, secret) : undefined;
  if (record === undefined) {
    throw new SvcError("UNAUTHENTICATED", "That is not an access token of this machine.", {
      hint: CREATE_TOKEN_HINT,
    });
  }
  await defaultToken.save(secret, record.id);
}

/** Milliseconds of a duration such as `90m`, `12h`, `30d` or `4w`. Throws USAGE. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit ?? ""];
  if (amount === undefined || unitMs === undefined) {
    throw new SvcError("USAGE", `"${text}" is not a duration.`, {
      hint: "Write a number and a unit: 90m, 12h, 30d or 4w.",
    });
  }
  return Number(amount) * unitMs;
}

/** Throws USAGE unless a token for the admin's view may have these namespaces. */
export function requireAllNamespaces(namespaces: "all" | readonly string[]): void {
  if (namespaces === "all") return;
  throw new SvcError("USAGE", "The admin's view covers all namespaces, but the token does not.", {
    hint: "Leave out --admin or --namespace.",
  });
}

/** Throws USAGE unless a token may live that long, in milliseconds. */
export function requireTtl(ttlMs: number): void {
  if (ttlMs >= MINUTE_MS && ttlMs <= 365 * DAY_MS) return;
  throw new SvcError("USAGE", "A token lives for at least 1 minute and at most 365 days.", {
    hint: "Write the lifetime as 90m, 12h, 30d or 4w.",
  });
}
