import { byScore, type BestFile } from "./candidate-shard.ts";
import type { ScoredView } from "./scored-segments.ts";

/** A file of a segment and its score. */
class ScoredFile implements BestFile {
  readonly #view: ScoredView;
  readonly #ordinal: number;
  readonly score: number;

  constructor(score: number, view: ScoredView, ordinal: number) {
    this.score = score;
    this.#view = view;
    this.#ordinal = ordinal;
  }

  /** Its number in all segments. */
  get file(): number {
    return this.#view.fileBase + this.#ordinal;
  }

  /** Read only where scores are equal. */
  get path(): string {
    return this.#view.reader.path(this.#ordinal);
  }
}

/** The best of many candidates, in a heap whose root is the worst of them. */
export class TopCandidates {
  readonly #limit: number;
  readonly #heap: ScoredFile[] = [];
  /** The path of the worst one, once it was compared. */
  #worstPath: string | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A candidate with a lower score is none of the best. */
  get minScore(): number {
    return this.#heap.length < this.#limit ? 0 : (this.#heap[0]?.score ?? 0);
  }

  /** Whether a file with this score would be one of the best so far. */
  takes(score: number, { reader }: ScoredView, ordinal: number): boolean {
    if (this.#heap.length < this.#limit) return true;
    const [worst] = this.#heap;
    if (worst === undefined || score < worst.score) return false;
    if (score > worst.score) return true;
    this.#worstPath ??= worst.path;
    return reader.path(ordinal) < this.#worstPath;
  }

  /** Adds a file that it takes. */
  add(score: number, view: ScoredView, ordinal: number): void {
    const file = new ScoredFile(score, view, ordinal);
    this.#worstPath = undefined;
    if (this.#heap.length < this.#limit) {
      this.#rise(this.#heap.push(file) - 1);
    } else {
      this.#heap[0] = file;
      this.#sink();
    }
  }

  sorted(): readonly BestFile[] {
    return this.#heap.toSorted(byScore);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      const right = left + 1;
      let worst = at;
      if (this.#isWorse(left, worst)) worst = left;
      if (this.#isWorse(right, worst)) worst = right;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  /** The order of equal scores is that of the paths, so that neither a limit nor the segments of files change it. */
  #isWorse(at: number, than: number): boolean {
    const one = this.#heap[at];
    const other = this.#heap[than];
    return one !== undefined && other !== undefined && byScore(one, other) > 0;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}
