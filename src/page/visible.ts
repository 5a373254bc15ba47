// File names and files may hold characters that cannot be seen and change how others are shown: those
// that turn the direction of text, and control characters. They are made visible.

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// oxlint-disable-next-line no-control-regex -- these are looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f]/gu;
const CONTROL_PICTURES = 0x2400;

export function visible(text: string): string {
  return text
    .replace(
      DIRECTIONS,
      (sign) => `⟨U+${codeOf(sign).toString(16).toUpperCase().padStart(4, "0")}⟩`,
    )
    .replace(CONTROLS, (sign) => String.fromCodePoint(CONTROL_PICTURES + codeOf(sign)));
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}
