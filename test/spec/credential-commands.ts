import { existsSync } from "node:fs";
import { join } from "node:path";

import { commandsIn } from "../helpers/cli.ts";
import { environmentOf, freshName, svc, type Place } from "./program.ts";

export interface KeyRecord {
  readonly key_id: string;
  readonly name: string;
  readonly namespace: string;
}

export interface NewKey extends KeyRecord {
  readonly key: string;
}

/** Creates an API key with the command. */
export async function createKey(
  place: Place,
  { name = freshName("dashboard"), namespace = "docs" } = {},
): Promise<NewKey> {
  const words = ["auth", "keys", "create", "--name", name, "--namespace", namespace, "--json"];
  const key: NewKey = JSON.parse(await outputHere(place, ...words));
  return key;
}

interface NewToken {
  readonly token_id: string;
  readonly token: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Creates an access token with the command. */
export async function createTokenFor(place: Place, ...flags: readonly string[]): Promise<NewToken> {
  const name = flags.includes("--name") ? [] : ["--name", freshName("spec")];
  const words = ["auth", "token", "create", ...name, "--json", ...flags];
  const token: NewToken = JSON.parse(await outputHere(place, ...words));
  return token;
}

/** The entries of `auth keys list`. */
export async function listKeys(place: Place, ...flags: readonly string[]): Promise<KeyRecord[]> {
  const keys: KeyRecord[] = JSON.parse(
    await outputHere(place, "auth", "keys", "list", "--json", ...flags),
  );
  return keys;
}

/**
 * Standard output of a command in this process: a tenth of the processor time of a program. Throws if it fails. For what
 * is prepared for a test, and for commands whose start is not its subject.
 */
export async function outputHere(place: Place, ...words: readonly string[]): Promise<string> {
  const env = { ...environmentOf(place) };
  const data = join(place.home, "data");
  // A new store gets a key file: the helper of the keychain would be another program. Later the store names it.
  if (!existsSync(join(data, "credentials"))) {
    env["SERVICE_DATA_KEY_FILE"] = join(place.home, "data.key");
  }
  const { code, out, err } = await commandsIn({ ...place, env }).svc(...words);
  if (code !== 0) throw new Error(`svc ${words.join(" ")} ended with ${code}: ${err}`);
  return out;
}

/** Standard output of a program. Throws if it fails. */
export async function output(place: Place, ...words: readonly string[]): Promise<string> {
  const run = await svc(place, ...words);
  if (run.exit !== 0)
    throw new Error(`svc ${words.join(" ")} ended with ${run.exit}: ${run.stderr}`);
  return run.stdout;
}
