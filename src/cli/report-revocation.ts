import type { Revocation } from "../credentials/revoke.ts";
import type { Io } from "./io.ts";
import { safeLine } from "./print/safe-text.ts";
import { isoTime } from "./print/time.ts";

/** Reports a revocation; with `--json` only what the record does not show. */
export function reportRevocation(
  io: Io,
  { record, isNew, wasDefault }: Revocation,
  isJson: boolean,
): void {
  const name = `${record.id} "${safeLine(record.name)}"`;
  if (!isNew) io.err(`${name} was already revoked at ${isoTime(record.revokedAt)}.\n`);
  else if (!isJson) io.out(`Revoked ${name}.\n`);
  if (!wasDefault) return;
  io.err(
    "This was the default token of this machine. Create another one: `svc auth token create --name NAME --save`.\n",
  );
}
