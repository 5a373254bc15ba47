import { counted } from "../../base/amounts.ts";
import type { AuditDamage, AuditVerification } from "../../credentials/audit/port.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";

const EXIT_DAMAGED = 2;

export const command = defineCommand({
  description:
    "Reads the whole audit log and verifies the chain of MACs over its lines and files with the key of the credential store. Prints the first line that was altered, added, moved or removed, and repairs after a crash. Also compares the log with the store, which detects a deleted log and an older copy of either.",
  flags: { backend: BACKEND_FLAG, json: JSON_FLAG },
  exitCodes: { [EXIT_DAMAGED]: "The audit log is damaged." },
  examples: [{ run: "svc audit verify", description: "Count and verify all lines." }],
  async run({ flags }, { app, io }) {
    const audit = await app.credentials.auditReader();
    const result = await audit.verify();
    if (result === undefined) {
      const hasStore = (await app.credentials.store()) !== undefined;
      if (flags.json) printJson(io, { exists: false, ok: true });
      else if (hasStore) io.out("Nothing has been audited on this machine yet.\n");
      else io.out("This machine has no credential store, so nothing is audited.\n");
      return undefined;
    }
    if (flags.json) printJson(io, jsonOf(result));
    else {
      for (const line of linesOf(result)) io.out(`${safeLine(line)}\n`);
      if (result.damage !== undefined) io.err(`${safeLine(hintFor(audit.location))}\n`);
    }
    return result.damage === undefined ? undefined : EXIT_DAMAGED;
  },
});

function linesOf({
  parts,
  lines,
  calls,
  events,
  notes,
  damage,
}: AuditVerification): readonly string[] {
  const found = `${counted(parts, "file")}, ${counted(lines, "line")}: ${counted(calls, "call")}, ${counted(events, "event")}`;
  if (damage === undefined) return [`The audit log is intact: ${found}.`, ...notes];
  return [
    `The audit log is damaged. ${locationText(damage)}`,
    `Valid up to there: ${found}.`,
    ...notes,
  ];
}

function locationText({ part, line, kind, detail }: AuditDamage): string {
  const location = line === undefined ? part : `${part}, line ${line}`;
  return `${location}: ${kind} (${detail}).`;
}

function hintFor(directory: string): string {
  return `Nothing was repaired. Keep a copy of ${directory}. svc continues to write, and reports the damage until the damaged file is dropped.`;
}

function jsonOf({
  parts,
  lines,
  calls,
  events,
  first,
  last,
  notes,
  damage,
}: AuditVerification): unknown {
  return {
    exists: true,
    ok: damage === undefined,
    files: parts,
    lines,
    calls,
    events,
    first_seq: first ?? null,
    last_seq: last ?? null,
    notes,
    damage:
      damage === undefined
        ? null
        : {
            file: damage.part,
            line: damage.line ?? null,
            kind: damage.kind,
            detail: damage.detail,
          },
  };
}
