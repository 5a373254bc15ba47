// Gives an access token a new expiry. Its value stays the same (docs/decisions/0072-tokens-are-renewed.md).
import { SvcError } from "../base/errors.ts";
import { DEFAULT_TTL_MS, requireTtl } from "./access-tokens.ts";
import { requireFreeName } from "./credential-name.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { recordOf } from "./find-credential.ts";
import { noSuchCredential, refuseSecret, requireRecord } from "./named-credential.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";
import { CREATE_TOKEN_HINT } from "./secret-format.ts";

/** Which token: by its id, or by its name, or the one that is saved on this machine. */
export type TokenChoice =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly saved: DefaultToken };

interface Renewal {
  readonly record: CredentialRecord & { readonly expiresAt: number };
  /** False when the token expires later than asked for by default; then nothing was changed. */
  readonly isNew: boolean;
}

/**
 * Lets a token expire `ttlMs` from now, or by default in 30 days unless it expires later anyway. An expired token works
 * again with its old value, a revoked one never. Throws USAGE for a token that does not exist or was revoked, and when
 * another valid token has got the name of an expired one.
 */
export async function renewToken(
  store: CredentialStore | undefined,
  choice: TokenChoice,
  { ttlMs, now = Date.now() }: { readonly ttlMs?: number | undefined; readonly now?: number } = {},
): Promise<Renewal> {
  if (ttlMs !== undefined) requireTtl(ttlMs);
  const id = await chosenId(store, choice);
  if (store === undefined) throw noSuchCredential({ kind: "token", id }, []);
  const time = await store.time(now);
  return store.write(({ records, put, audit }) => {
    const record = requireRecord({ kind: "token", id, action: "renew" }, [...records.values()]);
    requireUnrevoked(record);
    const { expiresAt: before = 0 } = record;
    const expiresAt = time + (ttlMs ?? DEFAULT_TTL_MS);
    if (ttlMs === undefined && before >= expiresAt) {
      return { record: { ...record, expiresAt: before }, isNew: false };
    }
    if (before <= time) requireFreeName(records.values(), record, time);
    const renewed = { ...record, expiresAt };
    put(renewed);
    audit({ event: "token.renew", credential: id, details: { ttl_ms: expiresAt - time } });
    return { record: renewed, isNew: true };
  });
}

/** Throws USAGE. */
async function chosenId(store: CredentialStore | undefined, choice: TokenChoice): Promise<string> {
  if ("id" in choice) {
    await refuseSecret({ id: choice.id, action: "renew" }, store);
    return choice.id;
  }
  if ("name" in choice) return idOfName(choice.name, (await store?.list()) ?? []);
  const secret = await choice.saved.read();
  const record = secret === undefined ? undefined : store && (await recordOf(store, secret));
  if (record !== undefined) return record.id;
  throw new SvcError("USAGE", "No access token is saved on this machine.", {
    hint: `${CREATE_TOKEN_HINT} To renew another one, name it: \`svc auth token list --all\`.`,
  });
}

/** A revoked or expired credential frees its name, so several tokens may have it: the one in force is meant. */
function idOfName(name: string, records: readonly CredentialRecord[]): string {
  const named = records
    .filter((record) => record.kind === "token" && record.name === name)
    .filter(({ revokedAt }) => revokedAt === undefined)
    .toSorted((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
  const [latest] = named;
  if (latest !== undefined) return latest.id;
  throw new SvcError("USAGE", `There is no access token with the name "${name}".`, {
    hint: "Run `svc auth token list --all`. A revoked token cannot be renewed.",
  });
}

function requireUnrevoked({ id, name, revokedAt }: CredentialRecord): void {
  if (revokedAt === undefined) return;
  throw new SvcError("USAGE", `The access token "${name}" (${id}) was revoked.`, {
    hint: `A revocation is final. ${CREATE_TOKEN_HINT}`,
  });
}
