import type { SegmentView } from "../snapshot.ts";

/** A file that may get into the answer. */
export interface Candidate {
  readonly view: SegmentView;
  /** Number within the segment. */
  readonly file: number;
  readonly score: number;
}

/** The best first, then in the order of the index. */
function inOrder(one: Candidate, other: Candidate): number {
  return (
    other.score - one.score || one.view.fileBase + one.file - (other.view.fileBase + other.file)
  );
}

/** The best of many, in a heap whose root is the worst of them. */
export class TopCandidates {
  readonly #limit: number;
  readonly #heap: Candidate[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What a candidate must exceed to get in. */
  get least(): number {
    return this.#heap.length < this.#limit ? 0 : (this.#heap[0]?.score ?? 0);
  }

  add(candidate: Candidate): void {
    if (this.#heap.length < this.#limit) {
      this.#rise(this.#heap.push(candidate) - 1);
    } else if (this.#limit > 0) {
      this.#heap[0] = candidate;
      this.#sink();
    }
  }

  sorted(): readonly Candidate[] {
    return this.#heap.toSorted(inOrder);
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
      let least = at;
      if (this.#isWorse(left, least)) least = left;
      if (this.#isWorse(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  /** Of equal ones the later is worse, so that a limit never changes what comes before it. */
  #isWorse(at: number, than: number): boolean {
    const one = this.#heap[at];
    const other = this.#heap[than];
    return one !== undefined && other !== undefined && inOrder(one, other) > 0;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}
