// Signs with a secret key of minisign, as `minisign -S` does. The key stays outside the repository.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const KEY_ID_BYTES = 8;
/** Before the id: algorithm, derivation of the key that encrypts, checksum; salt and limits of the derivation. */
const ID_AT = 2 + 2 + 2 + 32 + 8 + 8;
const SEED_AT = ID_AT + KEY_ID_BYTES;
const SEED_BYTES = 32;
const SECRET_KEY_BYTES = SEED_AT + 64 + 32;
const NOT_ENCRYPTED = "\0\0";
/** The DER prefix of a private key, before its 32 bytes. */
const ED25519_DER = Buffer.from("302e020100300506032b657004220420", "hex");

/** The text of a `.minisig` file. Throws for a key that it cannot use. */
export function signature(message: Uint8Array, secretKey: string, comment: string): string {
  const bytes = Buffer.from(secretKey.trim().split(/\r?\n/).at(-1) ?? "", "base64");
  if (bytes.length !== SECRET_KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error("it is not a secret key of minisign");
  if (bytes.toString("latin1", 2, 4) !== NOT_ENCRYPTED)
    throw new Error(
      "it has a password, which a release cannot enter: make one with `minisign -G -W`, and keep it on an encrypted disk",
    );
  const id = bytes.subarray(ID_AT, SEED_AT);
  const seed = bytes.subarray(SEED_AT, SEED_AT + SEED_BYTES);
  const der = Buffer.concat([ED25519_DER, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const derived = createPublicKey(key)
    .export({ format: "der", type: "spki" })
    .subarray(-SEED_BYTES);
  if (!derived.equals(bytes.subarray(SEED_AT + SEED_BYTES, SEED_AT + 2 * SEED_BYTES)))
    throw new Error("it is damaged: its halves do not fit");
  const signed = sign(null, createHash("blake2b512").update(message).digest(), key);
  const whole = sign(null, Buffer.concat([signed, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature of a release of svc",
    Buffer.concat([Buffer.from("ED"), id, signed]).toString("base64"),
    `trusted comment: ${comment}`,
    whole.toString("base64"),
    "",
  ].join("\n");
}

/** Writes `FILE.minisig`. */
export function signFile(file: string, keyFile: string, comment: string): void {
  let text: string;
  try {
    text = signature(readFileSync(file), readFileSync(keyFile, "utf8"), comment);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot sign with ${keyFile}: ${reason}`, { cause: error });
  }
  writeFileSync(`${file}.minisig`, text);
}
