import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { type CredentialKind, KINDS } from "./secret-format.ts";
import { matchesSecret } from "./list-credentials.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { recordOf } from "./find-credential.ts";
import type { CredentialStore, DefaultToken } from "./port.ts";

interface RevocationRequest {
  readonly kind: CredentialKind;
  /** The whole id. A prefix is never enough, because a revocation cannot be undone. */
  readonly id: string;
  /** Reason for the audit log; must be safe to log. */
  readonly reason?: string;
  /** The default token of this machine, to report whether it was revoked. */
  readonly defaultToken?: DefaultToken;
}

/** Result of a revocation. */
export interface Revocation {
  readonly record: CredentialRecord & { readonly revokedAt: number };
  /** False when the credential was revoked earlier; then nothing was changed. */
  readonly isNew: boolean;
  /** True when it was this machine's default token. The machine then has none. */
  readonly wasDefault: boolean;
}

/**
 * Revokes a credential: every process refuses it from its next call on. Revoking it again changes nothing. Throws
 * USAGE for an unknown id. `store` is undefined on a machine without one.
 */
export async function revokeCredential(
  store: CredentialStore | undefined,
  request: RevocationRequest,
  now = Date.now(),
): Promise<Revocation> {
  await refuseSecret(request, store);
  if (store === undefined) throw notFound(request, []);
  // Before any write, so that a read-only store can also report an earlier revocation.
  const known = requireRecord(request, await store.list());
  if (known.revokedAt !== undefined) return unchanged(known, known.revokedAt);
  const time = await store.time(now);
  const saved = await request.defaultToken?.read();
  return store.write(({ records, put, audit }) => {
    const record = requireRecord(request, [...records.values()]);
    if (record.revokedAt !== undefined) return unchanged(record, record.revokedAt);
    const revoked = { ...record, revokedAt: time };
    put(revoked);
    const { reason } = request;
    audit({
      event: `${record.kind}.revoke`,
      credential: record.id,
      ...(reason === undefined ? {} : { details: { reason } }),
    });
    return { record: revoked, isNew: true, wasDefault: matchesSecret(record, saved) };
  });
}

function unchanged(record: CredentialRecord, revokedAt: number): Revocation {
  return { record: { ...record, revokedAt }, isNew: false, wasDefault: false };
}

function requireRecord(
  request: RevocationRequest,
  records: readonly CredentialRecord[],
): CredentialRecord {
  const record = records.find(({ id }) => id === request.id);
  if (record === undefined) throw notFound(request, records);
  if (record.kind === request.kind) return record;
  const { name, command } = KINDS[record.kind];
  throw new SvcError("USAGE", `${record.id} is an ${name}.`, {
    hint: `Run \`${command} revoke ${record.id}\`.`,
  });
}

/** Suggests the closest id, or the ids of credentials with that name: people remember names. */
function notFound({ kind, id }: RevocationRequest, records: readonly CredentialRecord[]): SvcError {
  const { name, command } = KINDS[kind];
  const active = records.filter((record) => record.kind === kind && record.revokedAt === undefined);
  const ids = active.map((record) => record.id);
  const namesakes = active.filter((record) => record.name === id).map((record) => record.id);
  const near = namesakes.length > 0 ? namesakes.toSorted().join(" or ") : closestWord(id, ids);
  return new SvcError("USAGE", `There is no ${name} "${id}".`, {
    hint: near === undefined ? `Run \`${command} list\` for the ids.` : `Did you mean ${near}?`,
  });
}

/** If the id is really a secret, throws an error that names its id and does not repeat the secret. */
async function refuseSecret(
  { id }: RevocationRequest,
  store: CredentialStore | undefined,
): Promise<void> {
  if (!/^sv[kt]_/.test(id)) return;
  const record = store && (await recordOf(store, id));
  throw new SvcError("USAGE", "That is a secret; a revocation takes the id.", {
    hint:
      record === undefined
        ? "No credential of this machine has this secret."
        : `Its id is ${record.id}: run \`${KINDS[record.kind].command} revoke ${record.id}\`.`,
  });
}
