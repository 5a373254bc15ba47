// Limits how many failed attempts of one client are answered, for transports that anyone can reach. A valid
// credential always passes: if clients were refused unchecked, one of them could lock out all others behind the
// same proxy or NAT, with ten requests a minute. Checking loses nothing: a guess has one chance in 2^190 in any
// case, costs some 30 µs and writes nothing. Above the limit, a refusal no longer says why it failed (unknown,
// expired, revoked or mistyped), and is no longer logged.
import { errorRow, SvcError } from "../base/errors.ts";

interface FailureLimiterOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /**
   * Maximum number of clients remembered; 10,000 by default. The client whose last failure is oldest is forgotten
   * first.
   */
  readonly maxClients?: number;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Maximum length of an address. All longer texts count as one client, which bounds memory. */
const MAX_ADDRESS_LENGTH = 45;
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

// Invariant: each list has 1 to MAX_FAILURES times, oldest first; the map orders clients by their last time.
export class FailureLimiter {
  readonly #now: () => number;
  readonly #maxClients: number;
  readonly #failures = new Map<string, readonly number[]>();

  constructor({ now = () => performance.now(), maxClients = 10_000 }: FailureLimiterOptions = {}) {
    this.#now = now;
    this.#maxClients = maxClients;
  }

  /** Number of clients remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /**
   * Returns the result of `verify` for a client at this address (an IPv4 address, or the /64 network of an IPv6
   * address). Of its refusals (HTTP status 401), ten in any 60 seconds are rethrown; further ones become
   * RATE_LIMITED with `retryAfter` in seconds. Other results and errors pass uncounted.
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
   * Throws RATE_LIMITED where the next refusal would. It is for provider keys: the provider must not be asked about
   * an unlimited number of guesses.
   */
  requireAllowed(address: string): void {
    const now = this.#now();
    const waitMs = retryDelayMs(this.#recent(clientKey(address), now), now);
    if (waitMs > 0) throw rateLimited(waitMs, "A key that was checked before");
  }

  /**
   * Counts a failure. Returns 0 when it may be answered, else the milliseconds until one may be; only answered
   * failures count.
   */
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

  // A list of times, not a token bucket: a full bucket lets through twice its size within one window.
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

/**
 * Returns the client of an address. All addresses of an IPv6 network count as one, because one machine may use them
 * all.
 */
function clientKey(address: string): string {
  if (address.length > MAX_ADDRESS_LENGTH) return "";
  if (!address.includes(":")) return address;
  const groups = groupsOf(address.replace(/%.*$/s, ""));
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  // ::ffff:a.b.c.d is how a dual-stack socket shows an IPv4 address.
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}

/** Returns the eight numbers of an IPv6 address (RFC 4291, section 2.2). */
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
