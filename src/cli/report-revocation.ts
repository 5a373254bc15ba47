import type { Revocation } from "../credentials/revoke.ts";
import type { Io } from "./io.ts";
import { safeLine } from "./print/safe-text.ts";
import { isoTime } from "./print/time.ts";

/** Says what a revocation did; with `--json` only what the record does not. */
export function reportRevocation(
  io: Io,
  { record, isNew, wasDefault }: Revocation,
  isJson: boolean,
): void {
  const name = `${record.id} "${safeLine(record.name)}"`;
  if (!isNew) io.err(`${name} was revoked already, at ${isoTime(record.revokedAt)}.\n`);
  else if (!isJson) io.out(`Revoked ${name}.\n`);
  if (!wasDefault) return;
  io.err(
    "It was this machine's default token; there is none now. Run `svc auth token create --name NAME --save`.\n",
  );
}
