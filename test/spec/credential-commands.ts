import { freshName, svc, type Place } from "./program.ts";

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
  const key: NewKey = JSON.parse(await output(place, ...words));
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
  const token: NewToken = JSON.parse(await output(place, ...words));
  return token;
}

/** The entries of `auth keys list`. */
export async function listKeys(place: Place, ...flags: readonly string[]): Promise<KeyRecord[]> {
  const keys: KeyRecord[] = JSON.parse(
    await output(place, "auth", "keys", "list", "--json", ...flags),
  );
  return keys;
}

/** Standard output of a command. Throws if it fails. */
export async function output(place: Place, ...words: readonly string[]): Promise<string> {
  const run = await svc(place, ...words);
  if (run.exit !== 0)
    throw new Error(`svc ${words.join(" ")} ended with ${run.exit}: ${run.stderr}`);
  return run.stdout;
}
