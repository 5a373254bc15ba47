import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

import { SvcError } from "../base/errors.ts";

/** `key`: an API key for the REST search; `token`: an access token for MCP. */
export type CredentialKind = "key" | "token";

/** Name of a kind, to be used after "an", and its command group. */
export const KINDS: Readonly<Record<CredentialKind, { name: string; command: string }>> = {
  key: { name: "API key", command: "svc auth keys" },
  token: { name: "access token", command: "svc auth token" },
};

const PREFIXES: Readonly<Record<CredentialKind, string>> = { key: "svk_", token: "svt_" };
const ID_PREFIXES: Readonly<Record<CredentialKind, string>> = { key: "key_", token: "tok_" };

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PAYLOAD_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SECRET = /^sv[kt]_[0-9A-Za-z]{38}$/;

/** Command to run when there is no usable access token; the hint of most refusals. */
export const CREATE_TOKEN_HINT = "Run `svc auth token create --name NAME --save`.";
/** Command to run when there is no usable credential of the kind. */
export const CREATE_HINTS: Readonly<Record<CredentialKind, string>> = {
  token: CREATE_TOKEN_HINT,
  key: "Run `svc auth keys create --name NAME --namespace NAMESPACE`.",
};

/** Returns a new secret with 190.5 random bits: prefix, 32 random characters, 6 check characters. */
export function newSecret(kind: CredentialKind): string {
  return withChecksum(PREFIXES[kind] + randomBase62(PAYLOAD_LENGTH));
}

/** Returns a new public id: `key_` or `tok_` and 16 hexadecimal digits. It is not secret and safe to log. */
export function newId(kind: CredentialKind): string {
  return ID_PREFIXES[kind] + randomBytes(8).toString("hex");
}

/**
 * Returns the kind of a secret, judged only by its format. Throws CREDENTIAL_MALFORMED for a mistyped secret of svc
 * and UNAUTHENTICATED for any other text, with the command that creates one of the `wanted` kind.
 */
export function parseSecret(
  text: string,
  wanted: CredentialKind = "token",
): { readonly kind: CredentialKind } {
  const kind = kindOf(text);
  if (kind === undefined) {
    throw new SvcError("UNAUTHENTICATED", "This is not a credential of svc.", {
      hint: CREATE_HINTS[wanted],
    });
  }
  if (!SECRET.test(text) || withChecksum(text.slice(0, -CHECKSUM_LENGTH)) !== text) {
    throw new SvcError("CREDENTIAL_MALFORMED", "The credential is mistyped or cut short.", {
      hint: `Copy it again as one word of 42 characters. ${CREATE_HINTS[wanted].replace("Run", "If it is lost, run")}`,
    });
  }
  return { kind };
}

/** How secrets of svc begin: in any case, after quotes, and within other pasted text. */
const SECRET_LOOKALIKE = /^[^0-9a-z]*sv[kt]|[^0-9a-z]sv[kt](?:_|%5f)|sv[kt](?:_|%5f)[0-9a-z]{38}/i;
const WITHOUT_PREFIX = /^[0-9A-Za-z]{38}$/;

/**
 * Returns true for a secret of svc and for a text that may be a mistyped one, which must not be shown to anybody
 * else. A secret without its prefix is recognised by its check characters.
 */
export function looksLikeSecret(text: string): boolean {
  if (SECRET_LOOKALIKE.test(text)) return true;
  if (!WITHOUT_PREFIX.test(text)) return false;
  const whole = Object.values(PREFIXES).map((prefix) => prefix + text);
  return whole.some((secret) => withChecksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret);
}

/** Appends the check characters: CRC-32 of prefix and payload, so that the prefix cannot be exchanged. */
function withChecksum(text: string): string {
  let rest = crc32(text);
  let check = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    check = BASE62.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return text + check;
}

function kindOf(text: string): CredentialKind | undefined {
  if (text.startsWith(PREFIXES.key)) return "key";
  return text.startsWith(PREFIXES.token) ? "token" : undefined;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      // 248 is the largest multiple of 62 in a byte; larger values would favour the first characters.
      if (byte < 248) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
