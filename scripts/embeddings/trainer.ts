// Learns the table: the vector of a question should point to that of its answer and away from all other answers of the
// batch, and vice versa (symmetric InfoNCE; van den Oord 2018, Radford 2021).
import { createAdam, type Optimizer } from "./adam.ts";
import { batches, batchSizeFor } from "./batches.ts";
import type { Bags, Examples } from "./examples.ts";
import { normal, randomFrom } from "./random.ts";
import {
  addScaled,
  dot,
  dots,
  normalize,
  scale,
  transpose,
  weightedSum,
  zeros,
  type Matrix,
} from "./vectors.ts";

export interface TrainingOptions {
  readonly epochs: number;
  readonly seed: number;
  readonly onStep?: (progress: Progress) => void;
}

export interface Progress {
  readonly step: number;
  readonly steps: number;
  /** In nats; the logarithm of the batch size before training. */
  readonly loss: number;
}

/** Temperature: the factor by which cosines are multiplied. */
const SCALE = 20;
const LEARNING_RATE = 0.01;
/**
 * The rate rises to its maximum within this many steps, or a tenth of all, and then falls to this share of the maximum.
 */
const WARM_UP_STEPS = 50;
const LAST_RATE = 0.02;
/** Weight of common words at the start (Arora 2017). */
const COMMON = 1e-3;

/** Random directions, shorter for more common words: the start of the training, and the baseline that it must beat. */
export function randomTable(probabilities: Float64Array, dimensions: number, seed: number): Matrix {
  const random = randomFrom(seed);
  const table = zeros(probabilities.length, dimensions);
  for (const [row, vector] of table.rows.entries()) {
    const weight = COMMON / (COMMON + (probabilities[row] ?? 0)) / Math.sqrt(dimensions);
    for (let at = 0; at < dimensions; at += 1) vector[at] = weight * normal(random);
  }
  return table;
}

/** Changes `table`. The result depends only on the examples and the seed. */
export function train(table: Matrix, examples: Examples, options: TrainingOptions): void {
  const random = randomFrom(options.seed);
  const size = batchSizeFor(examples.packages.length);
  const perEpoch = Math.floor(examples.packages.length / size);
  const steps = perEpoch * options.epochs;
  const step = createStep(table, examples, size);
  let done = 0;
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    for (const batch of batches(examples.packages, size, random)) {
      const loss = step(batch, rateAt(done, steps));
      done += 1;
      options.onStep?.({ step: done, steps, loss });
    }
  }
}

function rateAt(step: number, steps: number): number {
  const warmUp = Math.min(1, (step + 1) / Math.min(WARM_UP_STEPS, Math.ceil(steps / 10)));
  return LEARNING_RATE * warmUp * Math.max(LAST_RATE, 1 - step / steps);
}

/** One side of a batch. */
interface Side {
  readonly bags: Bags;
  /** Of length 1. */
  readonly vectors: Matrix;
  /** The lengths the vectors had before. */
  readonly lengths: Float32Array;
  readonly gradients: Matrix;
}

/** A function that learns one batch at a rate and returns its loss. */
function createStep(
  table: Matrix,
  { questions, answers }: Examples,
  size: number,
): (batch: Int32Array, rate: number) => number {
  const sideOf = (bags: Bags): Side => ({
    bags,
    vectors: zeros(size, table.columns),
    lengths: new Float32Array(size),
    gradients: zeros(size, table.columns),
  });
  const [question, answer] = [sideOf(questions), sideOf(answers)];
  const similarity = zeros(size, size);
  const optimizer = createAdam(table);
  return (batch, rate) => {
    for (const side of [question, answer]) embed(table, side, batch);
    for (const [index, row] of question.vectors.rows.entries()) {
      dots(row, answer.vectors.rows, similarity.rows[index] ?? row);
    }
    const loss = toGradients(similarity);
    pull(similarity, question, answer);
    for (const side of [question, answer]) passOn(side, batch, optimizer);
    optimizer.step(rate);
    return loss;
  };
}

function embed({ rows: table }: Matrix, { bags, vectors, lengths }: Side, batch: Int32Array): void {
  vectors.values.fill(0);
  for (const [index, vector] of vectors.rows.entries()) {
    const example = batch[index] ?? 0;
    const counts = bags.counts.at(example);
    for (const [at, row] of bags.rows.at(example).entries()) {
      addScaled(vector, table[row] ?? vector, weightOf(counts[at] ?? 1));
    }
    lengths[index] = normalize(vector);
  }
}

/** The weight of a word with this many occurrences. */
function weightOf(count: number): number {
  return 1 + Math.log(count);
}

/** Converts cosines (questions by row, answers by column) to the gradients of the loss, which is returned. */
function toGradients({ rows }: Matrix): number {
  const size = rows.length;
  const byQuestion = new Float64Array(size);
  const byAnswer = new Float64Array(size);
  for (const [question, row] of rows.entries()) {
    let sum = 0;
    for (let answer = 0; answer < size; answer += 1) {
      const share = Math.exp(SCALE * ((row[answer] ?? 0) - 1));
      row[answer] = share;
      sum += share;
      byAnswer[answer] = (byAnswer[answer] ?? 0) + share;
    }
    byQuestion[question] = sum;
  }
  let loss = 0;
  const factor = (0.5 * SCALE) / size;
  for (const [question, row] of rows.entries()) {
    const right = row[question] ?? 0;
    const sum = byQuestion[question] ?? 1;
    loss -= 0.5 * Math.log(right / sum + 1e-30);
    loss -= 0.5 * Math.log(right / (byAnswer[question] ?? 1) + 1e-30);
    for (let answer = 0; answer < size; answer += 1) {
      row[answer] = factor * (row[answer] ?? 0) * (1 / sum + 1 / (byAnswer[answer] ?? 1));
    }
    row[question] = (row[question] ?? 0) - 2 * factor;
  }
  return loss / size;
}

/** The gradients of both sides before their vectors were normalised. `pushes` is overwritten. */
function pull(pushes: Matrix, question: Side, answer: Side): void {
  for (const [side, others] of [
    [question, answer.vectors.rows],
    [answer, question.vectors.rows],
  ] as const) {
    for (const [index, gradient] of side.gradients.rows.entries()) {
      const vector = side.vectors.rows[index] ?? gradient;
      weightedSum(others, pushes.rows[index] ?? gradient, gradient);
      addScaled(gradient, vector, -dot(gradient, vector));
      scale(gradient, 1 / (side.lengths[index] ?? 1));
    }
    transpose(pushes);
  }
}

/** Distributes the gradient of each vector to the rows of its sum. */
function passOn({ bags, gradients }: Side, batch: Int32Array, optimizer: Optimizer): void {
  for (const [index, gradient] of gradients.rows.entries()) {
    const example = batch[index] ?? 0;
    const counts = bags.counts.at(example);
    for (const [at, row] of bags.rows.at(example).entries()) {
      addScaled(optimizer.gradientOf(row), gradient, weightOf(counts[at] ?? 1));
    }
  }
}
