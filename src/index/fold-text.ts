// The case folding of the trigram index. Texts and queries are folded by the same rule, so that no literal is
// missed. Verification against the file removes false matches.

/**
 * Folds ASCII letters to lower case, and the two characters beyond ASCII that match an ASCII letter when RE2
 * ignores case: the Kelvin sign (k) and the long s (s). Other letters stay unchanged.
 */
export function foldText(text: string): string {
  return text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll("\u212a", "k")
    .replaceAll("\u017f", "s");
}

const KELVIN_SIGN = Buffer.from("\u212a");
const LONG_S = Buffer.from("\u017f");

/** Replaces Kelvin signs and long s in UTF-8; returns the same bytes if there are none. */
export function withAsciiLetters(bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Both begin with a byte that is rare in most texts, so the search takes almost no time.
  if (!view.includes(KELVIN_SIGN) && !view.includes(LONG_S)) return bytes;
  return Buffer.from(
    view
      .toString("latin1")
      .replaceAll(KELVIN_SIGN.toString("latin1"), "k")
      .replaceAll(LONG_S.toString("latin1"), "s"),
    "latin1",
  );
}
