import type { KeySource } from "../credentials/keychain/data-key.ts";

/** Names of the sources of the store's data key, for messages. */
export const DATA_KEY_LOCATIONS: Readonly<Record<KeySource["kind"], string>> = {
  file: "a key file",
  keychain: "the system keychain",
  passphrase: "a passphrase",
};
