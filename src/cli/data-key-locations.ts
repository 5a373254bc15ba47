import type { KeySource } from "../credentials/data-key.ts";

/** Where the data key of the store comes from, in words. */
export const DATA_KEY_LOCATIONS: Readonly<Record<KeySource["kind"], string>> = {
  file: "a key file",
  keychain: "the system's keychain",
  passphrase: "a passphrase",
};
