// Takes the secrets out of text that is shown to somebody who asked for something else. What stands in their
// place is as long, and on as many lines: places in the text stay true.

import { assignedSecrets } from "./assigned-secrets.ts";
import { TOKEN_FORMS, TOKEN_HINT } from "./secret-forms.ts";

/** A secret in a text, from `start` to before `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** What it is, in the mask: `[REDACTED:github]`. */
  readonly kind: string;
}

const FILL = "*";
/** No token is shorter than this run of its characters … */
const SHORTEST_RUN = 16;
/** … and begins at most so far before it, and has its next one at most so far behind. */
const HEAD_LENGTH = 64;
const TAIL_LENGTH = 256;
const GOES_ON = /[\w.+/=-]/;
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\w+/=\s\\"'`,:.()-])*)(-----END)?/g;
/** Of a key that was cut short: the lines that follow its first. */
const CUT_KEY = /^(?:[^\w+/=]{0,12}(?:\\[nr]){0,2}[\w+/=]{32,})+/;
const KEY_LINE = /[\w+/=]{24}/;
const URL_PASSWORD = /:\/\/[^\s/:@"'`<>]{0,256}:([^\s/@"'`<>]{4,256})@([\w.-]{0,256})/g;
/** Nobody has an account there (RFC 2606). */
const NOWHERE = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)\.?$/i;
/** What examples put where a password goes. */
const PLACEHOLDER =
  /^(?:[$%{[(*.:\\]|x{3,}$|(?:my|your|the|some|old|new|user|db|database|redis|proxy|secret|test|example)?[-_ ]?(?:pass(?:w(?:or)?d|wd)?|secret|token|redacted|credentials?|port|admin|postgres|root|guest|mysql|user|change[-_]?me)[0-9]?$)/i;

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
  if (text.length < SHORTEST_SECRET) return NONE;
  const found: SecretSpan[] = [];
  if (text.includes("PRIVATE KEY")) addPrivateKeys(found, text);
  if (text.includes("://")) addUrlPasswords(found, text);
  addTokens(found, text);
  found.push(...assignedSecrets(text));
  return found.length === 0 ? NONE : withoutOverlaps(found);
}

const NONE: readonly SecretSpan[] = [];
const SHORTEST_SECRET = 8;

function addPrivateKeys(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(PRIVATE_KEY)) {
    const [all, between = "", mark] = match;
    const body = mark === undefined ? (CUT_KEY.exec(between)?.[0] ?? "") : between;
    // Code names the first line of such a file, too.
    if (!KEY_LINE.test(body)) continue;
    const start = match.index + all.length - (mark?.length ?? 0) - between.length;
    found.push({ start, end: start + body.length, kind: "private-key" });
  }
}

function addUrlPasswords(found: SecretSpan[], text: string): void {
  for (const match of text.matchAll(URL_PASSWORD)) {
    const [all, password = "", host = ""] = match;
    if (PLACEHOLDER.test(password) || password.includes("${") || NOWHERE.test(host)) continue;
    const end = match.index + all.length - host.length - 1;
    found.push({ start: end - password.length, end, kind: "password" });
  }
}

/** Looks only where a long run of their characters is: every sixteenth character meets it. */
function addTokens(found: SecretSpan[], text: string): void {
  let window: Window | undefined;
  let at = SHORTEST_RUN - 1;
  while (at < text.length) {
    if (!isInToken(text, at)) {
      at += SHORTEST_RUN;
      continue;
    }
    const run = runAt(text, at);
    at = run.to + SHORTEST_RUN - 1;
    const near = { from: Math.max(0, run.from - HEAD_LENGTH), to: run.to + TAIL_LENGTH };
    const isLong = run.to - run.from >= SHORTEST_RUN;
    if (!isLong || !TOKEN_HINT.test(text.slice(near.from, run.to))) continue;
    // Windows that meet are one: no character is looked at twice, whatever the text.
    if (window !== undefined && near.from <= window.to) window.to = near.to;
    else {
      if (window !== undefined) addTokensIn(found, text, window);
      window = near;
    }
  }
  if (window !== undefined) addTokensIn(found, text, window);
}

interface Window {
  from: number;
  to: number;
}

function runAt(text: string, at: number): Window {
  let from = at;
  while (isInToken(text, from - 1)) from -= 1;
  let to = at + 1;
  while (isInToken(text, to)) to += 1;
  return { from, to };
}

function addTokensIn(found: SecretSpan[], text: string, { from, to }: Window): void {
  const near = text.slice(from, to);
  for (const { kind, whole } of TOKEN_FORMS) {
    for (const { 0: token, index } of near.matchAll(whole)) {
      const start = from + index;
      let end = start + token.length;
      // One that the window cuts goes on behind it.
      if (end === to) while (GOES_ON.test(text[end] ?? "")) end += 1;
      found.push({ start, end, kind });
    }
  }
}

function isInToken(text: string, at: number): boolean {
  return IN_TOKEN[text.charCodeAt(at)] === 1;
}

function withoutOverlaps(spans: SecretSpan[]): readonly SecretSpan[] {
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: SecretSpan[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    // One that begins within another and ends behind it: all of it is hidden.
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}

function maskOf(secret: string, kind: string): string {
  const fill = secret.replace(/[^\r\n]/g, FILL);
  const room = /[^\r\n]+/.exec(fill);
  if (room === null) return fill;
  const label = [`[REDACTED:${kind}]`, "[REDACTED]"].find(({ length }) => length <= room[0].length);
  if (label === undefined) return fill;
  return fill.slice(0, room.index) + label + fill.slice(room.index + label.length);
}
