import type { Logger } from "../base/log.ts";
import { MonitorStore } from "../sources/monitors.ts";
import { Registry } from "../sources/registry.ts";
import { finishPendingDeletions } from "./pending-deletions.ts";

interface Place {
  readonly dataDirectory: string;
  readonly logger: Logger;
}

const READ_ONLY =
  "the data directory can only be read: the index is used as it is, and not brought up to date";

/** The registry and what lies in the same file, each opened when it is first asked for. */
export class OpenRegistry {
  readonly #place: Place;
  #registry: Registry | undefined;
  #monitors: MonitorStore | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Finishes what removals have left; where nothing can be written, says so once. Throws INDEX_CORRUPT. */
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
    // They lie beside the namespaces, which must be there.
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
