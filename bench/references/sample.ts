// Samples that are the same in every run.
import { seededRandom } from "../quality/random.ts";

/** A random order. */
export function shuffled<T>(values: readonly T[], seed: string): readonly T[] {
  const random = seededRandom(seed);
  const order = values.map((value) => ({ value, key: random() }));
  return order.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
}

/**
 * As many of each stratum as of the others, `count` in total; larger strata make up for small ones.
 * In the order in which they come in `values`.
 */
export function stratified<T>(
  values: readonly T[],
  stratumOf: (value: T) => string,
  { count, seed }: { readonly count: number; readonly seed: string },
): readonly T[] {
  const strata = [...Map.groupBy(values, stratumOf)].toSorted(
    ([, one], [, other]) => one.length - other.length,
  );
  const chosen = new Set<T>();
  for (const [at, [name, members]] of strata.entries()) {
    const share = Math.ceil((count - chosen.size) / (strata.length - at));
    for (const value of shuffled(members, `${seed}\0${name}`).slice(0, share)) chosen.add(value);
  }
  return values.filter((value) => chosen.has(value));
}
