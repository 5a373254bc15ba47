import type { Io } from "../io.ts";
import { safeLine } from "./safe-text.ts";
import { createStyle } from "./style.ts";
import { truncate } from "./width.ts";

interface Step {
  readonly done: number;
  /** Unknown while the work is still being counted. */
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface ProgressLine {
  readonly update: (step: Step) => void;
  /** Removes the line, so that the result stands where it was. */
  readonly end: () => void;
}

const BAR_CELLS = 20;
/** More often than this only costs: a terminal shows no more. */
const REDRAW_MS = 80;
const ERASE_LINE = "\r\u001b[2K";

/** One line on standard error that is drawn over itself; silent when that is no terminal. */
export function createProgress(io: Io, label: string, now: () => number = Date.now): ProgressLine {
  if (!io.errIsTerminal) return { update: () => {}, end: () => {} };
  const style = createStyle(io.errColour);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    update(step) {
      if (now() - drawnAt < REDRAW_MS) return;
      drawnAt = now();
      isDrawn = true;
      const { bar, text } = describe(label, step);
      // The last cell stays free: a full line would wrap and could not be erased.
      const room = io.columns - 1 - bar.length;
      io.err(`${ERASE_LINE}${style.cyan(bar)}${truncate(text, Math.max(1, room))}`);
    },
    end() {
      if (isDrawn) io.err(ERASE_LINE);
      isDrawn = false;
    },
  };
}

function describe(label: string, { done, total, message }: Step): { bar: string; text: string } {
  const tail = message === undefined ? "" : `  ${safeLine(message)}`;
  if (total === undefined || total <= 0) {
    return { bar: "", text: `${label} ${done.toLocaleString("en")}${tail}` };
  }
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_CELLS);
  const counts = `${done.toLocaleString("en")}/${total.toLocaleString("en")}`;
  return {
    bar: `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)} `,
    text: `${label} ${Math.floor(share * 100)}% ${counts}${tail}`,
  };
}
