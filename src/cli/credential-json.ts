// The output of lists and revocations about a credential, as JSON and as text.
import { namespacesOfKey } from "../credentials/api-keys.ts";
import type { ListedCredential } from "../credentials/list-credentials.ts";
import type { CredentialRecord } from "../credentials/credential-record.ts";
import { isoTime, shortTime } from "./print/time.ts";

/** The JSON of an API key in `auth keys list`; `withRevoked` adds the time of its revocation. */
export function keyJson(record: CredentialRecord, withRevoked: boolean): object {
  return {
    key_id: record.id,
    name: record.name,
    ...namespacesOfKey(record),
    created_at: isoTime(record.createdAt),
    last_used_at: timeOrNull(record.lastUsedAt),
    ...(withRevoked ? { revoked_at: timeOrNull(record.revokedAt) } : {}),
  };
}

/** The JSON of an access token in `auth token list`. */
export function tokenJson(
  { record, isDefault }: Pick<ListedCredential, "record" | "isDefault">,
  withRevoked: boolean,
): object {
  return {
    token_id: record.id,
    name: record.name,
    namespaces: record.namespaces,
    read_only: record.readOnly,
    ...(record.admin === true ? { admin: true } : {}),
    created_at: isoTime(record.createdAt),
    expires_at: timeOrNull(record.expiresAt),
    last_used_at: timeOrNull(record.lastUsedAt),
    default: isDefault,
    ...(withRevoked ? { revoked_at: timeOrNull(record.revokedAt) } : {}),
  };
}

/** The text of the column with the accessible namespaces. */
export function namespacesText({ namespaces }: Pick<CredentialRecord, "namespaces">): string {
  return namespaces === "all" ? namespaces : namespaces.join(", ");
}

/** The text of the NOTES column: default, read-only, expired, revoked. */
export function notesOf({ record, state, isDefault }: ListedCredential): string {
  const notes = [
    ...(isDefault ? ["default"] : []),
    ...(record.kind === "token" && record.readOnly ? ["read-only"] : []),
    ...(record.admin === true ? ["admin"] : []),
    ...(state === "expired" ? ["expired"] : []),
    ...(state === "revoked" ? [`revoked ${shortTime(record.revokedAt)}`] : []),
  ];
  return notes.join(", ");
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : isoTime(ms);
}
