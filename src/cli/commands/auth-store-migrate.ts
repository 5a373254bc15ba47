import { dirname, resolve } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { migrateStore } from "../../credentials/migrate.ts";
import type { StoreOptions } from "../../credentials/open-store.ts";
import { storeStatus } from "../../credentials/store-status.ts";
import { requireFolder } from "../../sources/confined-path.ts";
import { defineCommand, JSON_FLAG, type CommandContext } from "../command.ts";
import { DATA_KEY_LOCATIONS } from "../data-key-locations.ts";
import { noStore } from "../no-store.ts";
import { printJson } from "../print/json.ts";
import { readNewPassphrase } from "../read-passphrase.ts";

const INTERRUPTED = 130;

export const command = defineCommand({
  description:
    "Gives the credential store another key and keeps that in another place: a file of its own, the system's keychain, or a passphrase that it is derived from. Everything is sealed anew and every credential stays valid; the old key is removed. Servers that run go on, unless what they need now is a passphrase that they were not started with.\n\nA new passphrase is asked for at the terminal, twice and unseen; where standard input is no terminal its first line is taken. While the store has another key, SERVICE_PASSPHRASE, if it is set, is the new passphrase. Once the store has a passphrase, SERVICE_PASSPHRASE is the present one, which opens it, and the new one is asked for. Afterwards SERVICE_PASSPHRASE has to hold the new one wherever svc runs.",
  flags: {
    to: {
      type: "string",
      required: true,
      choices: ["file", "keychain", "passphrase"],
      placeholder: "PLACE",
      description: "Where the new key is kept.",
    },
    keyFile: {
      type: "string",
      placeholder: "PATH",
      description: "With --to file: the file; one beside the settings unless given.",
    },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth store migrate --to keychain",
      description: "Lets the system's keychain keep it.",
    },
    {
      run: "svc auth store migrate --to file --key-file /media/stick/svc.key",
      description: "Keeps it apart from the machine.",
    },
    {
      run: "svc auth store migrate --to passphrase < new-passphrase",
      description: "Takes the passphrase from a file.",
    },
  ],
  async run({ flags: { to, keyFile, json } }, context) {
    if (keyFile !== undefined && to !== "file") {
      throw new SvcError("USAGE", "--key-file goes with --to file.", {
        hint: `Leave it out, or write --to file.`,
      });
    }
    const { app, io } = context;
    const options = await app.storeOptions();
    const target = await targetOf({ to, keyFile }, options, context);
    if (target === undefined) return INTERRUPTED;
    const { from, warnings } = await migrateStore(options, target);
    if (json) printJson(io, { from, to, warnings });
    else {
      const before = from === to ? "" : ` Before it was ${DATA_KEY_LOCATIONS[from]}.`;
      io.out(
        `The credential store is sealed with a new key: ${DATA_KEY_LOCATIONS[to]}.${before}\n`,
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

/** Undefined when the user broke off. */
async function targetOf(
  { to, keyFile }: MigrationFlags,
  options: StoreOptions,
  { io, signal }: CommandContext,
): Promise<Parameters<typeof migrateStore>[1] | undefined> {
  if (to === "keychain") return { kind: to };
  if (to === "file") {
    if (keyFile === undefined) return { kind: to };
    const path = resolve(keyFile);
    requireFolder(dirname(path));
    return { kind: to, path };
  }
  const { exists, problem, keySource } = await storeStatus(options);
  // Before anybody is asked for anything.
  if (problem !== undefined) {
    const { detail, hint } = problem;
    throw new SvcError("CREDENTIAL_STORE", detail, hint === undefined ? {} : { hint });
  }
  if (!exists) throw noStore();
  const given = keySource === "passphrase" ? undefined : options.passphrase;
  const passphrase = given ?? (await readNewPassphrase({ io, signal }));
  return passphrase === undefined ? undefined : { kind: to, passphrase };
}
