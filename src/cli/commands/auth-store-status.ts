import type { StoreStatus } from "../../credentials/sealed/store-status.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { DATA_KEY_LOCATIONS } from "../data-key-locations.ts";
import { noStore } from "../no-store.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { isoTime } from "../print/time.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Shows the location of the credential store, the source of its data key, the number of credentials, and any problem. Changes nothing.",
  flags: { json: JSON_FLAG },
  examples: [{ run: "svc auth store status", description: "Check the credential store." }],
  exitCodes: { 2: "The store cannot be opened." },
  async run({ flags }, { app, io }) {
    const admin = await app.sealedStore?.();
    if (admin === undefined) throw noStore(app);
    const status = await admin.status();
    if (flags.json) printJson(io, statusJson(status));
    else io.out(safeText(describe(status)));
    return status.problem === undefined ? 0 : FAILED;
  },
});

function statusJson(status: StoreStatus): object {
  const { clock, problem } = status;
  return {
    directory: status.directory,
    exists: status.exists,
    key_source: status.keySource ?? null,
    key_place: status.keyLocation ?? null,
    generation: status.generation ?? null,
    credentials: status.credentials ?? null,
    read_only: status.readOnly ?? null,
    clock:
      clock === undefined
        ? null
        : { known: isoTime(clock.known), now: isoTime(clock.now), ahead: clock.isAhead },
    unused_key_file: status.unusedKeyFile ?? null,
    problem: problem === undefined ? null : { detail: problem.detail, hint: problem.hint ?? null },
  };
}

function describe(status: StoreStatus): string {
  const { directory, exists, problem } = status;
  if (!exists && problem === undefined) {
    return "No credential was created on this machine yet.\n";
  }
  const rows = [
    ["Store", directory],
    ["Data key", dataKey(status)],
    ["Credentials", counts(status)],
    ["Generation", status.generation?.toString()],
    [
      "Access",
      status.readOnly === true ? "read-only: nothing can be created or revoked" : undefined,
    ],
    ["Clock", clockText(status)],
    ["Unused key", unusedKeyFileText(status)],
    ["Problem", problem?.detail],
    ["", problem?.hint],
  ];
  return rows
    .map(([label, text]) => (text === undefined ? "" : `${(label ?? "").padEnd(13)}${text}\n`))
    .join("");
}

function dataKey({ keySource, keyLocation }: StoreStatus): string | undefined {
  if (keySource === undefined) return undefined;
  return `${DATA_KEY_LOCATIONS[keySource]}${keyLocation === undefined ? "" : ` (${keyLocation})`}`;
}

function counts({ credentials }: StoreStatus): string | undefined {
  if (credentials === undefined) return undefined;
  const { active, expired, revoked } = credentials;
  return `${active} active, ${expired} expired, ${revoked} revoked`;
}

function unusedKeyFileText({ unusedKeyFile }: StoreStatus): string | undefined {
  if (unusedKeyFile === undefined) return undefined;
  return `${unusedKeyFile} holds a key that this store no longer uses; it can be deleted.`;
}

function clockText({ clock }: StoreStatus): string | undefined {
  if (clock === undefined) return undefined;
  if (!clock.isAhead) return "not ahead of this machine's clock";
  return `has seen ${isoTime(clock.known)}, which is in the future, so tokens expire early. If this machine's clock is correct now, run \`svc auth store reset-clock\`.`;
}
