import type { Logger } from "../base/log.ts";
import { MonitorStore } from "../sources/monitors.ts";
import { Registry } from "../sources/registry.ts";
import { finishPendingDeletions } from "./pending-deletions.ts";

interface Place {
  readonly dataDirectory: string;
  readonly logger: Logger;
}

const READ_ONLY = "the data directory can only be read: the index is used, but not updated";

/** The registry and the monitors, which share a database file. Each is opened on first use. */
export class OpenRegistry {
  readonly #place: Place;
  #registry: Registry | undefined;
  #monitors: MonitorStore | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Opens the registry and finishes pending deletions; warns once when it is read-only. Throws INDEX_CORRUPT. */
  registry(): Registry {
    if (this.#registry === undefined) {
      const { dataDirectory, logger } = this.#place;
      this.#registry = new Registry(dataDirectory);
      const { obstacle } = this.#registry;
      if (obstacle === undefined) finishPendingDeletions(this.#registry, dataDirectory);
      else logger.warn(READ_ONLY, { problem: obstacle.detail });
    }
    return this.#registry;
  }

  monitors(): MonitorStore {
    // The registry creates the database file that the monitors share.
    this.registry();
    this.#monitors ??= new MonitorStore(this.#place.dataDirectory);
    return this.#monitors;
  }

  close(): void {
    this.#monitors?.close();
    this.#monitors = undefined;
    this.#registry?.close();
    this.#registry = undefined;
  }
}
