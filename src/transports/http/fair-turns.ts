interface Call {
  /** Id of the credential that the call came with. */
  readonly owner: string;
}

/** The calls of one credential. */
interface Share<C> {
  /** All calls that have not begun, in order of arrival. */
  readonly entered: Set<C>;
  /** The calls among them that are ready to begin. */
  readonly ready: Set<C>;
  readonly running: Set<C>;
}

/**
 * Fair queueing: credentials take turns, so that one with many calls does not delay the others. Calls of one
 * credential begin in the order in which they became ready.
 */
export class FairTurns<C extends Call> {
  /** In the order of their turns. Contains only credentials with calls. */
  readonly #shares = new Map<string, Share<C>>();
  readonly #maxOfOwner: number;
  #waiting = 0;
  #running = 0;

  /** @param maxOfOwner Maximum number of concurrent calls of one credential. */
  constructor(maxOfOwner: number) {
    this.#maxOfOwner = maxOfOwner;
  }

  /** Number of calls that have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of running calls. */
  get running(): number {
    return this.#running;
  }

  /** Adds a call that is not yet ready to begin. */
  enter(call: C): void {
    const share = this.#shares.get(call.owner) ?? {
      entered: new Set(),
      ready: new Set(),
      running: new Set(),
    };
    this.#shares.set(call.owner, share);
    share.entered.add(call);
    this.#waiting += 1;
  }

  /** Marks a call as ready to begin. */
  ready(call: C): void {
    this.#shares.get(call.owner)?.ready.add(call);
  }

  /** Returns the next call, which counts as running from now on; undefined when none may begin. */
  takeNext(): C | undefined {
    for (const [owner, share] of this.#shares) {
      const [call] = share.ready;
      if (call === undefined || share.running.size >= this.#maxOfOwner) continue;
      share.ready.delete(call);
      share.entered.delete(call);
      share.running.add(call);
      this.#waiting -= 1;
      this.#running += 1;
      // Its owner's next turn comes after everybody else's.
      this.#shares.delete(owner);
      this.#shares.set(owner, share);
      return call;
    }
    return undefined;
  }

  /** Removes a call in any state; does nothing if it has left. */
  leave(call: C): void {
    const share = this.#shares.get(call.owner);
    if (share === undefined) return;
    share.ready.delete(call);
    if (share.entered.delete(call)) this.#waiting -= 1;
    if (share.running.delete(call)) this.#running -= 1;
    if (share.entered.size + share.running.size === 0) this.#shares.delete(call.owner);
  }

  /**
   * Returns the call that gives up its place to a new one of `owner`: the newest call of the credential with the
   * most waiting calls. Undefined when that credential would then have fewer than `owner`.
   */
  displacedBy(owner: string): C | undefined {
    const own = this.#shares.get(owner)?.entered.size ?? 0;
    let longest: ReadonlySet<C> = new Set();
    for (const { entered } of this.#shares.values()) {
      if (entered.size > longest.size) longest = entered;
    }
    return longest.size > own + 1 ? [...longest].at(-1) : undefined;
  }

  /** Returns all calls that have not begun. */
  allWaiting(): readonly C[] {
    return [...this.#shares.values()].flatMap(({ entered }) => [...entered]);
  }
}
