import { ChainKey } from "../chain.ts";
import type { AuditPosition, AuditReader, AuditTail, AuditVerification } from "../port.ts";
import { type AuditDirectories, MAX_FILE_BYTES } from "./log-files.ts";
import type { AuditedStore } from "./store-history.ts";
import { linesSince, readTail } from "./tail.ts";
import { verifyAuditLog } from "./verify.ts";

/** Calls `work` with the store that has the key of the log, even if the two do not agree. */
type UseStore = <T>(work: (store: AuditedStore | undefined) => T) => Promise<T>;

/** Reads the audit log in the files of this machine. */
export class LocalAuditReader implements AuditReader {
  readonly location: string;
  readonly #directories: AuditDirectories;
  readonly #useStore: UseStore;

  constructor(directories: AuditDirectories, useStore: UseStore) {
    this.location = directories.directory;
    this.#directories = directories;
    this.#useStore = useStore;
  }

  readonly tail = async (count: number): Promise<AuditTail | undefined> =>
    readTail(this.#directories, count);

  readonly since = async (position: AuditPosition): Promise<AuditTail> =>
    linesSince(this.#directories, position);

  readonly verify: AuditReader["verify"] = async ({ isQuick = false } = {}) =>
    this.#useStore((store): AuditVerification | undefined => {
      if (store === undefined) return undefined;
      return verifyAuditLog(this.#directories, new ChainKey(store.auditKey), {
        history: () => store.history(),
        maxBytes: isQuick ? MAX_FILE_BYTES : Infinity,
      });
    });
}
