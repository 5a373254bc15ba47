import type { Backend } from "../../backend/backend.ts";
import type { ChangeLogReader } from "../../index/port.ts";
import type { Engine } from "../api/engine.ts";
import type { RunScheduler } from "../indexing/scheduler.ts";
import type { Namespaces } from "../namespaces.ts";

/** How long the creation of a monitor waits until the monitor is active. */
const MAX_RUN_WAIT_MS = 15_000;

interface MonitorServiceParts {
  readonly index: Backend["index"];
  readonly namespaces: Namespaces;
  readonly runs: RunScheduler;
}

/** Creates, lists and deletes monitors, and finds their hits. */
export class MonitorService {
  readonly #parts: MonitorServiceParts;
  #isClosed = false;

  constructor(parts: MonitorServiceParts) {
    this.#parts = parts;
  }

  /** A call that comes after it finds no hits. */
  close(): void {
    this.#isClosed = true;
  }

  readonly set: Engine["monitors"] = async (request) => {
    const { namespaces, runs } = this.#parts;
    const namespace = await namespaces.requested(request);
    const { setMonitor } = await import("./set-monitor.ts");
    const result = await setMonitor(await namespaces.registry(), namespace, request);
    if (request.action !== "create") return { ...result, isWatching: true };
    // A monitor is active once a run has prepared it.
    const job = runs.start(namespace, { mustBeNew: true });
    const wait = { waitMs: MAX_RUN_WAIT_MS, signal: request.signal };
    const report = await runs.waiters.wait(job, wait);
    return { ...result, isWatching: report?.outcome === "done" };
  };

  readonly hits: Engine["monitorHits"] = async (request) => {
    const { principal, positions } = request;
    const { index, namespaces } = this.#parts;
    const { findMonitorHits } = await import("./monitor-hits.ts");
    if (this.#isClosed) return { found: [], positions };
    const own = (await namespaces.state()).allMonitorsOfOwner(principal.id);
    const monitors = own.filter(({ namespace }) => principal.canAccess(namespace));
    const changeLog = async (namespace: string): Promise<ChangeLogReader | undefined> =>
      index.changeLog(await namespaces.authorize(request, namespace));
    return findMonitorHits({ monitors, changeLog }, request);
  };
}
