// Commands in the process of the test, each with its own app: a tenth of the processor time of a program. For the
// preparation of a test, and for commands whose start is not its subject.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { commandsIn } from "../helpers/cli.ts";
import { credentialCommands } from "./credential-commands.ts";
import { servedAfter } from "./http-server.ts";
import { environmentOf, type Environment, type Place, type Run } from "./program.ts";

/** Runs one command to its end, with these variables as well. A path in `words` must be absolute. */
export async function runHere(
  place: Place,
  more: Environment,
  ...words: readonly string[]
): Promise<Run> {
  const env = { ...environmentOf(place), ...more };
  const { code, out, err } = await commandsIn({ ...place, env }).svc(...words);
  return { exit: code, stdout: out, stderr: err };
}

/** Standard output of a command. Throws if it fails. */
export async function outputHere(place: Place, ...words: readonly string[]): Promise<string> {
  // A new store gets a key file: the helper of the keychain would be another program. Later the store names it.
  const isNew = !existsSync(join(place.home, "data", "credentials"));
  const more = isNew ? { SERVICE_DATA_KEY_FILE: join(place.home, "data.key") } : {};
  const { exit, stdout, stderr } = await runHere(place, more, ...words);
  if (exit !== 0) throw new Error(`svc ${words.join(" ")} ended with ${exit}: ${stderr}`);
  return stdout;
}

export const { createKey, createTokenFor, listKeys } = credentialCommands(outputHere);

/** One server for all tests of a file, as in http-server.ts. */
export const servedHere = servedAfter(outputHere);
