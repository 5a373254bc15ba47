// How much work the parser may spend on one text. Work is counted, not timed: the same text gives the same chunks,
// however busy the machine is.

/** One unit is about a microsecond on the machine where the weights were measured (docs/decisions/0047). */
const STEPS_COST = 40;
/** The scanner read a piece to its end and asks for the next one. */
const NEXT_PIECE_COST = 125;
/** It went to another place. */
const OTHER_PIECE_COST = 4;

/**
 * The costliest of 13,000 real files takes 170,000 units; what takes more than this has hit a quadratic case of a
 * scanner.
 */
export const MAX_PARSE_UNITS = 3_000_000;

/**
 * Milliseconds of the thread's CPU time after which a text is given up, whatever was counted. A scanner that looks
 * ahead within a piece is not seen; real files and the slowest hostile ones known stay far below.
 */
const MAX_CPU_MS = 20_000;
/** The CPU time is asked for once in so many reports of the parser: that takes a microsecond. */
const REPORTS_PER_CLOCK_CHECK = 256;

export class ParseBudget {
  readonly #limit: number;
  readonly #startedUs = cpuTimeUs();
  #spent = 0;
  #reports = 0;
  /** Where the last piece that was given ends. */
  #pieceEnd = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }

  /** The parser reports every hundred steps. True ends it. */
  countSteps(): boolean {
    this.#spent += STEPS_COST;
    this.#reports += 1;
    if (this.#reports % REPORTS_PER_CLOCK_CHECK === 0) this.#checkClock();
    return this.isSpent;
  }

  /** The scanner was given `count` units of the text from `index` on. */
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
