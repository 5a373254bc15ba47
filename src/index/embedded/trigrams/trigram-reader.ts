import type { LiteralQuery } from "../../literal-query.ts";
import { keysOfText } from "./trigram-format.ts";
import { TrigramLists, type ListPlace, type TrigramBytes } from "./trigram-lists.ts";

/** Costs in nanoseconds, which decide whether to read a list. */
export interface Costs {
  /** Opening and searching a file. */
  readonly verifyFile: number;
  /** Reading a list, without decoding. */
  readonly readList: number;
  /** Decoding one byte of a list. */
  readonly decodeByte: number;
}

/** Measured on source trees in the page cache. */
const COSTS: Costs = { verifyFile: 20_000, readList: 3000, decodeByte: 2 };

/** Estimated share of the files that a list would exclude by itself and that earlier lists have left. */
const MIN_REMAINING_SHARE = 0.25;

/** Maximum trigrams to look up per text, evenly spread over a longer one. */
const MAX_KEYS = 64;

/** A list, or alternative plans of which one must match, and an upper bound of the remaining files. */
type Step =
  | { readonly place: ListPlace; readonly estimate: number; readonly cost: number }
  | { readonly choice: readonly Plan[]; readonly estimate: number; readonly cost: number };

/** Steps that must all match, the rarest first. Undefined: no file can match. */
type Plan = readonly Step[] | undefined;

/** Finds the files of a segment that may contain the query's texts. */
export class TrigramReader {
  readonly lists: TrigramLists;
  readonly #files: number;
  readonly #costs: Costs;

  /** `files`: number of files in the segment; file numbers are below it. Throws INDEX_UNAVAILABLE. */
  constructor(bytes: TrigramBytes, files: number, costs = COSTS) {
    this.lists = new TrigramLists(bytes, files);
    this.#files = files;
    this.#costs = costs;
  }

  /**
   * Returns the files that may match, in ascending order; undefined if all may. The result has every matching
   * file and may have others. Throws INDEX_UNAVAILABLE.
   */
  candidates(query: LiteralQuery): Uint32Array | undefined {
    return this.#narrow(this.#plan(query, new Map()), undefined);
  }

  #plan(query: LiteralQuery, known: Map<number, ListPlace | undefined>): Plan {
    if (query.kind === "all") return [];
    if (query.kind === "literal") return this.#planOfText(query.text, known);
    const plans = query.parts.map((part) => this.#plan(part, known));
    if (query.kind === "or") return this.#planOfChoice(plans.filter((plan) => plan !== undefined));
    return plans.includes(undefined)
      ? undefined
      : compareSteps(plans.flatMap((plan) => plan ?? []));
  }

  #planOfChoice(choice: readonly (readonly Step[])[]): Plan {
    if (choice.length < 2) return choice[0];
    // A part without a condition leaves all files.
    if (choice.some((plan) => plan.length === 0)) return [];
    // Assumes independent parts: a plain sum would count two halves as the whole.
    const missed = choice.reduce(
      (share, plan) => share * (1 - (plan[0]?.estimate ?? 0) / this.#files),
      1,
    );
    const estimate = this.#files * (1 - missed);
    const cost = choice.reduce((sum, plan) => sum + (plan[0]?.cost ?? 0), 0);
    return [{ choice, estimate, cost }];
  }

  #planOfText(text: string, known: Map<number, ListPlace | undefined>): Plan {
    const steps: Step[] = [];
    for (const key of spread(keysOfText(text))) {
      if (!known.has(key)) known.set(key, this.lists.find(key));
      const place = known.get(key);
      if (place === undefined) return undefined;
      const cost = this.#costs.readList + place.length * this.#costs.decodeByte;
      steps.push({ place, estimate: place.count, cost });
    }
    return compareSteps(steps);
  }

  /** Returns a superset of the files in `within` (undefined: all) that match the plan. */
  #narrow(plan: Plan, within: Uint32Array | undefined): Uint32Array | undefined {
    if (plan === undefined) return new Uint32Array(0);
    let left = within;
    for (const step of plan) {
      if (left?.length === 0) return left;
      if (!this.#pays(step, left?.length ?? this.#files)) continue;
      if ("choice" in step) left = this.#narrowByChoice(step.choice, left);
      else if (left === undefined) left = this.lists.decode(step.place);
      else left = this.lists.intersect(step.place, left);
    }
    return left;
  }

  /** Whether reading is expected to take less time than verifying the files that it excludes. */
  #pays({ estimate, cost }: Step, left: number): boolean {
    const ruledOut = left * (1 - estimate / this.#files) * MIN_REMAINING_SHARE;
    return cost < ruledOut * this.#costs.verifyFile;
  }

  #narrowByChoice(
    choice: readonly Plan[],
    within: Uint32Array | undefined,
  ): Uint32Array | undefined {
    const isLeft = new Uint8Array(this.#files);
    for (const plan of choice) {
      const files = this.#narrow(plan, within);
      if (files === undefined) return undefined;
      for (const file of files) isLeft[file] = 1;
    }
    const left = new Uint32Array(within?.length ?? this.#files);
    let length = 0;
    for (let file = 0; file < isLeft.length; file += 1)
      if (isLeft[file] === 1) left[length++] = file;
    return left.subarray(0, length);
  }
}

/** Sorts steps, rarest first, and removes duplicate lists. */
function compareSteps(steps: readonly Step[]): readonly Step[] {
  const keys = new Set<number>();
  return steps
    .filter((step) => {
      if ("choice" in step) return true;
      const isNew = !keys.has(step.place.key);
      keys.add(step.place.key);
      return isNew;
    })
    .toSorted((one, other) => one.estimate - other.estimate);
}

function spread(keys: readonly number[]): readonly number[] {
  if (keys.length <= MAX_KEYS) return keys;
  return Array.from(
    { length: MAX_KEYS },
    (_, at) => keys[Math.floor((at * keys.length) / MAX_KEYS)] ?? 0,
  );
}
