// One computation a pass of the event loop. Work that never waits for the disk goes from one promise to the next without
// leaving the pass: of 64 calls that were begun together, the last one's end was the first moment at which a signal, a
// cancellation or the end of input was read.

/** While others compute, another one begins this often: a long computation does not keep short ones waiting. */
const START_INTERVAL_MS = 100;

/** Computations that have not begun, and those that have and are to go on. */
const starting: (() => void)[] = [];
const resuming: (() => void)[] = [];
/** Whether a computation has begun in this pass, or others are in line. */
let isTaken = false;
/** When the latest one began, on the clock of `performance.now`. */
let lastStart = -Infinity;

/** Resolves when the caller may begin to compute: at once where nobody else is in line. */
export function nextTurn(): Promise<void> {
  if (isTaken) return inLine(starting);
  lastStart = performance.now();
  take();
  return Promise.resolve();
}

/** Resolves in a later pass of the event loop, when the caller may go on. */
export function yieldTurn(): Promise<void> {
  return inLine(resuming);
}

function inLine(line: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve);
    if (!isTaken) take();
  });
}

function take(): void {
  isTaken = true;
  setImmediate(passOn);
}

/** What has begun goes on before others begin, so that those in line are done one after the other. */
function passOn(): void {
  const now = performance.now();
  const mayStart = resuming.length === 0 || now - lastStart >= START_INTERVAL_MS;
  const isStart = mayStart && starting.length > 0;
  const next = isStart ? starting.shift() : resuming.shift();
  if (next === undefined) {
    isTaken = false;
    return;
  }
  if (isStart) lastStart = now;
  next();
  setImmediate(passOn);
}
