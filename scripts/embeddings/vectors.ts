// Arithmetic on rows of numbers, which is all that the training of the table needs.

/** Rows of equal length in one piece of memory. */
export interface Matrix {
  readonly values: Float32Array;
  /** Views of `values`. */
  readonly rows: readonly Float32Array[];
  /** Length of a row. */
  readonly columns: number;
}

export function zeros(count: number, columns: number): Matrix {
  const values = new Float32Array(count * columns);
  const rows = Array.from({ length: count }, (_, row) =>
    values.subarray(row * columns, (row + 1) * columns),
  );
  return { values, rows, columns };
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Adds `factor` times `row` to `to`. */
export function addScaled(to: Float32Array, row: Float32Array, factor: number): void {
  for (let at = 0; at < to.length; at += 1) to[at] = (to[at] ?? 0) + factor * (row[at] ?? 0);
}

export function scale(row: Float32Array, factor: number): void {
  for (let at = 0; at < row.length; at += 1) row[at] = (row[at] ?? 0) * factor;
}

/** Divides a row by its length, which it returns. */
export function normalize(row: Float32Array): number {
  const length = Math.sqrt(dot(row, row) + 1e-12);
  scale(row, 1 / length);
  return length;
}

// The next two process rows four at a time: shared values are then loaded or stored a quarter as often,
// and the processor has four sums to work on at once.

/** The products of `row` with each of `others`. */
export function dots(row: Float32Array, others: readonly Float32Array[], into: Float32Array): void {
  for (let at = 0; at < others.length; at += 4) {
    fourDots(row, others.slice(at, at + 4), into.subarray(at));
  }
}

/** Positions missing in `into` are not written. */
function fourDots(
  row: Float32Array,
  [first = row, second = row, third = row, fourth = row]: readonly Float32Array[],
  into: Float32Array,
): void {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at] ?? 0;
    sum0 += value * (first[at] ?? 0);
    sum1 += value * (second[at] ?? 0);
    sum2 += value * (third[at] ?? 0);
    sum3 += value * (fourth[at] ?? 0);
  }
  into[0] = sum0;
  into[1] = sum1;
  into[2] = sum2;
  into[3] = sum3;
}

/** Smaller gradients change nothing; late in the training most are. */
const NEGLIGIBLE = 1e-9;

/** The sum of `rows`, each times its weight. */
export function weightedSum(
  rows: readonly Float32Array[],
  weights: Float32Array,
  to: Float32Array,
): void {
  to.fill(0);
  const chosen: Float32Array[] = [];
  const chosenWeights: number[] = [];
  for (const [index, row] of rows.entries()) {
    const weight = weights[index] ?? 0;
    if (Math.abs(weight) < NEGLIGIBLE) continue;
    chosen.push(row);
    chosenWeights.push(weight);
  }
  for (let at = 0; at < chosen.length; at += 4) {
    addFour(to, chosen.slice(at, at + 4), chosenWeights.slice(at, at + 4));
  }
}

function addFour(
  to: Float32Array,
  [first = to, second = to, third = to, fourth = to]: readonly Float32Array[],
  [weight0 = 0, weight1 = 0, weight2 = 0, weight3 = 0]: readonly number[],
): void {
  for (let at = 0; at < to.length; at += 1) {
    to[at] =
      (to[at] ?? 0) +
      weight0 * (first[at] ?? 0) +
      weight1 * (second[at] ?? 0) +
      weight2 * (third[at] ?? 0) +
      weight3 * (fourth[at] ?? 0);
  }
}

/** Transposes a square matrix in place. */
export function transpose({ rows }: Matrix): void {
  for (const [index, row] of rows.entries()) {
    for (let at = index + 1; at < row.length; at += 1) {
      const mirrored = rows[at] ?? row;
      const kept = row[at] ?? 0;
      row[at] = mirrored[index] ?? 0;
      mirrored[index] = kept;
    }
  }
}
