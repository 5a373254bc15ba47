// Where the key that seals the store comes from. Chosen once, when the store is created, and pinned
// in its header: a provider that is not there later is an error, never a reason to take another.
import { SvcError } from "../base/errors.ts";
import { createFileKey, openFileKey } from "./data-key-file.ts";
import { createKeychainKey, type Keychain, openKeychainKey } from "./data-key-keychain.ts";
import {
  createPassphraseKey,
  openPassphraseKey,
  parsePassphraseParameters,
  type PassphraseParameters,
} from "./data-key-passphrase.ts";
import { damaged } from "./database.ts";

/** The pinned choice, kept in clear in the header of the store. */
export type KeySource =
  | { readonly kind: "file" }
  | { readonly kind: "keychain"; readonly account: string }
  | ({ readonly kind: "passphrase" } & PassphraseParameters);

export interface DataKeyChoices {
  /** Holds the key file and the anchor: another directory than the store's, so that a copy of one is not a copy of both. */
  readonly keyDirectory: string;
  /** The user's explicit choice of a key file. */
  readonly keyFile?: string | undefined;
  /** The user's explicit choice of a passphrase; empty means none. */
  readonly passphrase?: string | undefined;
  /** The system's keychain; undefined where it must not be asked. */
  readonly keychain?: Keychain | undefined;
}

export interface NewDataKey {
  readonly key: Buffer;
  readonly source: KeySource;
  /** To be shown to the user once. */
  readonly notice?: string;
}

/** An explicit key file or passphrase, else the keychain, else a key file and a notice that says so. */
export async function createDataKey(choices: DataKeyChoices): Promise<NewDataKey> {
  const { keyDirectory, keyFile, passphrase, keychain } = choices;
  if (keyFile !== undefined) {
    return { key: createFileKey(keyDirectory, keyFile), source: { kind: "file" } };
  }
  if (passphrase !== undefined && passphrase !== "") {
    const { key, parameters } = await createPassphraseKey(passphrase);
    return { key, source: { kind: "passphrase", ...parameters } };
  }
  let reason = "it was not asked";
  if (keychain !== undefined) {
    try {
      const { key, account } = await createKeychainKey(keychain);
      return { key, source: { kind: "keychain", account } };
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  return {
    key: createFileKey(keyDirectory, undefined),
    source: { kind: "file" },
    notice:
      `The system's keychain is not used (${reason.replace(/\.$/, "")}): the key of the credential store is in a ` +
      "file that only you can read. That protects copies and backups, not against programs you run.",
  };
}

/** Gives back what a creation that lost a race has left in the keychain. */
export async function discardDataKey(source: KeySource, choices: DataKeyChoices): Promise<void> {
  if (source.kind === "keychain") await choices.keychain?.remove(source.account);
}

/** The key of an existing store. Throws CREDENTIAL_STORE when its pinned provider does not give it. */
export async function openDataKey(source: KeySource, choices: DataKeyChoices): Promise<Buffer> {
  if (source.kind === "file") return openFileKey(choices.keyDirectory, choices.keyFile);
  if (source.kind === "passphrase") return openPassphraseKey(source, choices.passphrase);
  return openKeychainKey(choices.keychain, source.account);
}

/**
 * Reads the pinned choice back from the header. The store's MAC vouches for it only after the key is
 * there, so nothing in it is believed before.
 */
export function parseKeySource(text: string): KeySource {
  const source = jsonObject(text);
  const { kind, account } = source;
  if (kind === "file") return { kind };
  if (kind === "keychain" && typeof account === "string") return { kind, account };
  const parameters = kind === "passphrase" ? parsePassphraseParameters(source) : undefined;
  if (parameters !== undefined) return { kind: "passphrase", ...parameters };
  throw new SvcError("CREDENTIAL_STORE", "The store names a data key that svc does not know.", {
    hint: "Use the version of svc that created it, or restore it from a backup.",
  });
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (cause) {
    throw damaged("The header of the credential store is damaged.", cause);
  }
}

const WRONG_KEY: Readonly<Record<KeySource["kind"], { detail: string; hint: string }>> = {
  file: {
    detail: "The data key file is not the one of this credential store.",
    hint: "Put the right one back.",
  },
  passphrase: {
    detail: "The passphrase is not the one of this credential store.",
    hint: "Set SERVICE_PASSPHRASE to the one it was created with.",
  },
  keychain: {
    detail: "The keychain holds another key than the one of this credential store.",
    hint: "Log in as the user who created the store.",
  },
};

/** For a key that was found but is not the store's. */
export function wrongKey({ kind }: KeySource): SvcError {
  const { detail, hint } = WRONG_KEY[kind];
  return new SvcError("CREDENTIAL_STORE", detail, { hint });
}
