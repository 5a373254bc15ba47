// What SQLite and the file system say, as errors of ours.
import { SvcError, sqliteCode } from "../base/errors.ts";
import { isErrno } from "./private-files.ts";

/** The error for a store whose content is not what svc wrote. Nothing is ever repaired or reset on its own. */
export function damagedStore(detail: string, cause?: unknown): SvcError {
  return new SvcError("CREDENTIAL_STORE", detail, {
    hint:
      "It was left as it is. Restore the newest backup of credentials.db, or move it, the folder audit " +
      "and the store's folder of keys away and create new credentials.",
    cause,
  });
}

/** Runs `work`, turning errors of SQLite into ours. */
export function withTranslatedErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // An integer that was changed to one beyond what JavaScript can hold.
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

/** SQLite could not make its shared memory file larger: it says so, and not FULL, when the disk is full. */
const IOERR_SHMSIZE = 4874;

/** True where another way of opening may do: the file is there, but cannot be written. */
export function isWriteError(error: unknown): boolean {
  const result = sqliteResult(error);
  if (result !== undefined) return [READONLY, IOERR, FULL, CANTOPEN].includes(result);
  return ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].some((code) => isErrno(error, code));
}

/** For a store that can be read and not written. */
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

/** The primary result code when the error comes from SQLite. */
function sqliteResult(error: unknown): number | undefined {
  if (!isErrno(error, "ERR_SQLITE_ERROR")) return undefined;
  return (sqliteCode(error) ?? 0) & 0xff;
}
