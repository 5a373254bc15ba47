// Finds secrets of no known form: random-looking values assigned to a name that suggests a secret.

import type { SecretSpan } from "./secret-patterns.ts";

/** A value after a colon, an equals sign or a tag. It must contain a digit, as random strings do. */
const VALUE =
  /[:=>][ \t]{0,4}(\\{0,3}["'`]?)(?=[A-Za-z+/_.~!@#$%^&*?-]{0,40}[0-9])([\w+/.~!@#$%^&*?-][\w+/.~!@#$%^&*?=-]{7,})/g;
const NEXT_PARAMETER = /&(?:amp;)?\w{1,64}=/;
/** `Bearer …`, `Basic …`: here the scheme takes the place of the name. */
const SCHEME =
  /\b(?:[Bb]earer|BEARER|[Bb]asic)[ \t]+(?=[A-Za-z+/._~-]{0,40}[0-9])([\w.~+/-]{16,}={0,2})/g;
/** A name with one of these endings names a secret. Case does not matter. */
const NAME =
  /(?:tokens?|secrets?|passw(?:or)?ds?|passphrase|passcode|pwd|credentials?|authorization|_auth|(?:api|access|private|secret|signing|encryption|account|client|auth|master|shared|storage|session|license|service|webhook|deploy|app|consumer|admin)[-_. ]?keys?|secret[-_. ]?(?:access[-_. ]?)?(?:key|id)|secret[-_.]?key[-_.]?base|(?:php|j|asp|asp.net_)?sess(?:ion)?[-_]?id|connect\.sid|cookie|[a-z]_session|(?:salt|pepper))$/i;
const PASSWORD_NAME = /(?:passw(?:or)?ds?|passphrase|pwd)$/i;
/** A name may begin up to this many characters before its value. */
const MAX_NAME_LENGTH = 48;
/**
 * The text between a name and its separator: quotes (also escaped ones, inside a string), brackets, a type
 * annotation.
 */
const AFTER_NAME = /[\\"'`\])?!]*[ \t]*(?:value|(?::[ \t]*(?:\w{1,12}[ \t]*)?)?={0,2})$/;

const MIN_RANDOM_LENGTH = 16;
/** Bits per character. Words have less; random letters and digits of that length have more. */
const MIN_ENTROPY_BITS = 2.8;
/**
 * Share of adjacent pairs whose kinds differ (lower case, upper case, digit). Random letters and digits have
 * 0.6, names 0.3.
 */
const MIN_MIXTURE_SHARE = 0.45;

/** Returns the spans of the values, without their names. */
export function findAssignedSecrets(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  addNamed(found, text);
  if (/[Bb]earer|BEARER|[Bb]asic/.test(text)) addSchemes(found, text);
  return found;
}

function addNamed(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(VALUE)) {
    const [, quote = "", matched = ""] = match;
    const before = text.slice(Math.max(0, match.index - MAX_NAME_LENGTH), match.index);
    const name = before.replace(AFTER_NAME, "");
    if (!NAME.test(name)) continue;
    // In a query string, the value ends where the next parameter begins.
    const value = matched.split(NEXT_PARAMETER, 1)[0] ?? "";
    const start = match.index + match[0].length - matched.length;
    const end = start + value.length;
    const next = text[end] ?? "";
    const isPassword = PASSWORD_NAME.test(name) && looksLikePassword(value, quote, next);
    if (!isPassword && (next === "(" || !looksRandom(value))) continue;
    const kind = isPassword ? "password" : "secret";
    found.push({ start, end, kind });
  }
}

function addSchemes(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(SCHEME)) {
    const value = match[1] ?? "";
    const end = match.index + match[0].length;
    if (looksRandom(value)) found.push({ start: end - value.length, end, kind: "secret" });
  }
}

/** Whether the value is a literal with at least three kinds of characters. */
function looksLikePassword(value: string, quote: string, next: string): boolean {
  if (/^[$%{[(*]/.test(value) || (quote !== "" && next !== quote[0])) return false;
  if (quote === "" && !/[!@#$%^&*?~+]/.test(value)) return false;
  return kindsIn(value) >= 3;
}

function kindsIn(value: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[^0-9A-Za-z]/].filter((kind) => kind.test(value)).length;
}

/** Whether letters and digits are mixed more than in words and paths. */
function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH || /^[$%{[(*.#]/.test(value)) return false;
  if (!/[A-Za-z]/.test(value)) return false;
  const parts = value.split(/[-_./+=!@#$%^&*?~]+/);
  // `user.token2`, `test-token-1`, `v2_refresh_token` are names with a number, not secrets.
  if (parts.every((part) => /^(?:[A-Za-z]*[0-9]{0,4}|[0-9]+[A-Za-z]{0,2})$/.test(part)))
    return false;
  const steps = value.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  const caseChanges = value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  const isMixed = steps >= 3 || steps + caseChanges >= MIN_MIXTURE_SHARE * value.length;
  return isMixed && entropyOf(value) >= MIN_ENTROPY_BITS;
}

/** The Shannon entropy of the value, in bits per character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
