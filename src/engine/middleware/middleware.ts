/** A step around a call: it may change the call, its answer or its error, or answer by itself. */
export type Middleware<Call> = (
  call: Call,
  next: (call: Call) => Promise<object>,
) => Promise<object>;

/** Returns a function that passes a call through these steps in order, and then to `handler`. */
export function pipeline<Call>(
  steps: readonly Middleware<Call>[],
  handler: (call: Call) => Promise<object>,
): (call: Call) => Promise<object> {
  // oxlint-disable-next-line unicorn/no-array-reduce -- each step wraps the one after it
  return steps.reduceRight<typeof handler>((next, step) => (call) => step(call, next), handler);
}
