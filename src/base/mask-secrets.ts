// Masks secrets in text that is shown for another purpose. A mask has the length and the line breaks of the
// secret, so offsets and line numbers stay valid.

import { findAssignedSecrets } from "./assigned-secrets.ts";
import { addPlacedSecrets } from "./placed-secrets.ts";
import { isPlaceholder } from "./placeholders.ts";
import { hintedForms, type SecretPattern, type SecretSpan } from "./secret-patterns.ts";

/**
 * The number of these rules, from 1 to 255. An index remembers by it that a file has no secret, so a change that may find
 * others raises it.
 */
export const SECRET_RULES = 1;

const FILL = "*";
/** Every token contains a run of token characters of at least this length. */
const MIN_TOKEN_LENGTH = 16;
/** A token begins up to 64 characters before that run and continues up to 256 characters after it. */
const MAX_HEAD_LENGTH = 64;
const MAX_TAIL_LENGTH = 256;
const TOKEN_CHARACTER = /[\w.+/=-]/;
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\w+/=\s\\"'`,:.()-])*)(-----END)?/g;
/** The body lines of a truncated key. */
const TRUNCATED_KEY = /^(?:[^\w+/=]{0,12}(?:\\[nr]){0,2}[\w+/=]{32,})+/;
const KEY_LINE = /[\w+/=]{24}/;
const URL_PASSWORD = /:\/\/[^\s/:@"'`<>[]{0,256}:([^\s/@"'`<>]{4,256})@([\w.-]{0,256})/g;
/** Reserved domains (RFC 2606), where no account exists. */
const RESERVED_DOMAIN = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)\.?$/i;

/** 1 at the character codes that tokens consist of. */
const IN_TOKEN = new Uint8Array(128);
for (const range of ["09", "AZ", "az", "__", "--"]) {
  IN_TOKEN.fill(1, range.charCodeAt(0), range.charCodeAt(1) + 1);
}

/** Returns the text with a mask in place of each secret. Length and line breaks stay the same. */
export function maskSecrets(text: string): string {
  const spans = findSecrets(text);
  if (spans.length === 0) return text;
  let masked = "";
  let from = 0;
  for (const { start, end, kind } of spans) {
    masked += text.slice(from, start) + maskOf(text.slice(start, end), kind);
    from = end;
  }
  return masked + text.slice(from);
}

/** Returns the secrets of a text in order, without overlaps. */
export function findSecrets(text: string): readonly SecretSpan[] {
  if (text.length < MIN_SECRET_LENGTH) return NONE;
  const found: SecretSpan[] = [];
  if (text.includes("PRIVATE KEY")) addPrivateKeys(found, text);
  if (text.includes("://")) addUrlPasswords(found, text);
  addPlacedSecrets(found, text);
  addTokens(found, text);
  found.push(...findAssignedSecrets(text));
  return found.length === 0 ? NONE : withoutOverlaps(found);
}

const NONE: readonly SecretSpan[] = [];
const MIN_SECRET_LENGTH = 8;

function addPrivateKeys(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(PRIVATE_KEY)) {
    const [all, between = "", mark] = match;
    const body = mark === undefined ? (TRUNCATED_KEY.exec(between)?.[0] ?? "") : between;
    // Source code may contain only the first line of such a file.
    if (!KEY_LINE.test(body)) continue;
    const start = match.index + all.length - (mark?.length ?? 0) - between.length;
    found.push({ start, end: start + body.length, kind: "private-key" });
  }
}

function addUrlPasswords(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(URL_PASSWORD)) {
    const [all, password = "", host = ""] = match;
    if (isPlaceholder(password) || RESERVED_DOMAIN.test(host)) continue;
    const end = match.index + all.length - host.length - 1;
    found.push({ start: end - password.length, end, kind: "password" });
  }
}

/** Searches only around long runs of token characters. Testing every sixteenth character finds every such run. */
function addTokens(found: SecretSpan[], text: string): void {
  let window: TokenRun | undefined;
  let searchedTo = 0;
  let at = MIN_TOKEN_LENGTH - 1;
  while (at < text.length) {
    if (!isInToken(text, at)) {
      at += MIN_TOKEN_LENGTH;
      continue;
    }
    const run = runAt(text, at);
    at = run.to + MIN_TOKEN_LENGTH - 1;
    if (run.to - run.from < MIN_TOKEN_LENGTH) continue;
    const from = Math.max(0, run.from - MAX_HEAD_LENGTH);
    const isMet = window !== undefined && from <= window.to;
    // The text searched for the previous run has no hint, unless it belongs to the open window.
    const forms = hintedForms(text, {
      from: isMet ? from : Math.max(from, searchedTo),
      to: run.to,
    });
    searchedTo = run.to;
    if (forms === undefined) continue;
    const to = run.to + MAX_TAIL_LENGTH;
    // Overlapping windows are merged, so no character is searched twice, whatever the text.
    if (window !== undefined && isMet) {
      window = { from: window.from, to, forms: new Set([...window.forms, ...forms]) };
    } else {
      if (window !== undefined) addTokensIn(found, text, window);
      window = { from, to, forms };
    }
  }
  if (window !== undefined) addTokensIn(found, text, window);
}

interface Run {
  readonly from: number;
  readonly to: number;
}

interface TokenRun extends Run {
  /** The patterns whose hints occur in the run. */
  readonly forms: ReadonlySet<SecretPattern>;
}

function runAt(text: string, at: number): Run {
  let from = at;
  while (isInToken(text, from - 1)) from -= 1;
  let to = at + 1;
  while (isInToken(text, to)) to += 1;
  return { from, to };
}

function addTokensIn(found: SecretSpan[], text: string, { from, to, forms }: TokenRun): void {
  const near = text.slice(from, to);
  for (const { kind, whole } of forms) {
    for (const { 0: token, index } of near.matchAll(whole)) {
      const start = from + index;
      let end = start + token.length;
      // A token that the window cuts continues after it.
      if (end === to) while (TOKEN_CHARACTER.test(text[end] ?? "")) end += 1;
      found.push({ start, end, kind });
    }
  }
}

function isInToken(text: string, at: number): boolean {
  return IN_TOKEN[text.charCodeAt(at)] === 1;
}

function withoutOverlaps(spans: SecretSpan[]): readonly SecretSpan[] {
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const result: SecretSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    // This span begins inside the previous one and ends after it: mask both.
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

function maskOf(secret: string, kind: string): string {
  const fill = secret.replace(/[^\r\n]/g, FILL);
  const room = /[^\r\n]+/.exec(fill);
  if (room === null) return fill;
  const label = [`[REDACTED:${kind}]`, "[REDACTED]"].find(({ length }) => length <= room[0].length);
  if (label === undefined) return fill;
  return fill.slice(0, room.index) + label + fill.slice(room.index + label.length);
}
