// Translates errors of SQLite and the file system into SvcError.
import { SvcError, sqliteCode } from "../../base/errors.ts";
import { isErrno } from "../private-files.ts";

/** Returns the error for a store whose content svc did not write. svc never repairs or resets a store by itself. */
export function damagedStore(detail: string, cause?: unknown): SvcError {
  return new SvcError("CREDENTIAL_STORE", detail, {
    hint:
      "It was left as it is. Restore the newest backup of credentials.db, or move it, the folder audit " +
      "and the store's folder of keys away and create new credentials.",
    cause,
  });
}

/** Runs `work` and translates its SQLite errors. */
export function withTranslatedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A stored integer was altered to one beyond JavaScript's range.
    if (isErrno(error, "ERR_OUT_OF_RANGE"))
      throw damagedStore("The credential store is damaged.", error);
    if (isStorageFull(error)) throw storageFull(error);
    const result = sqliteResult(error);
    if (result === undefined) throw error;
    if (result === BUSY) {
      throw new SvcError("CREDENTIAL_STORE", "Another process is writing the credential store.", {
        hint: "Try again.",
        cause: error,
      });
    }
    if (result === READONLY || result === IOERR || result === CANTOPEN) {
      throw new SvcError("CREDENTIAL_STORE", "The credential store cannot be opened or written.", {
        hint: "Check the permissions of its directory and the state of the disk.",
        cause: error,
      });
    }
    throw damagedStore("The credential store cannot be read.", error);
  }
}

// sqlite.org/rescode.html
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** SQLite could not enlarge its shared-memory file: on a full disk it reports this instead of FULL. */
const IOERR_SHMSIZE = 4874;

/** Returns true when another way of opening may work: the file exists but cannot be written. */
export function isWriteError(error: unknown): boolean {
  const result = sqliteResult(error);
  if (result !== undefined) return [READONLY, IOERR, FULL, CANTOPEN].includes(result);
  return ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].some((code) => isErrno(error, code));
}

/** Returns the error for a store that can be read but not written. */
export function readOnlyStore(cause: unknown): SvcError {
  if (isStorageFull(cause)) return storageFull(cause);
  return new SvcError("CREDENTIAL_STORE", "The credential store can only be read here.", {
    hint:
      "Its directories, or the disk they are on, cannot be written to: make them writable, or choose others " +
      "with SERVICE_HOME and SERVICE_CONFIG_HOME.",
    cause,
  });
}

function isStorageFull(error: unknown): boolean {
  const isFull = ["ENOSPC", "EDQUOT"].some((code) => isErrno(error, code));
  return isFull || sqliteResult(error) === FULL || sqliteCode(error) === IOERR_SHMSIZE;
}

function storageFull(cause: unknown): SvcError {
  return new SvcError("STORAGE_FULL", "The disk that holds the credential store is full.", {
    hint: "Free some space, and try again.",
    cause,
  });
}

/** Returns the primary result code if the error comes from SQLite, else undefined. */
function sqliteResult(error: unknown): number | undefined {
  if (!isErrno(error, "ERR_SQLITE_ERROR")) return undefined;
  return (sqliteCode(error) ?? 0) & 0xff;
}
