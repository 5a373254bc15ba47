// Adam (Kingma and Ba 2015) for a table of which each step touches few rows: the moments of the other
// rows stay as they are, which makes a large table affordable.
import { zeros, type Matrix } from "./vectors.ts";

const MEAN_DECAY = 0.9;
const SQUARE_DECAY = 0.999;
const EPSILON = 1e-8;

export interface Optimizer {
  /** Adds to the gradient of a row for the current step. */
  readonly gradientOf: (row: number) => Float32Array;
  /** Moves the rows with gradients against them, and clears the gradients. */
  readonly step: (rate: number) => void;
}

export function createAdam(table: Matrix): Optimizer {
  const { columns } = table;
  const count = table.rows.length;
  const gradients = zeros(count, columns);
  const means = zeros(count, columns);
  const squares = zeros(count, columns);
  const isTouched = new Uint8Array(count);
  const touched: number[] = [];
  let steps = 0;
  return {
    gradientOf(row) {
      if (isTouched[row] === 0) {
        isTouched[row] = 1;
        touched.push(row);
      }
      return gradients.rows[row] ?? new Float32Array(0);
    },
    step(rate) {
      steps += 1;
      const meanShare = 1 - MEAN_DECAY ** steps;
      const squareShare = 1 - SQUARE_DECAY ** steps;
      for (const row of touched) {
        isTouched[row] = 0;
        for (let at = row * columns; at < (row + 1) * columns; at += 1) {
          const gradient = gradients.values[at] ?? 0;
          const mean = MEAN_DECAY * (means.values[at] ?? 0) + (1 - MEAN_DECAY) * gradient;
          const square =
            SQUARE_DECAY * (squares.values[at] ?? 0) + (1 - SQUARE_DECAY) * gradient * gradient;
          gradients.values[at] = 0;
          means.values[at] = mean;
          squares.values[at] = square;
          table.values[at] =
            (table.values[at] ?? 0) -
            (rate * (mean / meanShare)) / (Math.sqrt(square / squareShare) + EPSILON);
        }
      }
      touched.length = 0;
    },
  };
}
