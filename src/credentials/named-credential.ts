import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { type CredentialKind, KINDS } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";
import { recordOf } from "./find-credential.ts";
import type { CredentialStore } from "./port.ts";

/** The credential that a command changes. */
export interface CredentialRequest {
  readonly kind: CredentialKind;
  /** The whole id; a prefix is never enough. */
  readonly id: string;
  readonly action: "revoke" | "renew";
}

/** Returns the record with that id. Throws USAGE for an unknown id, and for the id of the other kind. */
export function requireRecord(
  request: CredentialRequest,
  records: readonly CredentialRecord[],
): CredentialRecord {
  const record = records.find(({ id }) => id === request.id);
  if (record === undefined) throw noSuchCredential(request, records);
  if (record.kind === request.kind) return record;
  const { name, command } = KINDS[record.kind];
  throw new SvcError("USAGE", `${record.id} is an ${name}.`, {
    hint:
      request.action === "renew"
        ? "API keys do not expire."
        : `Run \`${command} revoke ${record.id}\`.`,
  });
}

/** Suggests the closest id, or the ids of credentials with that name: people remember names. */
export function noSuchCredential(
  { kind, id }: Pick<CredentialRequest, "kind" | "id">,
  records: readonly CredentialRecord[],
): SvcError {
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
export async function refuseSecret(
  { id, action }: Pick<CredentialRequest, "id" | "action">,
  store: CredentialStore | undefined,
): Promise<void> {
  if (!/^sv[kt]_/.test(id)) return;
  const record = store && (await recordOf(store, id));
  throw new SvcError("USAGE", `That is a secret; \`${action}\` takes the id.`, {
    hint:
      record === undefined
        ? "No credential of this machine has this secret."
        : `Its id is ${record.id}: run \`${KINDS[record.kind].command} ${action} ${record.id}\`.`,
  });
}
