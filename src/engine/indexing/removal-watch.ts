/**
 * Asks every `pollMs` milliseconds whether the namespace of a run was removed, and calls `onRemoved` once it was. Returns
 * a function that ends this: after it, `onRemoved` is not called any more, even if an answer was on its way. A failed
 * question counts as no.
 */
export function watchRemoval(
  isRemoved: () => Promise<boolean>,
  onRemoved: () => void,
  pollMs: number,
): () => void {
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const ask = async (): Promise<void> => {
    if (!(await isRemoved()) || isOver) return;
    stop();
    onRemoved();
  };
  const timer = setInterval(() => void ask().catch(() => undefined), pollMs);
  return stop;
}
