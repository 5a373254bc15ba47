// How many failed attempts of one client are answered, for transports that anybody can reach. A
// credential that is right passes at any time: a client that was refused unseen could be locked out
// by whoever shares its proxy or NAT, with ten requests a minute. Nothing is lost by looking: a guess
// has one chance in 2^190 at any rate, costs some 30 µs and writes nothing. What ends at the limit is
// what a failure tells (unknown, expired, revoked or mistyped) and what is put on record about it.
import { errorRow, SvcError } from "../base/errors.ts";

interface FailureLimiterOptions {
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
  /** How many clients are remembered; the one that failed longest ago is forgotten first. */
  readonly maxClients?: number;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** The longest text of an address; whatever is longer is one client, so that memory has a bound. */
const MAX_ADDRESS_LENGTH = 45;
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

// Invariant: each list has 1 to FAILURES times, oldest first; clients stand in the order of their last time.
export class FailureLimiter {
  readonly #now: () => number;
  readonly #maxClients: number;
  readonly #failures = new Map<string, readonly number[]>();

  constructor({ now = () => performance.now(), maxClients = 10_000 }: FailureLimiterOptions = {}) {
    this.#now = now;
    this.#maxClients = maxClients;
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /**
   * The outcome of `verify` for a client at this address (IPv4, or IPv6 by its /64 network). Of its
   * refusals (HTTP status 401) ten in any 60 seconds are thrown as they are, further ones are thrown as
   * RATE_LIMITED with `retryAfter`. Everything else passes and counts nothing.
   */
  attempt<T>(address: string, verify: () => T): T {
    try {
      return verify();
    } catch (error) {
      if (!(error instanceof SvcError) || errorRow(error).http !== 401) throw error;
      const waitMs = this.#fail(clientKey(address));
      throw waitMs === 0 ? error : rateLimited(waitMs, "A valid credential");
    }
  }

  /**
   * Throws RATE_LIMITED where the next refusal would be: for credentials that others verify, who must
   * not be asked about any number of guesses.
   */
  requireAllowed(address: string): void {
    const now = this.#now();
    const waitMs = retryDelayMs(this.#recent(clientKey(address), now), now);
    if (waitMs > 0) throw rateLimited(waitMs, "A key that was checked before");
  }

  /** Counts a failure. Milliseconds until one is answered again, or 0 when this one is: only those count. */
  #fail(client: string): number {
    const now = this.#now();
    const recent = this.#recent(client, now);
    const waitMs = retryDelayMs(recent, now);
    if (waitMs > 0) return waitMs;
    this.#failures.delete(client);
    this.#failures.set(client, [...recent, now]);
    this.#forget(now - WINDOW_MS);
    return 0;
  }

  // A list of times and not a bucket of tokens: a full bucket lets twice its size through in a window.
  #recent(client: string, now: number): readonly number[] {
    return (this.#failures.get(client) ?? []).filter((time) => time > now - WINDOW_MS);
  }

  #forget(before: number): void {
    for (const [client, times] of this.#failures) {
      const isOver = (times.at(-1) ?? before) <= before;
      if (!isOver && this.#failures.size <= this.#maxClients) return;
      this.#failures.delete(client);
    }
  }
}

function retryDelayMs(recent: readonly number[], now: number): number {
  const [oldest = now] = recent;
  return recent.length < MAX_FAILURES ? 0 : oldest + WINDOW_MS - now;
}

function rateLimited(waitMs: number, what: string): SvcError {
  const retryAfter = Math.ceil(waitMs / 1000);
  return new SvcError("RATE_LIMITED", "Too many failed attempts came from this address.", {
    hint: `${what} is accepted at any time; wait ${retryAfter} s before you try another.`,
    retryAfter,
  });
}

/** What is taken for one client: of IPv6 the network, all of whose addresses a single machine may use. */
function clientKey(address: string): string {
  if (address.length > MAX_ADDRESS_LENGTH) return "";
  if (!address.includes(":")) return address;
  const groups = groupsOf(address.replace(/%.*$/s, ""));
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  // ::ffff:a.b.c.d is how a socket for both families shows an IPv4 address.
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}

/** The eight numbers of an IPv6 address (RFC 4291, section 2.2). */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail = ""] = address.split("::");
  const [first, last] = [writtenGroups(head), writtenGroups(tail)];
  const left = Math.max(0, IPV6_GROUPS - first.length - last.length);
  return [...first, ...Array.from({ length: left }, () => 0), ...last];
}

function writtenGroups(text: string): readonly number[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    const [a, b, c, d] = part.split(".").map(Number);
    const isDotted = a !== undefined && b !== undefined && c !== undefined && d !== undefined;
    return isDotted ? [a * 256 + b, c * 256 + d] : [Number.parseInt(part, 16)];
  });
}
