// Finds the encoding of text that is not UTF-8: the one that the file declares, or the one that its letters suggest.

import chardet from "chardet";

/** Editors and parsers look for a declaration at the beginning; Vim also looks at the end. */
const DECLARATION_BYTES = 2048;
/** As Emacs, Python, Vim, XML, HTML, CSS, gettext and LaTeX write it. */
const DECLARATION =
  /(?:coding|charset|\bfenc)\s*[:= ]\s*["']?(?<label>[A-Za-z][\w.:-]+)|\[(?<latex>\w+)\]\{inputenc\}/gi;
/** Names that the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels) does not have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
  eucjp: "euc-jp",
  euckr: "euc-kr",
};
/** Who declares ASCII and writes other bytes has not said what they are. UTF-16 has NUL, and nearly any bytes are UTF-16. */
const SAYS_NOTHING = /ascii|utf-?16|unicode|ucs-?2/;

/**
 * Detection reads no more than these bytes. With 32 KiB it takes four times as long, and none of 1,047 converted files is
 * decoded better; with 1 KiB one of them is decoded worse.
 */
const SAMPLE_BYTES = 1 << 11;
const WIDE: ReadonlySet<string> = new Set(["Big5", "EUC-JP", "EUC-KR", "GB18030", "Shift_JIS"]);
/**
 * Minimum confidence of chardet, out of 100. Text in one of these encodings has 90 or more from some ten characters on,
 * and other text at most 47.
 */
const MIN_WIDE_CONFIDENCE = 70;
/** With fewer than ten characters, chardet gives no result. Only Japanese has these letters. */
const HIRAGANA = /\p{Script=Hiragana}/gu;
const MIN_HIRAGANA_SHARE = 0.25;
const CYRILLIC: ReadonlySet<string> = new Set(["KOI8-R", "windows-1251"]);
/** Minimum confidence of chardet, out of 100. Text in one of these encodings has 24 or more. */
const MIN_CYRILLIC_CONFIDENCE = 20;
/** With fewer letters, the encoding cannot be recognized. */
const MIN_CYRILLIC_LETTERS = 5;
/** A file in a known encoding may have broken characters. */
const MAX_BROKEN_SHARE = 0.01;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/** Decodes `bytes` as the file itself says; undefined if it does not, or if they are not in that encoding. */
export function decodeAsDeclared(bytes: Buffer): string | undefined {
  const ends = [bytes.subarray(0, DECLARATION_BYTES), bytes.subarray(-DECLARATION_BYTES)];
  for (const { groups } of ends.join("\n").matchAll(DECLARATION)) {
    const label = (groups?.["label"] ?? groups?.["latex"] ?? "").toLowerCase();
    const text = SAYS_NOTHING.test(label) ? undefined : decodedAs(label, bytes, { fatal: true });
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Decodes Chinese, Japanese and Korean text in the encodings of East Asia, and Cyrillic text; undefined if `bytes`
 * are not clearly in one of them.
 */
export function decodeByLetters(bytes: Buffer): string | undefined {
  const lines = foreignLines(bytes);
  const wide = chardet.analyse(lines).find(({ name }) => WIDE.has(name));
  if (wide !== undefined && wide.confidence >= MIN_WIDE_CONFIDENCE)
    return decodedAs(wide.name, bytes);
  for (const name of ["Shift_JIS", "EUC-JP"])
    if (isJapanese(decodedAs(name, lines, { fatal: true }))) return decodedAs(name, bytes);
  // English words between Cyrillic ones would count for western languages.
  const words = withoutAscii(lines);
  const [letters] = chardet.analyse(words);
  return letters !== undefined &&
    words.filter((byte) => byte !== SPACE).length >= MIN_CYRILLIC_LETTERS &&
    CYRILLIC.has(letters.name) &&
    letters.confidence >= MIN_CYRILLIC_CONFIDENCE
    ? decodedAs(letters.name, bytes)
    : undefined;
}

function isJapanese(text = ""): boolean {
  const foreign = text.replaceAll(/\p{ASCII}/gu, "");
  const hiragana = foreign.match(HIRAGANA)?.length ?? 0;
  return hiragana > 0 && hiragana >= foreign.length * MIN_HIRAGANA_SHARE;
}

function decodedAs(label: string, bytes: Buffer, { fatal = false } = {}): string | undefined {
  const decoder = decoderOf(label, fatal);
  try {
    const text = decoder?.decode(bytes);
    if (text === undefined || fatal) return text;
    const broken = text.split("\uFFFD").length - 1;
    return broken < text.length * MAX_BROKEN_SHARE ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for an unknown encoding. */
function decoderOf(label: string, fatal: boolean): InstanceType<typeof TextDecoder> | undefined {
  const dashed = label.replaceAll("_", "-");
  for (const name of [label, dashed, OTHER_NAMES[dashed.replaceAll("-", "")]]) {
    try {
      if (name !== undefined) return new TextDecoder(name, { fatal });
    } catch {
      // Another name may be known.
    }
  }
  return undefined;
}

/** The first lines that have bytes from 0x80 on. */
function foreignLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** The bytes from 0x80 on, with a space for what is between them. */
function withoutAscii(bytes: Buffer): Buffer {
  const kept: number[] = [];
  for (const byte of bytes) {
    if (byte >= 0x80) kept.push(byte);
    else if (kept.at(-1) !== SPACE) kept.push(SPACE);
  }
  return Buffer.from(kept);
}
