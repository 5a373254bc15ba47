// Runs one computation per pass of the event loop. Work that never waits for the disk goes from one promise to the next
// within a pass: without turns, 64 calls started together all ended before svc read a signal, a cancellation or the end
// of input.

/** How often a new computation starts while others run, so that a long computation does not delay short ones. */
const START_INTERVAL_MS = 100;

/** Computations that wait to start, and running ones that wait for their next turn. */
const starting: (() => void)[] = [];
const resuming: (() => void)[] = [];
/** True if a computation has started in this pass, or others are waiting. */
let isTaken = false;
/** Start of the latest one, as `performance.now()`. */
let lastStart = -Infinity;

/** Resolves when the caller may start to compute: at once if no other computation is waiting. */
export function nextTurn(): Promise<void> {
  if (isTaken) return inLine(starting);
  lastStart = performance.now();
  take();
  return Promise.resolve();
}

/** Resolves in a later pass of the event loop, when the caller may continue. */
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

/** Running computations come before new ones, so that they finish one after the other. */
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
