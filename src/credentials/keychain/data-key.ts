// The data key that seals the store. Its provider is chosen once, when the store is created, and pinned in the
// header. If that provider is unavailable later, opening fails: svc never falls back to another one.
import { isAbsolute, resolve } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { createFileKey, defaultKeyFile, misplacedKeyHint, openFileKey } from "./data-key-file.ts";
import { createKeychainKey, type Keychain, openKeychainKey } from "./data-key-keychain.ts";
import {
  createPassphraseKey,
  openPassphraseKey,
  parsePassphraseParameters,
  type PassphraseParameters,
} from "./data-key-passphrase.ts";
import { damagedStore } from "../sealed/store-errors.ts";

/** The pinned provider, stored as plain text in the header of the store. */
export type KeySource =
  /** `path` is set where the user chose one; without it the key is in the default place, wherever that is. */
  | { readonly kind: "file"; readonly path?: string }
  | { readonly kind: "keychain"; readonly account: string }
  | ({ readonly kind: "passphrase" } & PassphraseParameters);

/** The user's choices for the data key, and the places it may be kept in. */
export interface DataKeyChoices {
  /**
   * Directory of the key file and the anchor. It is not the store's, so that a copy of one directory is not a copy
   * of both.
   */
  readonly keyDirectory: string;
  /** Path of a key file that the user chose explicitly. */
  readonly keyFile?: string | undefined;
  /** Passphrase that the user chose explicitly; empty means none. */
  readonly passphrase?: string | undefined;
  /** The system's keychain; undefined where it must not be used. */
  readonly keychain?: Keychain | undefined;
  /** Whether creating a store fails unless its key goes into the keychain. */
  readonly requireKeychain?: boolean | undefined;
}

/** Where to keep a new data key. */
export type KeyTarget =
  | { readonly kind: "file"; readonly path?: string | undefined }
  | { readonly kind: "passphrase"; readonly passphrase: string }
  | { readonly kind: "keychain" };

/** A newly created data key. */
export interface NewDataKey {
  /** 32 bytes. */
  readonly key: Buffer;
  readonly source: KeySource;
  /** Text to show to the user once. */
  readonly notice?: string;
}

/**
 * Creates a key in the explicitly chosen key file or passphrase, else in the keychain, else in a key file with a
 * notice.
 */
export async function createDataKey(choices: DataKeyChoices): Promise<NewDataKey> {
  const { keyFile, passphrase, keychain, requireKeychain = false } = choices;
  const explicit = keyFile ?? (passphrase === "" ? undefined : passphrase);
  if (requireKeychain && explicit !== undefined) throw contradicted();
  if (keyFile !== undefined) return createKeyAt({ kind: "file" }, choices);
  if (explicit !== undefined)
    return createKeyAt({ kind: "passphrase", passphrase: explicit }, choices);
  let reason: unknown = "it was not tried";
  if (keychain !== undefined) {
    try {
      return await createKeyAt({ kind: "keychain" }, choices);
    } catch (error) {
      reason = error;
    }
  }
  if (requireKeychain) throw noKeychain(reason);
  return {
    ...(await createKeyAt({ kind: "file" }, choices)),
    notice:
      "The system's keychain is not used, so the key of the credential store is in a file that only you can read. " +
      "That protects copies and backups, but not against programs that you run. " +
      `(Keychain: ${reasonText(reason)}.)`,
  };
}

/** Creates a key in this place only. Throws the errors of that place. */
export async function createKeyAt(
  target: KeyTarget,
  { keyDirectory, keyFile, keychain }: DataKeyChoices,
): Promise<NewDataKey> {
  if (target.kind === "file") {
    const path = target.path ?? keyFile;
    if (path === undefined) {
      return { key: createFileKey(defaultKeyFile(keyDirectory)), source: { kind: "file" } };
    }
    return { key: createFileKey(resolve(path)), source: { kind: "file", path: resolve(path) } };
  }
  if (target.kind === "passphrase") {
    const { key, parameters } = await createPassphraseKey(target.passphrase);
    return { key, source: { kind: "passphrase", ...parameters } };
  }
  if (keychain === undefined) throw new Error("it was not tried");
  const { key, account } = await createKeychainKey(keychain);
  return { key, source: { kind: "keychain", account } };
}

/**
 * Removes from the keychain a key that is not needed, after a creation that lost a race or a migration that failed.
 */
export async function discardDataKey(source: KeySource, choices: DataKeyChoices): Promise<void> {
  // A key file stays: another process may already use the key in it.
  if (source.kind === "keychain") await choices.keychain?.remove(source.account);
}

/** Returns the key of an existing store. Throws CREDENTIAL_STORE when its pinned provider does not supply it. */
export async function openDataKey(source: KeySource, choices: DataKeyChoices): Promise<Buffer> {
  if (source.kind === "file") return openFileKey(keyFileLocation(source, choices));
  if (source.kind === "passphrase") return openPassphraseKey(source, choices.passphrase);
  return openKeychainKey(choices.keychain, source.account);
}

/** Returns where the user finds the key: a path, an account of the keychain, or the variable with the passphrase. */
export function keyLocation(source: KeySource, choices: DataKeyChoices): string {
  if (source.kind === "passphrase") return "SERVICE_PASSPHRASE";
  if (source.kind === "keychain") return source.account;
  const { chosen, pinned, directory } = keyFileLocation(source, choices);
  return chosen ?? pinned ?? defaultKeyFile(directory);
}

function keyFileLocation(
  { path }: KeySource & { readonly kind: "file" },
  { keyDirectory, keyFile }: DataKeyChoices,
): Parameters<typeof openFileKey>[0] {
  const chosen = keyFile === undefined ? undefined : resolve(keyFile);
  return { directory: keyDirectory, chosen, pinned: path };
}

/** Returns the error for a keychain that cannot keep the key, for this reason. */
export function noKeychain(reason: unknown): SvcError {
  return new SvcError(
    "CREDENTIAL_STORE",
    `The keychain of the system cannot keep the data key (${reasonText(reason)}).`,
    {
      hint:
        "Unlock it, or work inside the desktop session that has it, and try again; or omit " +
        "--require-keychain.",
      cause: reason,
    },
  );
}

function contradicted(): SvcError {
  return new SvcError(
    "USAGE",
    "--require-keychain contradicts the place chosen for the data key.",
    {
      hint: "Unset SERVICE_DATA_KEY_FILE and SERVICE_PASSPHRASE, or omit --require-keychain.",
    },
  );
}

function reasonText(reason: unknown): string {
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, "");
}

/**
 * Parses the pinned provider from the header. The store's MAC can be checked only with the key, so nothing in the
 * header is trusted before.
 */
export function parseKeySource(text: string): KeySource {
  const source = jsonObject(text);
  const { kind, account, path } = source;
  if (kind === "file" && path === undefined) return { kind };
  if (kind === "file" && typeof path === "string" && isAbsolute(path)) return { kind, path };
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
    throw damagedStore("The header of the credential store is damaged.", cause);
  }
}

const WRONG_KEY: Readonly<Record<KeySource["kind"], { detail: string; hint: string }>> = {
  file: {
    detail: "The data key file is not the one of this credential store.",
    hint: "Put the right file back.",
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

/** Returns the error for a key that was found but is not the store's. */
export function wrongKey(source: KeySource, choices: DataKeyChoices): SvcError {
  const { detail, hint } = WRONG_KEY[source.kind];
  const misplaced =
    source.kind === "file" ? misplacedKeyHint(keyFileLocation(source, choices)) : undefined;
  return new SvcError("CREDENTIAL_STORE", detail, { hint: misplaced ?? hint });
}
