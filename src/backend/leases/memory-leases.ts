import { MAX_SILENCE_MS, type Lease, type Leases } from "./port.ts";

interface HeldLease {
  readonly holder: Lease;
  report: string | undefined;
  reportedMs: number;
}

/** Namespace -> its lease, while a process holds it. */
export type SharedLeases = Map<string, HeldLease>;

/** Leases in memory, for tests. `now`: milliseconds of a clock. */
export function memoryLeases(
  shared: SharedLeases = new Map(),
  now: () => number = Date.now,
): Leases {
  return {
    leaseOf: (namespace) => leaseIn(shared, namespace, now),
    reportOf: async (namespace) => {
      const held = shared.get(namespace);
      if (held?.report === undefined || now() - held.reportedMs > MAX_SILENCE_MS) return undefined;
      return JSON.parse(held.report);
    },
  };
}

function leaseIn(shared: SharedLeases, namespace: string, now: () => number): Lease {
  const isHeld = (): boolean => shared.get(namespace)?.holder === lease;
  const lease: Lease = {
    tryTake: async () => {
      if (!shared.has(namespace)) {
        shared.set(namespace, { holder: lease, report: undefined, reportedMs: now() });
      }
      return isHeld();
    },
    isValid: async () => isHeld(),
    publish: async (report) => {
      const held = shared.get(namespace);
      if (held === undefined || !isHeld()) return;
      held.report = JSON.stringify(report);
      held.reportedMs = now();
    },
    release: async () => {
      if (isHeld()) shared.delete(namespace);
    },
  };
  return lease;
}
