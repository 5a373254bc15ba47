// Limits the work of the parser on one text. Work is counted, not timed, so the same text gives the same
// chunks on a busy machine.

/**
 * Cost of one report of the parser. A unit is about one microsecond on the machine where the weights were
 * measured (docs/decisions/0047).
 */
const STEPS_COST = 40;
/** Cost if the scanner read a piece to its end and asks for the next one. */
const NEXT_PIECE_COST = 125;
/** Cost if the scanner moved to another position. */
const OTHER_PIECE_COST = 4;

/**
 * Maximum units per text. The most expensive of 13,000 real files takes 170,000; a text that takes more than
 * the maximum triggers quadratic behaviour of a scanner.
 */
export const MAX_PARSE_UNITS = 3_000_000;

/**
 * Maximum CPU time of the thread per text, in milliseconds, independent of the units. It catches scanners
 * that look ahead within a piece, which units do not count. Real files and the slowest known hostile ones
 * stay far below.
 */
const MAX_CPU_MS = 20_000;
/** The CPU time is read once per this many reports of the parser, because reading it takes a microsecond. */
const REPORTS_PER_CLOCK_CHECK = 256;

/** Counts the work of the parser on one text. `limit` is in units. */
export class ParseBudget {
  readonly #limit: number;
  readonly #startedUs = cpuTimeUs();
  #spent = 0;
  #reports = 0;
  /** End of the last piece that the scanner got. */
  #pieceEnd = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if the text must be given up. */
  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }

  /** Called by the parser every hundred steps. Returns true to stop the parser. */
  countSteps(): boolean {
    this.#spent += STEPS_COST;
    this.#reports += 1;
    if (this.#reports % REPORTS_PER_CLOCK_CHECK === 0) this.#checkClock();
    return this.isSpent;
  }

  /** Called when the scanner gets `count` code units of the text at `index`. */
  countPiece(index: number, count: number): void {
    this.#spent += index === this.#pieceEnd ? NEXT_PIECE_COST : OTHER_PIECE_COST;
    this.#pieceEnd = index + count;
  }

  #checkClock(): void {
    if (cpuTimeUs() - this.#startedUs > MAX_CPU_MS * 1000) this.#spent = this.#limit;
  }
}

function cpuTimeUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
