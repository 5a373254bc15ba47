import { memoryUpdates, sharedUpdates } from "../../../src/backend/updates/memory-updates.ts";
import { updatesContract } from "../../contract/updates.ts";

updatesContract(() => {
  const shared = sharedUpdates();
  let nowMs = 0;
  return {
    open: () => memoryUpdates(shared, () => nowMs),
    pass: (ms) => void (nowMs += ms),
  };
});
