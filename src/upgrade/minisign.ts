// Signatures in the format of minisign: Ed25519 over the BLAKE2b-512 of a file, with a comment that is signed too.
// https://jedisct1.github.io/minisign/#signature-format

import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

import { SvcError } from "../base/errors.ts";

export interface PublicKey {
  /** As minisign prints it: 16 hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
}

const KEY_ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Header of a public key in DER, before its 32 bytes. */
const ED25519_DER = Buffer.from("302a300506032b6570032100", "hex");
const PURE = "Ed";
const PREHASHED = "ED";
const TRUSTED = "trusted comment: ";

/** The key in the text of a `.pub` file, or in its second line alone; undefined if there is none. */
export function parsePublicKey(text: string): PublicKey | undefined {
  const bytes = Buffer.from(lastLine(text), "base64");
  if (bytes.length !== 2 + KEY_ID_BYTES + KEY_BYTES) return undefined;
  if (bytes.toString("latin1", 0, 2) !== PURE) return undefined;
  const der = Buffer.concat([ED25519_DER, bytes.subarray(2 + KEY_ID_BYTES)]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return { id: idOf(bytes), key };
}

/**
 * Returns the signed comment. `signature` is the text of a `.minisig` file. Throws UPGRADE_FAILED if the signature is not
 * one of this key over this message.
 */
export function verifySignature(
  message: Uint8Array,
  signature: string,
  { id, key }: PublicKey,
): string {
  const [, line = "", comment = "", last = ""] = signature.split(/\r?\n/);
  const bytes = Buffer.from(line, "base64");
  const algorithm = bytes.toString("latin1", 0, 2);
  const hasForm =
    bytes.length === 2 + KEY_ID_BYTES + SIGNATURE_BYTES &&
    [PURE, PREHASHED].includes(algorithm) &&
    comment.startsWith(TRUSTED);
  if (!hasForm) throw refused("is not a signature of minisign");
  if (idOf(bytes) !== id) throw refused(`was made with the key ${idOf(bytes)}, not with ${id}`);
  const signed = algorithm === PREHASHED ? blake2b(message) : message;
  const own = bytes.subarray(2 + KEY_ID_BYTES);
  if (!verify(null, signed, key, own)) throw refused("does not fit SHA256SUMS");
  const text = comment.slice(TRUSTED.length);
  const whole = Buffer.concat([own, Buffer.from(text)]);
  if (!verify(null, whole, key, Buffer.from(last, "base64")))
    throw refused("has a changed comment");
  return text;
}

function blake2b(bytes: Uint8Array): Buffer {
  return createHash("blake2b512").update(bytes).digest();
}

/** The bytes of the id are stored in reverse. */
function idOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(2, 2 + KEY_ID_BYTES))
    .toReversed()
    .reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "")
    .toUpperCase();
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/).at(-1) ?? "";
}

function refused(problem: string): SvcError {
  return new SvcError("UPGRADE_FAILED", `SHA256SUMS.minisig ${problem}.`, {
    hint: "Do not install this release: get it again from its publisher, and compare the public key.",
  });
}
