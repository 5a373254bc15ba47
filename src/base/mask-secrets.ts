// Takes the secrets out of text that is shown to somebody who asked for something else. What stands in their
// place is as long, and on as many lines: places in the text stay true.

import { findAssignedSecrets } from "./assigned-secrets.ts";
import { addPlacedSecrets } from "./placed-secrets.ts";
import { isPlaceholder } from "./placeholders.ts";
import { hintedForms, type SecretPattern } from "./secret-patterns.ts";

/** A secret in a text, from `start` to before `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What it is, in the mask: `[REDACTED:github]`. */
  readonly kind: string;
}

const FILL = "*";
/** No token is shorter than this run of its characters … */
const MIN_TOKEN_LENGTH = 16;
/** … and begins at most so far before it, and has its next one at most so far behind. */
const MAX_HEAD_LENGTH = 64;
const MAX_TAIL_LENGTH = 256;
const TOKEN_CHARACTER = /[\w.+/=-]/;
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\w+/=\s\\"'`,:.()-])*)(-----END)?/g;
/** Of a key that was cut short: the lines that follow its first. */
const TRUNCATED_KEY = /^(?:[^\w+/=]{0,12}(?:\\[nr]){0,2}[\w+/=]{32,})+/;
const KEY_LINE = /[\w+/=]{24}/;
const URL_PASSWORD = /:\/\/[^\s/:@"'`<>[]{0,256}:([^\s/@"'`<>]{4,256})@([\w.-]{0,256})/g;
/** Nobody has an account there (RFC 2606). */
const RESERVED_DOMAIN = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)\.?$/i;

/** Characters of tokens, by their code. */
const IN_TOKEN = new Uint8Array(128);
for (const range of ["09", "AZ", "az", "__", "--"]) {
  IN_TOKEN.fill(1, range.charCodeAt(0), range.charCodeAt(1) + 1);
}

/** The text with a mask in place of each secret: of the same length, with the same line ends. */
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

/** The secrets of a text in their order, none within another. */
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
    // Code names the first line of such a file, too.
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

/** Looks only where a long run of their characters is: every sixteenth character meets it. */
function addTokens(found: SecretSpan[], text: string): void {
  let window: TokenRun | undefined;
  let lookedTo = 0;
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
    // Outside of a window, what was looked through for the run before has no hint.
    const forms = hintedForms(text, { from: isMet ? from : Math.max(from, lookedTo), to: run.to });
    lookedTo = run.to;
    if (forms === undefined) continue;
    const to = run.to + MAX_TAIL_LENGTH;
    // Windows that meet are one: no character is looked at twice, whatever the text.
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
  /** Those that may be in it. */
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
      // One that the window cuts goes on behind it.
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
    // One that begins within another and ends behind it: all of it is hidden.
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
