// The repositories of a team: how large each is, and how much it is used.
import { seededRandom } from "../quality/random.ts";
import {
  PEAK_HOUR_SHARE,
  PUSH_EXPONENT,
  PUSHES_OF_DAY,
  QUESTION_EXPONENT,
  QUESTIONS_OF_DAY,
  REPOSITORIES_PER_DEVELOPER,
  REPOSITORY_BYTES,
} from "./assumptions.ts";
import { HOUR_MS, INDEX_SHARE, MAX_REPOSITORY_BYTES } from "./constants.ts";
import { logNormal, Zipf } from "./random.ts";

/** A repository is identified by its rank by use, from 0, which is also its namespace. */
export interface Repositories {
  readonly count: number;
  /** Size of the sources, by rank. */
  readonly sourceBytes: Float64Array;
  readonly totalBytes: number;
  /** The distributions of questions and pushes. */
  readonly questions: Zipf;
  readonly pushes: Zipf;
}

export function makeRepositories(count: number, seed: string): Repositories {
  const random = seededRandom(`${seed} sizes`);
  const sourceBytes = Float64Array.from({ length: count }, () =>
    Math.round(Math.min(MAX_REPOSITORY_BYTES, logNormal(REPOSITORY_BYTES, random))),
  );
  const totalBytes = sourceBytes.reduce((sum, bytes) => sum + bytes, 0);
  return {
    count,
    sourceBytes,
    totalBytes,
    questions: new Zipf(count, QUESTION_EXPONENT),
    pushes: new Zipf(count, PUSH_EXPONENT),
  };
}

export function indexBytesOf({ sourceBytes }: Repositories, namespace: number): number {
  return Math.round((sourceBytes[namespace] ?? 0) * INDEX_SHARE);
}

/** In the busiest hour. */
export function questionsPerMs(repositories: number): number {
  const developers = repositories / REPOSITORIES_PER_DEVELOPER;
  return (developers * QUESTIONS_OF_DAY * PEAK_HOUR_SHARE) / HOUR_MS;
}

/** In the busiest hour. */
export function pushesPerMs(repositories: number): number {
  return (repositories * PUSHES_OF_DAY * PEAK_HOUR_SHARE) / HOUR_MS;
}
