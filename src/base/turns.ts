// One computation a pass of the event loop. Work that never waits for the disk goes from one promise to the next without
// leaving the pass: of 64 calls that were begun together, the last one's end was the first moment at which a signal, a
// cancellation or the end of input was read.

const waiting: (() => void)[] = [];
/** Whether a computation has begun in this pass, or others are in line. */
let isTaken = false;

/** Resolves when the caller may compute: at once where nobody else has begun in this pass of the event loop. */
export function nextTurn(): Promise<void> {
  if (isTaken) return yieldTurn();
  take();
  return Promise.resolve();
}

/** Resolves in a later pass of the event loop, after all who are in line. */
export function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isTaken) take();
  });
}

function take(): void {
  isTaken = true;
  setImmediate(passOn);
}

function passOn(): void {
  const next = waiting.shift();
  if (next === undefined) {
    isTaken = false;
    return;
  }
  next();
  setImmediate(passOn);
}
