// Which fonts have characters of one width. pdf.js does not give the names of fonts with a text, and many makers of PDFs
// do not mark such fonts or mark others, so the widths of the words decide where there are enough of them.

import type { PdfLine, PdfPiece } from "./pdf-lines.ts";

interface Widths {
  least: number;
  most: number;
  samples: number;
  hasNarrow: boolean;
  hasWide: boolean;
}

const MIN_SAMPLES = 3;
/** Widths are rounded by the makers of PDFs. */
const TOLERANCE = 1.02;

export class FontWidths {
  readonly #fonts = new Map<string, Widths>();
  readonly #marked = new Set<string>();

  /** Adds fonts of which the document says that they are such fonts. */
  mark(fonts: ReadonlySet<string>): void {
    for (const font of fonts) this.#marked.add(font);
  }

  /** Counts the words of a line. */
  add({ pieces }: PdfLine): void {
    for (const piece of pieces) {
      // Spaces have any width in justified text.
      if (piece.text.length < 3 || !/^[!-~]+$/.test(piece.text)) continue;
      this.#addPiece(piece);
    }
  }

  /** Whether all characters of the font have the same width. */
  isFixed(font: string): boolean {
    const widths = this.#fonts.get(font);
    if (widths === undefined || widths.samples < MIN_SAMPLES || !widths.hasNarrow)
      return this.#marked.has(font);
    if (!widths.hasWide) return this.#marked.has(font);
    return widths.most <= widths.least * TOLERANCE;
  }

  #addPiece({ text, font, width, size }: PdfPiece): void {
    const one = width / text.length / (size || 1);
    const widths = this.#fonts.get(font) ?? {
      least: one,
      most: one,
      samples: 0,
      hasNarrow: false,
      hasWide: false,
    };
    widths.least = Math.min(widths.least, one);
    widths.most = Math.max(widths.most, one);
    widths.samples += 1;
    widths.hasNarrow ||= /[iljtfr.,:;'|!]/.test(text);
    widths.hasWide ||= /[mwMWABCDGHNOQ]/.test(text);
    this.#fonts.set(font, widths);
  }
}
