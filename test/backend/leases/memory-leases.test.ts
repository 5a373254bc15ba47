import { memoryLeases, type SharedLeases } from "../../../src/backend/leases/memory-leases.ts";
import { MAX_SILENCE_MS } from "../../../src/backend/leases/port.ts";
import { leasesContract } from "../../contract/leases.ts";

leasesContract(() => {
  const shared: SharedLeases = new Map();
  let nowMs = 0;
  return {
    open: () => memoryLeases(shared, () => nowMs),
    silence: () => void (nowMs += MAX_SILENCE_MS + 1),
    drop: (namespace) => void shared.delete(namespace),
  };
});
