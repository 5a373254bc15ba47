import { freshName, svc, type Place } from "./program.ts";

export interface KeyRecord {
  readonly key_id: string;
  readonly name: string;
  readonly namespace: string;
}

export interface NewKey extends KeyRecord {
  readonly key: string;
}

interface NewToken {
  readonly token_id: string;
  readonly token: string;
  readonly created_at: string;
  readonly expires_at: string;
}

interface CredentialCommands {
  /** Creates an API key with the command. */
  readonly createKey: (
    place: Place,
    key?: { readonly name?: string; readonly namespace?: string },
  ) => Promise<NewKey>;
  /** Creates an access token with the command. */
  readonly createTokenFor: (place: Place, ...flags: readonly string[]) => Promise<NewToken>;
  /** The entries of `auth keys list`. */
  readonly listKeys: (place: Place, ...flags: readonly string[]) => Promise<KeyRecord[]>;
}

/** `outputOf`: runs a command. Returns its standard output, and throws if it fails. */
export function credentialCommands(
  outputOf: (place: Place, ...words: readonly string[]) => Promise<string>,
): CredentialCommands {
  return {
    async createKey(place, { name = freshName("dashboard"), namespace = "docs" } = {}) {
      const words = ["auth", "keys", "create", "--name", name, "--namespace", namespace, "--json"];
      const key: NewKey = JSON.parse(await outputOf(place, ...words));
      return key;
    },
    async createTokenFor(place, ...flags) {
      const name = flags.includes("--name") ? [] : ["--name", freshName("spec")];
      const words = ["auth", "token", "create", ...name, "--json", ...flags];
      const token: NewToken = JSON.parse(await outputOf(place, ...words));
      return token;
    },
    async listKeys(place, ...flags) {
      const words = ["auth", "keys", "list", "--json", ...flags];
      const keys: KeyRecord[] = JSON.parse(await outputOf(place, ...words));
      return keys;
    },
  };
}

/** Standard output of a command. Throws if it fails. */
export async function output(place: Place, ...words: readonly string[]): Promise<string> {
  const run = await svc(place, ...words);
  if (run.exit !== 0)
    throw new Error(`svc ${words.join(" ")} ended with ${run.exit}: ${run.stderr}`);
  return run.stdout;
}

export const { createKey, createTokenFor } = credentialCommands(output);
