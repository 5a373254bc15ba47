import { randomBytes, scrypt } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import { KEY_BYTES } from "../sealed/seal.ts";

/** Stored with the credential store, so that later versions may choose stronger parameters for new stores. */
export interface PassphraseParameters {
  readonly kdf: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** Hexadecimal. */
  readonly salt: string;
}

// Cost: 128 MiB and about 0.7 s, once per process.
const CURRENT = { kdf: "scrypt", cost: 2 ** 17, blockSize: 8, parallelization: 1 } as const;

/** Derives a new key from the passphrase with a random salt. */
export async function createPassphraseKey(
  passphrase: string,
): Promise<{ readonly key: Buffer; readonly parameters: PassphraseParameters }> {
  const parameters = { ...CURRENT, salt: randomBytes(16).toString("hex") };
  return { key: await derivePassphraseKey(passphrase, parameters), parameters };
}

/** Derives the key of an existing store. Throws CREDENTIAL_STORE when there is no passphrase. */
export async function openPassphraseKey(
  parameters: PassphraseParameters,
  passphrase: string | undefined,
): Promise<Buffer> {
  if (passphrase === undefined || passphrase === "") {
    throw new SvcError("CREDENTIAL_STORE", "The credential store is sealed with a passphrase.", {
      hint: "Set SERVICE_PASSPHRASE.",
    });
  }
  return derivePassphraseKey(passphrase, parameters);
}

/**
 * Returns undefined unless the parameters equal svc's own: an altered header must not cost gigabytes or weaken the
 * key.
 */
export function parsePassphraseParameters(
  source: Readonly<Record<string, unknown>>,
): PassphraseParameters | undefined {
  const { salt } = source;
  const isCurrent = Object.entries(CURRENT).every(([name, value]) => source[name] === value);
  if (!isCurrent || typeof salt !== "string" || !/^[0-9a-f]{32}$/.test(salt)) return undefined;
  return { ...CURRENT, salt };
}

/** Derives the key with scrypt (RFC 7914). Exported for the RFC's test vector. */
export function derivePassphraseKey(
  passphrase: string,
  { cost, blockSize, parallelization, salt }: PassphraseParameters,
): Promise<Buffer> {
  // The same text can be typed as different code points; NFC makes them the same key.
  const text = passphrase.normalize("NFC");
  const options = { cost, blockSize, parallelization, maxmem: 256 * 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(text, Buffer.from(salt, "hex"), KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
