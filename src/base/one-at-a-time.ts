/**
 * Returns a function for a timer: it starts the work, unless that of an earlier call still runs. Without this, work that
 * hangs would pile up. `work` must not reject.
 */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => (isRunning = false));
  };
}
