import { SvcError } from "../base/errors.ts";
import { KINDS, type CredentialKind } from "./secret-format.ts";
import type { CredentialRecord } from "./credential-record.ts";

const MAX_LENGTH = 100;

/** Throws USAGE unless `name` fits into a list: 1 to 100 code points on one line. */
export function requireCredentialName(name: string): void {
  const { length } = Array.from(name);
  if (name.trim() !== "" && length <= MAX_LENGTH && !/\p{Cc}/u.test(name)) return;
  throw new SvcError("USAGE", "The name of a credential is 1 to 100 characters on one line.", {
    hint: "Choose one that says where it is used, such as `laptop` or `ci`.",
  });
}

interface NameRequest {
  readonly kind: CredentialKind;
  readonly name: string;
}

/**
 * Throws USAGE when a valid credential of that kind has the name at `time`. Revoked and expired credentials free
 * their names. Call it in the transaction that adds the credential.
 */
export function requireFreeName(
  records: Iterable<CredentialRecord>,
  request: NameRequest,
  time: number,
): void {
  const namesake = findNamesake(records, request, time);
  if (namesake === undefined) return;
  const { name, command } = KINDS[request.kind];
  throw new SvcError("USAGE", `There is an ${name} "${request.name}" already: ${namesake.id}.`, {
    hint: `Choose another name, or revoke it first: \`${command} revoke ${namesake.id}\`.`,
  });
}

/** Returns the name itself, or the first of "name 2", "name 3" and so on that no valid credential has. */
export function numberedName(
  records: ReadonlyMap<string, CredentialRecord>,
  { kind, name }: NameRequest,
  time: number,
): string {
  let free = name;
  for (let number = 2; findNamesake(records.values(), { kind, name: free }, time); number += 1) {
    free = `${name} ${number}`;
  }
  return free;
}

function findNamesake(
  records: Iterable<CredentialRecord>,
  { kind, name }: NameRequest,
  time: number,
): CredentialRecord | undefined {
  const wanted = comparable(name);
  return [...records].find((record) => {
    const { revokedAt, expiresAt = Infinity } = record;
    const isInForce = revokedAt === undefined && expiresAt > time;
    return isInForce && record.kind === kind && comparable(record.name) === wanted;
  });
}

/** Names that look the same compare equal. */
function comparable(name: string): string {
  return name.normalize("NFC").trim();
}
