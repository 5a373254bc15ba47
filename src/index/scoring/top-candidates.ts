import type { ScoredView } from "./scored-segments.ts";

/** A candidate file and its score. */
export interface ScoredCandidate {
  readonly view: ScoredView;
  /** Index in its segment. */
  readonly file: number;
  readonly score: number;
}

/** Best first, then in index order. */
function compareCandidates(one: ScoredCandidate, other: ScoredCandidate): number {
  return (
    other.score - one.score || one.view.fileBase + one.file - (other.view.fileBase + other.file)
  );
}

/** The best of many candidates, in a heap whose root is the worst of them. */
export class TopCandidates {
  readonly #limit: number;
  readonly #heap: ScoredCandidate[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The score that a new candidate must exceed. */
  get minScore(): number {
    return this.#heap.length < this.#limit ? 0 : (this.#heap[0]?.score ?? 0);
  }

  add(candidate: ScoredCandidate): void {
    if (this.#heap.length < this.#limit) {
      this.#rise(this.#heap.push(candidate) - 1);
    } else if (this.#limit > 0) {
      this.#heap[0] = candidate;
      this.#sink();
    }
  }

  sorted(): readonly ScoredCandidate[] {
    return this.#heap.toSorted(compareCandidates);
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

  /** Of two equal candidates the later is worse, so that a limit never changes the order before it. */
  #isWorse(at: number, than: number): boolean {
    const one = this.#heap[at];
    const other = this.#heap[than];
    return one !== undefined && other !== undefined && compareCandidates(one, other) > 0;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}
