// Logistic regression: Newton's method on standardized features, with a ridge.

/** An example: its features, its label and its weight. */
export interface LabelledExample {
  readonly features: readonly number[];
  /** 1 or 0. */
  readonly label: number;
  readonly weight: number;
}

export interface LogisticModel {
  readonly intercept: number;
  readonly weights: readonly number[];
}

const MAX_STEPS = 50;
const MIN_STEP = 1e-9;

/** Returns the model with the largest likelihood. `ridge`: the penalty of a weight, in units of the deviations. */
export function fitLogistic(examples: readonly LabelledExample[], ridge: number): LogisticModel {
  const size = examples[0]?.features.length ?? 0;
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const means = columns(size, (at) => meanOf(examples, total, ({ features }) => features[at] ?? 0));
  const deviations = columns(size, (at) => {
    const mean = means[at] ?? 0;
    const square = meanOf(examples, total, ({ features }) => ((features[at] ?? 0) - mean) ** 2);
    return square > 1e-12 ? Math.sqrt(square) : 1;
  });
  const rows = examples.map(({ features }) => [
    ...features.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)),
    1,
  ]);
  let model: readonly number[] = columns(size + 1, () => 0);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const change = newtonStep(rows, examples, model, { total, ridge });
    model = model.map((value, at) => value - (change[at] ?? 0));
    if (Math.max(...change.map(Math.abs)) < MIN_STEP) break;
  }
  const weights = columns(size, (at) => (model[at] ?? 0) / (deviations[at] ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return { weights, intercept: (model[size] ?? 0) - shift };
}

/** Returns the logarithm of the odds. */
export function logitOf(
  { intercept, weights }: LogisticModel,
  features: readonly number[],
): number {
  return weights.reduce((sum, weight, at) => sum + weight * (features[at] ?? 0), intercept);
}

/** The quotient of gradient and curvature of the loss. The last column is the intercept, which has no penalty. */
function newtonStep(
  rows: readonly (readonly number[])[],
  examples: readonly LabelledExample[],
  model: readonly number[],
  { total, ridge }: { readonly total: number; readonly ridge: number },
): readonly number[] {
  const size = model.length;
  const cost = (at: number): number => (at < size - 1 ? ridge : 1e-9);
  const gradient = model.map((value, at) => cost(at) * value);
  const curvature = model.map((_, at) => columns(size, (other) => (at === other ? cost(at) : 0)));
  for (const [number, row] of rows.entries()) {
    const { label = 0, weight = 0 } = examples[number] ?? {};
    const odds = row.reduce((sum, value, at) => sum + value * (model[at] ?? 0), 0);
    const chance = 1 / (1 + Math.exp(-odds));
    const share = weight / total;
    for (let at = 0; at < size; at += 1) {
      const value = row[at] ?? 0;
      gradient[at] = (gradient[at] ?? 0) + share * (chance - label) * value;
      const line = curvature[at] ?? [];
      const bend = share * chance * (1 - chance) * value;
      for (let other = 0; other < size; other += 1) {
        line[other] = (line[other] ?? 0) + bend * (row[other] ?? 0);
      }
    }
  }
  return solved(curvature, gradient);
}

/** Solves a symmetric positive system by elimination. */
function solved(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = right.length;
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at] ?? 1;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[at] ?? 0) / scale;
      for (let column = at; column <= size; column += 1) {
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
      }
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

function columns(size: number, value: (at: number) => number): number[] {
  return Array.from({ length: size }, (_, at) => value(at));
}

function meanOf(
  examples: readonly LabelledExample[],
  total: number,
  value: (example: LabelledExample) => number,
): number {
  return examples.reduce((sum, example) => sum + example.weight * value(example), 0) / total;
}
