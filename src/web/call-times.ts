// The times of calls in numbers and words, for the plot of the admin's view.

/** A call; `at` in milliseconds since 1970. */
export interface PlottedCall {
  readonly at: number;
  readonly ms: number;
  readonly tool: string;
  readonly outcome: string;
}

/** A run that changed an index. */
export interface PlottedRun {
  readonly at: number;
  readonly namespace: string;
  readonly generation: number;
}

/** Where the vertical axis of the plot begins and ends. */
export const AXIS_BOTTOM = 192;
export const AXIS_TOP = 12;
const MAX_MS = 30_000;

/** A summary for people who do not see the plot. */
export function plotLabel(calls: readonly PlottedCall[], runs: number): string {
  const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const failed = calls.filter(({ outcome }) => outcome !== "ok").length;
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  const changes = runs === 1 ? "1 change of an index" : `${runs} changes of indexes`;
  if (times.length === 0) return `No calls yet; ${changes}.`;
  return `${times.length} calls, ${failed} of them failed: half took up to ${at(0.5)} ms, 95 of 100 up to ${at(0.95)} ms; ${changes}.`;
}

/** The height of a time on the logarithmic axis. */
export function heightOf(ms: number): number {
  const share = Math.log(Math.min(MAX_MS, Math.max(1, ms))) / Math.log(MAX_MS);
  return Math.round((AXIS_BOTTOM - share * (AXIS_BOTTOM - AXIS_TOP)) * 10) / 10;
}
