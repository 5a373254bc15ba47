import type { LiteralQuery } from "./literal-query.ts";
import { keysOfText } from "./trigram-format.ts";
import { TrigramLists, type ListPlace, type TrigramBytes } from "./trigram-lists.ts";

/** What the work costs, in nanoseconds: decides when a list is worth its reading. */
export interface Costs {
  /** Opening a file and looking through it. */
  readonly verifyFile: number;
  readonly readList: number;
  readonly decodeByte: number;
}

/** Measured on source trees in the page cache. */
const COSTS: Costs = { verifyFile: 20_000, readList: 3000, decodeByte: 2 };

/** How much of what a list would rule out by itself the lists before it have left, as a guess. */
const MIN_REMAINING_SHARE = 0.25;

/** A longer text is judged by this many of its trigrams, evenly spread. */
const MAX_KEYS = 64;

/** A list, or a choice of plans one of which must hold, and how many files it leaves at most. */
type Step =
  | { readonly place: ListPlace; readonly estimate: number; readonly cost: number }
  | { readonly choice: readonly Plan[]; readonly estimate: number; readonly cost: number };

/** Steps that must all hold, the rarest first. Undefined: no file can match. */
type Plan = readonly Step[] | undefined;

/** Says which files of a segment may hold what is looked for. */
export class TrigramReader {
  readonly lists: TrigramLists;
  readonly #files: number;
  readonly #costs: Costs;

  /** `files`: how many the segment has; their numbers are below it. Throws INDEX_UNAVAILABLE. */
  constructor(bytes: TrigramBytes, files: number, costs = COSTS) {
    this.lists = new TrigramLists(bytes, files);
    this.#files = files;
    this.#costs = costs;
  }

  /**
   * The files that may match, in rising order; undefined: all may. Every file that matches is among
   * them, and some that do not. Throws INDEX_UNAVAILABLE.
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
    // A part that says nothing leaves all files.
    if (choice.some((plan) => plan.length === 0)) return [];
    // As if the parts were independent: their sum would take two halves for the whole.
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

  /** The files among `within` (undefined: all) that pass the plan, or at least all that do. */
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

  /** Whether reading is expected to cost less than verifying the files that it rules out. */
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

/** The rarest first, and no list twice. */
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
