// One number about one tree, and its reference.
import { median } from "../report.ts";

/** The work that a figure may grow with: the files, the text, the chunks, or nothing. */
export type Work = "files" | "text" | "chunks" | "nothing";

export interface Figure {
  readonly name: string;
  /** The reference figure for this one: a peer, not svc. */
  readonly peerOf?: string | undefined;
  readonly unit: string;
  /** Undefined if this system, or this tree, cannot provide it. */
  readonly value: number | undefined;
  readonly work: Work;
  /** True for a speed: then growth is good. */
  readonly isBetterHigher?: boolean | undefined;
  /** The target of the product, in words. */
  readonly target?: string | undefined;
  /** The value as a multiple of that of a peer, measured in the same run. */
  readonly ratio?: { readonly value: number; readonly to: string } | undefined;
}

type Details = Pick<Figure, "unit" | "work" | "target" | "isBetterHigher">;

/** The median of the samples. */
export function figure(name: string, samples: readonly number[], details: Details): Figure {
  return { name, value: samples.length === 0 ? undefined : median(samples), ...details };
}

/** The value that 95 of 100 samples do not exceed. */
export function figure95(name: string, samples: readonly number[], details: Details): Figure {
  return { name, value: nearestRank(samples, 0.95), ...details };
}

/** A peer: it grows with the same work, and has no target. */
export function peer(name: string, samples: readonly number[], of: Figure): Figure {
  const { unit, work } = of;
  return { ...figure(name, samples, { unit, work }), peerOf: of.name };
}

/** The figure as a multiple of another. */
export function comparedWith(one: Figure, other: Figure): Figure {
  if (one.value === undefined || other.value === undefined) return one;
  return { ...one, ratio: { value: one.value / other.value, to: other.name } };
}

/** By the nearest rank, so that it is a measured value. */
function nearestRank(samples: readonly number[], share: number): number | undefined {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/**
 * Repeats a measurement that may take long: `times` rounds, or fewer if they would take longer than `withinMs`, but at
 * least one.
 */
export async function repeated<T>(
  { times, withinMs }: { readonly times: number; readonly withinMs: number },
  run: () => Promise<T> | T,
): Promise<readonly T[]> {
  const results: T[] = [];
  const from = performance.now();
  while (results.length < times) {
    results.push(await run());
    const spentMs = performance.now() - from;
    if (spentMs * (1 + 1 / results.length) > withinMs) break;
  }
  return results;
}
