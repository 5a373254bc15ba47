// Keeps the memory of a long-running program near what it needs.

import { forgetAll } from "./at-rest.ts";

/** How often it checks whether the program rests. */
const CHECK_MS = 5000;
/** Processor time of a check below which the program rests. */
const REST_CPU_MS = 60;
/** Processor time since the last collection that is worth another one, which takes some 150 ms. */
const WORTH_CPU_MS = 1000;

/**
 * How far V8 lets the old objects grow before it collects garbage, in percent of what is in use. By default, it lets a
 * small heap grow to four times that.
 */
const GROWING_PERCENT = 50;

/**
 * What one half of the space for new objects may hold: V8 uses one half at a time. It begins with 1 MB, in which it collects
 * garbage ten times for a question. By default it doubles the space whenever many objects live on, up to 67 MB, which no
 * longer fit into the caches of the processor.
 */
const HALF_SPACE_MB = 4;
const NO_GROWTH = 1;
/** Objects that live on while the space grows: 60 KB each round. It grows once they are as large as it is. */
const OBJECTS_PER_ROUND = 1000;
const MAX_ROUNDS = 200;

type Collector = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void;

let collector: Collector | undefined;

/**
 * Limits what this process keeps of its memory until the signal aborts: V8 collects garbage earlier, and once the program
 * rests, caches are dropped and V8 gives back the memory for new objects. Only for programs that go on for long: V8
 * compiles what it loads of Node after that without its cache.
 */
export function keepHeapSmall(signal: AbortSignal): void {
  const rest = new RestDetector();
  let isLimited = false;
  const timer = setInterval(() => {
    if (!isLimited) {
      v8().setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
      isLimited = true;
    }
    const { user, system } = process.cpuUsage();
    if (rest.begins((user + system) / 1000)) {
      forgetAll();
      collectGarbage();
    }
    if (rest.isWorking) growNewSpace();
    else limitNewSpace(NO_GROWTH);
  }, CHECK_MS).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Notices when a program that has worked begins to rest. */
export class RestDetector {
  #last = 0;
  /** Whether the program worked before the last call. */
  isWorking = false;
  /** Processor time at the last rest. */
  #atRest = 0;

  /**
   * Whether the program rests since the last call, and has worked before it. `cpuMs`: processor time of the process so
   * far. The first call is never a rest.
   */
  begins(cpuMs: number): boolean {
    const isResting = this.#last > 0 && cpuMs - this.#last < REST_CPU_MS;
    this.isWorking = this.#last > 0 && !isResting;
    this.#last = cpuMs;
    if (!isResting || cpuMs - this.#atRest < WORTH_CPU_MS) return false;
    this.#atRest = cpuMs;
    return true;
  }
}

/**
 * Lets each half of the space for new objects grow to some HALF_SPACE_MB, and no further until the program has rested. V8
 * multiplies a half by a whole number, once as much as it holds has lived on.
 */
function growNewSpace(): void {
  const before = halfSpaceMb();
  const growth = Math.floor(HALF_SPACE_MB / before);
  if (growth > 1) {
    limitNewSpace(growth);
    const living: object[][] = [];
    // Threads that collect garbage may have added some pages: 1 MB more does not count as growth.
    while (living.length < MAX_ROUNDS && halfSpaceMb() <= before + 1)
      living.push(Array.from({ length: OBJECTS_PER_ROUND }, () => ({})));
  }
  limitNewSpace(NO_GROWTH);
}

function limitNewSpace(growth: number): void {
  v8().setFlagsFromString(`--semi-space-growth-factor=${growth}`);
}

/** In whole MB, at least 1. */
function halfSpaceMb(): number {
  const spaces = v8().getHeapSpaceStatistics();
  const found = spaces.find(({ space_name: name }) => name === "new_space");
  const bytes = (found?.space_used_size ?? 0) + (found?.space_available_size ?? 0);
  // V8 leaves some bytes of each page out.
  return Math.max(1, Math.round(bytes / 2 ** 20));
}

/** Collects all garbage of this thread, and gives the memory of new objects back to the system: some 50 to 150 ms. */
export function collectGarbage(): void {
  collector ??= newCollector();
  collector({ type: "major", flavor: "last-resort" });
}

/** Returns V8's function for it, which is only there while a flag is set. */
function newCollector(): Collector {
  v8().setFlagsFromString("--expose-gc");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- V8's extension gives the function this name
  const found = process.getBuiltinModule("node:vm").runInNewContext("gc") as Collector;
  v8().setFlagsFromString("--no-expose-gc");
  return found;
}

/** Not imported: a start of the program does without it. */
function v8() {
  return process.getBuiltinModule("node:v8");
}
