interface Call {
  /** Id of the credential that it came with. */
  readonly owner: string;
}

/** The calls of one credential. */
interface Share<C> {
  /** All that have not begun, in the order they came. */
  readonly entered: Set<C>;
  /** Of those the ones that could begin. */
  readonly ready: Set<C>;
  readonly atWork: Set<C>;
}

/**
 * Fair queueing: the credentials take turns, so that one with many calls does not make the others wait
 * for all of them. Calls of one credential begin in the order they became ready.
 */
export class FairTurns<C extends Call> {
  /** In the order of their turns. A credential without a call is not in it. */
  readonly #shares = new Map<string, Share<C>>();
  readonly #maxOfOwner: number;
  #waiting = 0;
  #atWork = 0;

  /** @param maxOfOwner How many calls of one credential may be at work at a time. */
  constructor(maxOfOwner: number) {
    this.#maxOfOwner = maxOfOwner;
  }

  /** How many have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  get atWork(): number {
    return this.#atWork;
  }

  /** Takes in a call that cannot begin so far. */
  enter(call: C): void {
    const share = this.#shares.get(call.owner) ?? {
      entered: new Set(),
      ready: new Set(),
      atWork: new Set(),
    };
    this.#shares.set(call.owner, share);
    share.entered.add(call);
    this.#waiting += 1;
  }

  ready(call: C): void {
    this.#shares.get(call.owner)?.ready.add(call);
  }

  /** The next call, which is at work from now on; undefined when none may begin. */
  takeNext(): C | undefined {
    for (const [owner, share] of this.#shares) {
      const [call] = share.ready;
      if (call === undefined || share.atWork.size >= this.#maxOfOwner) continue;
      share.ready.delete(call);
      share.entered.delete(call);
      share.atWork.add(call);
      this.#waiting -= 1;
      this.#atWork += 1;
      // The turn of its owner comes again after everybody else's.
      this.#shares.delete(owner);
      this.#shares.set(owner, share);
      return call;
    }
    return undefined;
  }

  /** Takes a call out, wherever it is; nothing if it is out. */
  leave(call: C): void {
    const share = this.#shares.get(call.owner);
    if (share === undefined) return;
    share.ready.delete(call);
    if (share.entered.delete(call)) this.#waiting -= 1;
    if (share.atWork.delete(call)) this.#atWork -= 1;
    if (share.entered.size + share.atWork.size === 0) this.#shares.delete(call.owner);
  }

  /**
   * The call that gives its place to a new one of `owner`: the newest of the credential that has the most
   * waiting. Undefined when that credential would then have fewer than `owner`.
   */
  displacedBy(owner: string): C | undefined {
    const own = this.#shares.get(owner)?.entered.size ?? 0;
    let longest: ReadonlySet<C> = new Set();
    for (const { entered } of this.#shares.values()) {
      if (entered.size > longest.size) longest = entered;
    }
    return longest.size > own + 1 ? [...longest].at(-1) : undefined;
  }

  /** All that have not begun. */
  allWaiting(): readonly C[] {
    return [...this.#shares.values()].flatMap(({ entered }) => [...entered]);
  }
}
