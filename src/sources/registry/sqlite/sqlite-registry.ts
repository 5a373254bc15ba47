// The registry in a small SQLite file next to the indexes, shared by all svc processes of the user.

import { existsSync } from "node:fs";

import { dataNotWritable, type SvcError } from "../../../base/errors.ts";
import { createFolders, ensurePrivateFile } from "../../../base/files.ts";
import type { RegistryEdit, RegistryStore, RegistryVersion, SwapOptions } from "../port.ts";
import { notWritable, openRegistryFile, registryFile } from "./registry-database.ts";
import { readRecords, writeEdit } from "./record-rows.ts";
import type { Access, SummedDatabase } from "./summed-database.ts";

/** False if nothing has ever been indexed. */
export function hasRegistryFile(dataDirectory: string): boolean {
  return existsSync(registryFile(dataDirectory));
}

/** Stores the records of the registry as rows of `registry.db`. */
export class SqliteRegistry implements RegistryStore {
  readonly #db: SummedDatabase;
  #current: RegistryVersion | undefined;
  /** The end of the last change that was begun: changes wait for each other, and reads for changes. */
  #changes: Promise<unknown> | undefined;

  /**
   * Opens the registry of a data directory, which is created (0700) if it does not exist; opens it read-only if
   * it cannot be written. `look` only reads an existing one and leaves its files unchanged. Throws
   * INDEX_CORRUPT.
   */
  constructor(dataDirectory: string, access: Access = "use") {
    const isNew = access === "use" && !hasRegistryFile(dataDirectory);
    if (isNew) ensureRegistryFolder(dataDirectory);
    this.#db = openRegistryFile(dataDirectory, access, isNew);
  }

  get obstacle(): SvcError | undefined {
    const { obstacle } = this.#db;
    return obstacle === undefined ? undefined : notWritable(obstacle);
  }

  readonly close = (): void => this.#db.close();

  readonly read = async (): Promise<RegistryVersion> => {
    while (this.#changes !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- another change may have begun
      await this.#changes;
    }
    return this.#read();
  };

  readonly swap: RegistryStore["swap"] = async (version, edits, options = {}) => {
    while (this.#changes !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- another change may have begun
      await this.#changes;
    }
    const change = this.#swap(version, edits, options);
    const end = change.then(
      () => undefined,
      () => undefined,
    );
    this.#changes = end;
    try {
      return await change;
    } finally {
      if (this.#changes === end) this.#changes = undefined;
    }
  };

  #read(): RegistryVersion {
    if (this.#current?.version === this.#db.version()) return this.#current;
    return this.#db.snapshot(() => {
      const records = readRecords(this.#db);
      this.#current = { version: this.#db.version(), records };
      return this.#current;
    });
  }

  async #swap(
    version: number,
    edits: readonly RegistryEdit[],
    { isDurable, beforeCommit }: SwapOptions,
  ): Promise<boolean> {
    const { obstacle } = this;
    if (obstacle !== undefined) throw obstacle;
    return this.#db.change(
      () => {
        if (this.#db.version() !== version) return false;
        for (const edit of edits) writeEdit(this.#db, edit);
        return true;
      },
      {
        isDurable,
        confirm: async (isSame) => {
          if (isSame) await beforeCommit?.();
        },
      },
    );
  }
}

/** Throws INDEX_UNAVAILABLE if this account may not write, or if a file is in the way. */
function ensureRegistryFolder(dataDirectory: string): void {
  try {
    createFolders(dataDirectory);
    ensurePrivateFile(registryFile(dataDirectory));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    throw ["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"].includes(code)
      ? dataNotWritable(thrown)
      : thrown;
  }
}
