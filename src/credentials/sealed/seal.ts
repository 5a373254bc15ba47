import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** One key per use, all derived from the data key, so that none can replace another. */
export interface SubKeys {
  readonly enc: Buffer;
  readonly index: Buffer;
  readonly mac: Buffer;
  readonly audit: Buffer;
  /** Eight bytes that identify the data key and reveal nothing about it. They show when a key is the wrong one. */
  readonly keyId: Buffer;
}

/** Derives the sub-keys with HKDF-SHA-256. */
export function deriveKeys(dataKey: Uint8Array): SubKeys {
  const derive = (use: string, bytes = KEY_BYTES): Buffer =>
    Buffer.from(hkdfSync("sha256", dataKey, "", `svc/cred/v1/${use}`, bytes));
  return {
    enc: derive("enc"),
    index: derive("index"),
    mac: derive("mac"),
    audit: derive("audit"),
    keyId: derive("id", 8),
  };
}

/** Encrypts with AES-256-GCM. Returns IV, ciphertext and tag, concatenated; `aad` binds the value to its row. */
export function seal(
  key: Buffer,
  text: string,
  aad: string,
  iv: Buffer = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv("aes-256-gcm", keyObjectOf(key), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Returns the decrypted text. Throws when a bit of the value, the key or `aad` differs. */
export function unseal(key: Buffer, sealed: Uint8Array, aad: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error("The sealed value is cut short.");
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyObjectOf(key), iv, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  // Decoding as a stream keeps characters whole that span two pieces.
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8");
  return text + decipher.final("utf8");
}

/** Returns the additional authenticated data that binds a sealed value to its row. */
export function rowAad(id: string, kind: string): string {
  return `cred:${id}:${kind}`;
}

/**
 * Returns the index by which a row is found. It is keyed, so that nobody can test a guessed secret against the
 * file.
 */
export function blindIndex(key: Buffer, digest: Buffer): Buffer {
  return createHmac("sha256", keyObjectOf(key)).update(digest).digest().subarray(0, 16);
}

/** OpenSSL parses a raw key on every use, which costs more than the use. */
const KEY_OBJECTS = new WeakMap<Buffer, KeyObject>();

function keyObjectOf(key: Buffer): KeyObject {
  const known = KEY_OBJECTS.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  KEY_OBJECTS.set(key, made);
  return made;
}
