import { join } from "node:path";

import { onTestFinished, vi } from "vitest";

import {
  memoryCredentials,
  sharedCredentialMemory,
} from "../../src/credentials/memory/memory-backend.ts";
import { createMachine, type Machine } from "../helpers/cli.ts";
import { tree } from "../helpers/tree.ts";

type Files = Parameters<typeof createMachine>[0];

export interface MemoryMachine extends Machine {
  readonly json: (...words: readonly string[]) => Promise<unknown>;
  /** True once a credential store was created. */
  readonly hasStore: () => boolean;
}

/**
 * A machine whose credentials are in memory, for tests that do not depend on how they are stored. Its clock advances by a
 * second with each command: two commands would otherwise run within one millisecond.
 */
export function memoryMachine(files: Files = {}): MemoryMachine {
  const shared = sharedCredentialMemory();
  let now = Date.now();
  const machine = createMachine(files, {}, () => {
    vi.setSystemTime((now += 1000));
    return memoryCredentials(shared);
  });
  onTestFinished(() => {
    vi.useRealTimers();
    machine.dispose();
  });
  return { ...withJson(machine), hasStore: () => shared.exists };
}

export interface CredentialMachine extends Machine {
  /** The file that keeps the key of its store. */
  readonly keyFile: string;
  readonly json: (...words: readonly string[]) => Promise<unknown>;
}

/** A machine without credentials whose store has its key in a file: a passphrase costs a second each time. */
export function credentialMachine(
  env: Readonly<Record<string, string>> = {},
  files: Files = {},
): CredentialMachine {
  const keys = tree();
  const keyFile = join(keys.path, "data.key");
  const machine = createMachine(files, {
    SERVICE_PASSPHRASE: "",
    SERVICE_DATA_KEY_FILE: keyFile,
    ...env,
  });
  onTestFinished(() => {
    machine.dispose();
    keys.dispose();
  });
  return { ...withJson(machine), keyFile };
}

function withJson(machine: Machine): Machine & Pick<MemoryMachine, "json"> {
  return {
    ...machine,
    async json(...words) {
      const { code, out, err } = await machine.svc(...words, "--json");
      if (code !== 0) throw new Error(`svc ${words.join(" ")} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
  };
}
