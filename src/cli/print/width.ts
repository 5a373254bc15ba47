import { stripVTControlCharacters } from "node:util";

/** Created on first use: that takes 10 ms, and most starts measure no text. */
let segmenter: Intl.Segmenter | undefined;
/** East Asian wide and full-width blocks (Unicode TR 11), coarse on purpose: columns, not typesetting. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}]+$/u;

/** Width of the text in terminal cells; colours take none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[ -~]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes(plain)) width += cellsOf(segment);
  return width;
}

/** Cuts uncoloured text to `width` cells, with an ellipsis in the last one if text was cut. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const { segment } of graphemes(text)) {
    used += cellsOf(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Breaks a paragraph into lines of up to `width` cells; a longer word gets its own line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

function cellsOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}
