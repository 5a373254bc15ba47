import { applyEdit } from "../apply-edit.ts";
import type { RegistryStore, RegistryVersion, SwapOptions } from "../port.ts";
import { NO_RECORDS } from "../records.ts";

/** Where the stores of several processes meet. */
export interface SharedRegistry {
  current: RegistryVersion;
  /** Settles when the last change has ended. Changes run one after the other. */
  lastChange: Promise<unknown>;
}

export function sharedRegistry(): SharedRegistry {
  return { current: { version: 0, records: NO_RECORDS }, lastChange: Promise.resolve() };
}

/** The records of a registry in memory, for tests. */
export class MemoryRegistry implements RegistryStore {
  readonly obstacle = undefined;
  readonly #shared: SharedRegistry;

  constructor(shared: SharedRegistry = sharedRegistry()) {
    this.#shared = shared;
  }

  readonly read = async (): Promise<RegistryVersion> => this.#shared.current;

  readonly swap: RegistryStore["swap"] = (version, edits, options = {}) => {
    const change = this.#shared.lastChange.then(() => this.#swap(version, edits, options));
    this.#shared.lastChange = change.catch(() => undefined);
    return change;
  };

  readonly close = (): void => undefined;

  async #swap(
    version: number,
    edits: Parameters<RegistryStore["swap"]>[1],
    { beforeCommit }: SwapOptions,
  ): Promise<boolean> {
    const { current } = this.#shared;
    if (current.version !== version) return false;
    // oxlint-disable-next-line unicorn/no-array-reduce -- each edit applies to the result of the one before
    const records = edits.reduce(applyEdit, current.records);
    await beforeCommit?.();
    this.#shared.current = { version: version + 1, records };
    return true;
  }
}
