import { groupedDigits } from "../../base/grouped-digits.ts";
import type { IndexProgress } from "../../engine/api/index-report.ts";
import type { Io } from "../io.ts";
import { createStyle } from "./style.ts";
import { truncate } from "./width.ts";

interface Step {
  /** What is being done, such as "Reading files". */
  readonly phase: string;
  /** Undefined in a phase without a count. */
  readonly done?: number | undefined;
  /** Unknown while the work is still being counted. */
  readonly total?: number | undefined;
}

interface ProgressLine {
  readonly update: (step: Step) => void;
  /** Erases the line, so that the result takes its place. */
  readonly end: () => void;
}

/** Shows the progress of an indexing run. */
interface RunProgress extends Pick<ProgressLine, "end"> {
  readonly update: (progress: IndexProgress) => void;
  /** Counts bytes of the index of a server. */
  readonly fetched: (bytes: number, total: number) => void;
  /** Counts packages that the project depends on. */
  readonly dependencies: (progress: Pick<IndexProgress, "done" | "total">) => void;
}

const PHASES: Readonly<Record<IndexProgress["stage"], string>> = {
  fetch: "Fetching objects",
  checkout: "Checking out files",
  list: "Listing files",
  words: "Reading files",
  syntax: "Parsing files",
  documents: "Reading documents",
};

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

/** Shows the phases of an indexing run as a line of progress. */
export function createRunProgress(io: Io): RunProgress {
  const line = createProgress(io);
  return {
    update({ stage, done, total }) {
      const isRead =
        stage !== "fetch" && stage !== "checkout" && stage !== "list" && total > 0 && done >= total;
      if (isRead) line.update({ phase: "Writing the index" });
      else line.update({ phase: PHASES[stage], done, total });
    },
    fetched: (bytes, total) =>
      line.update({
        phase: "Fetching kilobytes of the index",
        done: bytes >> 10,
        total: total >> 10,
      }),
    dependencies: ({ done, total }) => line.update({ phase: "Indexing dependencies", done, total }),
    end: line.end,
  };
}

/** One line on standard error, redrawn in place; if that is not a terminal, a line every few seconds. */
export function createProgress(io: Io, now: () => number = Date.now): ProgressLine {
  if (!io.errIsTerminal) return loggedProgress(io, now);
  const style = createStyle(io.errColor);
  const beganAt = now();
  let drawn: { readonly phase: string; readonly at: number } | undefined;
  let stage: Stage | undefined;
  return {
    update(step) {
      const time = now();
      stage = stageOf(step, stage, time);
      const isRecent = drawn?.phase === step.phase && time - drawn.at < REDRAW_MS;
      if (time - beganAt < DRAW_AFTER_MS || isRecent) return;
      drawn = { phase: step.phase, at: time };
      const { bar, text } = describe(step, paceOf(step, stage, time));
      // The last cell stays free: a full line would wrap and could not be erased.
      const room = io.columns - 1 - bar.length;
      io.err(`${ERASE_LINE}${style.cyan(bar)}${truncate(text, Math.max(1, room))}`);
    },
    end() {
      if (drawn !== undefined) io.err(ERASE_LINE);
      drawn = undefined;
    },
  };
}

/** For a log: nothing about work that takes no longer than a few seconds. */
function loggedProgress(io: Io, now: () => number): ProgressLine {
  let loggedAt = now();
  let stage: Stage | undefined;
  return {
    update(step) {
      const time = now();
      stage = stageOf(step, stage, time);
      if (time - loggedAt < LOG_EVERY_MS) return;
      loggedAt = time;
      io.err(`${describe(step, paceOf(step, stage, time)).text}\n`);
    },
    end: () => {},
  };
}

/** Where the current stage began; each stage has its own pace. */
interface Stage {
  readonly phase: string;
  readonly done: number;
  readonly since: number;
}

function stageOf({ phase, done = 0 }: Step, stage: Stage | undefined, time: number): Stage {
  const isSame = stage !== undefined && stage.phase === phase && done >= stage.done;
  return isSame ? stage : { phase, done, since: time };
}

/** `  1,200/s, 14 s left`; empty while it is a guess. */
function paceOf({ done = 0, total = 0 }: Step, stage: Stage, time: number): string {
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
  { phase, done, total = 0 }: Step,
  pace: string,
): { readonly bar: string; readonly text: string } {
  if (done === undefined) return { bar: "", text: phase };
  if (total <= 0) return { bar: "", text: `${phase} ${groupedDigits(done)}${pace}` };
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_CELLS);
  const counts = `${groupedDigits(done)}/${groupedDigits(total)}`;
  return {
    bar: `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)} `,
    text: `${phase} ${Math.floor(share * 100)}% ${counts}${pace}`,
  };
}
