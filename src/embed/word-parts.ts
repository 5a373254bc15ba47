const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return LOWER;
  return /[A-Z]/.test(character) ? UPPER : OTHER;
});

/**
 * Calls `emit` with the start and end of every part of `text`: `parseHTTPResponse2` has parse, HTTP,
 * Response. Parts of one character are skipped. The built-in table was trained on words split in this way, so
 * this function belongs to the table. It differs from parse/tokenizer.ts, which splits `2xx` and `IDs` in
 * other ways.
 */
export function scanParts(text: string, emit: (start: number, end: number) => void): void {
  const { length } = text;
  let start = 0;
  while (start < length) {
    const kind = kindAt(text, start);
    let end = start + 1;
    if (kind === OTHER) {
      start = end;
      continue;
    }
    end = runEnd(text, end, kind);
    if (kind === UPPER) {
      if (end === start + 1) end = runEnd(text, end, LOWER);
      // The last capital of "HTTPServer" begins the next part.
      else if (kindAt(text, end) === LOWER) end -= 1;
    }
    if (end - start > 1) emit(start, end);
    start = end;
  }
}

function runEnd(text: string, from: number, kind: number): number {
  let end = from;
  while (kindAt(text, end) === kind) end += 1;
  return end;
}

function kindAt(text: string, at: number): number {
  return at < text.length ? (KINDS[text.charCodeAt(at)] ?? OTHER) : OTHER;
}
