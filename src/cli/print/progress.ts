import { groupedDigits } from "../../base/grouped-digits.ts";
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
  /** Erases the line, so that the result takes its place. */
  readonly end: () => void;
}

const BAR_CELLS = 20;
/** Minimum time between two redraws; a terminal shows no more. */
const REDRAW_MS = 80;
/** Time before the line is drawn: shorter work, such as a check without changes, would only flicker. */
const DRAW_AFTER_MS = 250;
/** Time before a pace is shown: earlier it is a guess. */
const PACE_AFTER_MS = 1500;
/** Time between two lines of a log. */
const LOG_EVERY_MS = 5000;
const ERASE_LINE = "\r\u001b[2K";

/** One line on standard error, redrawn in place; if that is not a terminal, a line every few seconds. */
export function createProgress(io: Io, label: string, now: () => number = Date.now): ProgressLine {
  if (!io.errIsTerminal) return loggedProgress(io, label, now);
  const style = createStyle(io.errColor);
  const beganAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  let stage: Stage | undefined;
  return {
    update(step) {
      const time = now();
      stage = stageOf(step, stage, time);
      if (time - beganAt < DRAW_AFTER_MS || time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      isDrawn = true;
      const { bar, text } = describe(label, step, paceOf(step, stage, time));
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

/** For a log: nothing about work that takes no longer than a few seconds. */
function loggedProgress(io: Io, label: string, now: () => number): ProgressLine {
  let loggedAt = now();
  let stage: Stage | undefined;
  return {
    update(step) {
      const time = now();
      stage = stageOf(step, stage, time);
      if (time - loggedAt < LOG_EVERY_MS) return;
      loggedAt = time;
      io.err(`${describe(label, step, paceOf(step, stage, time)).text}\n`);
    },
    end: () => {},
  };
}

/** Where the current stage began; each stage has its own pace. */
interface Stage {
  readonly message: string | undefined;
  readonly done: number;
  readonly since: number;
}

function stageOf({ message, done }: Step, stage: Stage | undefined, time: number): Stage {
  const isSame = stage !== undefined && stage.message === message && done >= stage.done;
  return isSame ? stage : { message, done, since: time };
}

/** `  1,200/s, 14 s left`; empty while it is a guess. */
function paceOf({ done, total = 0 }: Step, stage: Stage, time: number): string {
  const elapsedMs = time - stage.since;
  const advanced = done - stage.done;
  if (elapsedMs < PACE_AFTER_MS || advanced <= 0) return "";
  const perSecond = (advanced * 1000) / elapsedMs;
  const rate = `  ${groupedDigits(Math.max(1, Math.round(perSecond)))}/s`;
  return total > done ? `${rate}, ${timeLeft((total - done) / perSecond)} left` : rate;
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function describe(
  label: string,
  { done, total, message }: Step,
  pace: string,
): { bar: string; text: string } {
  const tail = pace + (message === undefined ? "" : `  ${safeLine(message)}`);
  if (total === undefined || total <= 0) {
    return { bar: "", text: `${label} ${groupedDigits(done)}${tail}` };
  }
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_CELLS);
  const counts = `${groupedDigits(done)}/${groupedDigits(total)}`;
  return {
    bar: `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)} `,
    text: `${label} ${Math.floor(share * 100)}% ${counts}${tail}`,
  };
}
