import { dirname, resolve } from "node:path";

import { SvcError } from "../../base/errors.ts";
import type { KeyTarget } from "../../credentials/keychain/data-key.ts";
import type { SealedStoreAdmin } from "../../credentials/sealed/store-admin.ts";
import { requireFolder } from "../../sources/confined-path.ts";
import { defineCommand, JSON_FLAG, type CommandContext } from "../command.ts";
import { DATA_KEY_LOCATIONS } from "../data-key-locations.ts";
import { noStore } from "../no-store.ts";
import { printJson } from "../print/json.ts";
import { readNewPassphrase } from "../read-secret.ts";

const INTERRUPTED = 130;

export const command = defineCommand({
  description:
    "Re-encrypts the credential store with a new key. The key is kept in a file or in the system keychain, or derived from a passphrase. Every credential stays valid, and the old key is removed. Running servers continue, unless they now need a passphrase that they were not started with.\n\nThe command asks for a new passphrase on the terminal, twice and without echo. If standard input is not a terminal, it reads the first line. If the store has no passphrase yet and SERVICE_PASSPHRASE is set, that is the new passphrase. If the store has a passphrase, SERVICE_PASSPHRASE is the current one, and the command asks for the new one. Afterwards, set SERVICE_PASSPHRASE to the new passphrase wherever svc runs.",
  flags: {
    to: {
      type: "string",
      required: true,
      choices: ["file", "keychain", "passphrase"],
      placeholder: "PLACE",
      description: "Where to keep the new key.",
    },
    keyFile: {
      type: "string",
      placeholder: "PATH",
      description: "With --to file: path of the key file (default: next to the settings).",
    },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth store migrate --to keychain",
      description: "Keep the key in the system keychain.",
    },
    {
      run: "svc auth store migrate --to file --key-file /media/stick/svc.key",
      description: "Keep the key on a removable disk.",
    },
    {
      run: "svc auth store migrate --to passphrase < new-passphrase",
      description: "Read the passphrase from a file.",
    },
  ],
  async run({ flags: { to, keyFile, json } }, context) {
    if (keyFile !== undefined && to !== "file") {
      throw new SvcError("USAGE", "--key-file needs --to file.", {
        hint: `Omit --key-file, or use --to file.`,
      });
    }
    const { app, io } = context;
    const admin = await app.sealedStore?.();
    if (admin === undefined) throw noStore(app);
    const target = await targetOf({ to, keyFile }, admin, context);
    if (target === undefined) return INTERRUPTED;
    const { from, warnings } = await admin.migrate(target);
    if (json) printJson(io, { from, to, warnings });
    else {
      const before = from === to ? "" : ` (before: ${DATA_KEY_LOCATIONS[from]})`;
      io.out(
        `The credential store is encrypted with a new key: ${DATA_KEY_LOCATIONS[to]}${before}.\n`,
      );
    }
    for (const warning of warnings) io.err(`svc: ${warning}\n`);
    if (to === "passphrase") {
      io.err("Set SERVICE_PASSPHRASE to the new passphrase wherever svc runs.\n");
    }
    return 0;
  },
});

interface MigrationFlags {
  readonly to: "file" | "keychain" | "passphrase";
  readonly keyFile: string | undefined;
}

/** Undefined after Ctrl-C. */
async function targetOf(
  { to, keyFile }: MigrationFlags,
  admin: SealedStoreAdmin,
  { app, io, signal }: CommandContext,
): Promise<KeyTarget | undefined> {
  if (to === "keychain") return { kind: to };
  if (to === "file") {
    if (keyFile === undefined) return { kind: to };
    const path = resolve(keyFile);
    requireFolder(dirname(path));
    return { kind: to, path };
  }
  const { exists, problem, keySource } = await admin.status();
  // Checked before the command asks for a passphrase.
  if (problem !== undefined) {
    const { detail, hint } = problem;
    throw new SvcError("CREDENTIAL_STORE", detail, hint === undefined ? {} : { hint });
  }
  if (!exists) throw noStore(app);
  const given = keySource === "passphrase" ? undefined : app.settings.passphrase;
  const passphrase = given ?? (await readNewPassphrase({ io, signal }));
  return passphrase === undefined ? undefined : { kind: to, passphrase };
}
