// The id of a commit as the path of a file in a segment. It is written in digits: more than eight of them are not a word
// (`isWordLength`), so the ids add no terms.

/** Digits of the largest id, by the length of an id in hexadecimal digits. */
const DIGITS: Readonly<Record<number, number>> = { 40: 49, 64: 78 };

export function pathOfId(id: string): string {
  return BigInt(`0x${id}`)
    .toString()
    .padStart(DIGITS[id.length] ?? 0, "0");
}

export function idInPath(path: string): string {
  const length = path.length === DIGITS[40] ? 40 : 64;
  return BigInt(path).toString(16).padStart(length, "0");
}
