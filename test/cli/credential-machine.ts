import { join } from "node:path";

import { onTestFinished } from "vitest";

import { machine, type Machine } from "../helpers/cli.ts";
import { tree } from "../helpers/tree.ts";

export interface CredentialMachine extends Machine {
  /** The file that keeps the key of its store. */
  readonly keyFile: string;
  readonly json: (...words: readonly string[]) => Promise<unknown>;
}

/** A machine without credentials whose store has its key in a file: a passphrase costs a second each time. */
export function credentialMachine(
  env: Readonly<Record<string, string>> = {},
  files: Parameters<typeof machine>[0] = {},
): CredentialMachine {
  const keys = tree();
  const keyFile = join(keys.path, "data.key");
  const made = machine(files, { SERVICE_PASSPHRASE: "", SERVICE_DATA_KEY_FILE: keyFile, ...env });
  onTestFinished(() => {
    made.dispose();
    keys.dispose();
  });
  return {
    ...made,
    keyFile,
    async json(...words) {
      const { code, out, err } = await made.svc(...words, "--json");
      if (code !== 0) throw new Error(`svc ${words.join(" ")} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
  };
}
