// File names and files may contain invisible characters that hide text or change how it is shown: characters that
// turn the direction of text, zero-width characters and control characters. This code makes them visible.

const INVISIBLE =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
// oxlint-disable-next-line no-control-regex -- these are looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f]/gu;
const CONTROL_PICTURES = 0x2400;

/** Replaces invisible characters with ⟨U+XXXX⟩, and control characters with their pictures. */
export function makeVisible(text: string): string {
  return text
    .replace(INVISIBLE, (sign) => `⟨U+${codeOf(sign).toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replace(CONTROLS, (sign) => String.fromCodePoint(CONTROL_PICTURES + codeOf(sign)));
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}
