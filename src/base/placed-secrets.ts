// Finds secrets that only their context reveals: program arguments, environment variables, parts of connection
// strings, registry credentials.

import { isPlaceholder } from "./placeholders.ts";
import type { SecretSpan } from "./secret-patterns.ts";

interface Place {
  readonly kind: string;
  /** A plain text that the context contains. It is checked first, because most short texts contain none. */
  readonly sign: string;
  /** Plain texts, of which at least one must occur as well. */
  readonly hints?: readonly string[];
  /** The last group is the value, at the end of the match. Runs in linear time, as in secret-patterns.ts. */
  readonly pattern: RegExp;
  /** Whether a value that is not a placeholder is a secret. */
  readonly isSecret?: (value: string, match: RegExpExecArray) => boolean;
}

const PLACES: readonly Place[] = [
  {
    kind: "password",
    sign: "curl ",
    pattern:
      /\bcurl\b(?:[^\n|;]|\\\r?\n){0,300}?[ \t](?:-[A-Za-z]{0,6}u|--user|--proxy-user)[ =]{0,2}["']?[^\s:"'`$<>{}]{1,64}:([^\s"'`$<>{}]{3,128})/g,
  },
  {
    kind: "password",
    sign: "=",
    hints: ["WORD=", "WD=", "PASS="],
    pattern:
      /(?<![A-Za-z0-9_.$])(?:[A-Z][A-Z0-9]*_)*(?:PG|MYSQL|REDISCLI|SSH|DB)?(?:PASSWORD|PASSWD|PWD|PASS)=["']?([^\s"'`;&|<>(){}[\]$,\\]{6,128})/g,
    isSecret: hasLetterAndDigit,
  },
  {
    kind: "password",
    sign: "--",
    hints: ["--pass", "--token", "--secret", "--api"],
    pattern:
      /--(?:password|passwd|token|secret|api-?key)[= ]["']?([^\s"'`;&|<>(){}[\]$,\\]{6,128})/g,
    isSecret: hasLetterAndDigit,
  },
  {
    kind: "password",
    sign: ";",
    hints: ["word=", "wd=", "WORD=", "WD="],
    pattern:
      /(?<![A-Za-z0-9_])(?:password|pwd)[ \t]*=[ \t]*([^\s;"'`<>{}$%(][^;"'`\r\n<>{}]{3,127})(?=;|["'`])/gi,
    isSecret: (_value, { input, index }) => isInConnectionString(input, index),
  },
  {
    kind: "docker",
    sign: '"auth',
    pattern: /"auth\\{0,3}"[ \t]*:[ \t]*\\{0,3}"([A-Za-z0-9+/]{8,4096}={0,2})/g,
    isSecret: isUserAndPassword,
  },
  {
    kind: "sentry",
    sign: "://",
    pattern: /:\/\/([0-9a-f]{32})(?=@[\w.-]{1,256}\/[0-9])/g,
  },
];

/** Adds the spans of the values, without their context. */
export function addPlacedSecrets(found: SecretSpan[], text: string): void {
  for (const { kind, sign, hints, pattern, isSecret } of PLACES) {
    if (!text.includes(sign)) continue;
    if (hints?.some((hint) => text.includes(hint)) === false) continue;
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? "";
      if (isPlaceholder(value) || isSecret?.(value, match) === false) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - value.length, end, kind });
    }
  }
}

function hasLetterAndDigit(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value) && !/^[\w-]*\.[a-z]/i.test(value);
}

/** Characters before and after a password that are searched for the rest of its connection string. */
const STRING_LENGTH = 200;
const CONNECTION =
  /(?:server|data source|host|user id|uid|user|username|database|initial catalog|port)[ \t]{0,4}=/i;

function isInConnectionString(text: string, at: number): boolean {
  const start = Math.max(text.lastIndexOf("\n", at) + 1, at - STRING_LENGTH);
  const end = text.indexOf("\n", at);
  const line = text.slice(start, Math.min(end === -1 ? text.length : end, at + STRING_LENGTH));
  return line.includes(";") && CONNECTION.test(line);
}

/** Whether the value is a registry credential: base64 of a name, a colon and a password. */
function isUserAndPassword(value: string): boolean {
  const plain = Buffer.from(value, "base64").toString("latin1");
  const [, password] = /^[\x21-\x39\x3b-\x7e]+:([\x20-\x7e]{3,})$/.exec(plain) ?? [];
  return password !== undefined && !isPlaceholder(password);
}
