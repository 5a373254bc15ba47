import { sqliteCode, SvcError, toSvcError } from "../base/errors.ts";

/** The index is not as it was written. Indexing everything again fixes it. */
export class IndexDamage extends SvcError {
  constructor(detail: string, cause?: unknown) {
    super("INDEX_UNAVAILABLE", detail, { hint: "Run `svc index --rebuild`.", cause });
  }
}

export function damagedSection(name: string, cause?: unknown): IndexDamage {
  return new IndexDamage(`The ${name} section of the index is damaged.`, cause);
}

export function damagedFile(name: string, cause?: unknown): IndexDamage {
  return new IndexDamage(`The index file ${name} is damaged.`, cause);
}

export function damagedCatalog(cause?: unknown): IndexDamage {
  return new IndexDamage("The catalogue of the index is damaged.", cause);
}

export function otherFormat(name: string): IndexDamage {
  return new IndexDamage(`The index file ${name} has another format.`);
}

/** An older svc does not touch the index of a newer one: both may be in use at the same time. */
export class NewerIndex extends SvcError {
  constructor() {
    super("INDEX_UNAVAILABLE", "The index was written by a newer svc.", {
      hint: "Update svc, or run `svc index --rebuild` to rebuild it with this one.",
    });
  }
}

/** Error codes of Node and of SQLite (READONLY, IOERR, FULL, CANTOPEN) for a refused write. */
const WRITE_REFUSALS = {
  errno: [
    "EROFS",
    "EACCES",
    "EBUSY",
    "EPERM",
    "EFBIG",
    "EMFILE",
    "ENFILE",
    "EIO",
    "ENOSPC",
    "EDQUOT",
  ],
  sqlite: [8, 10, 13, 14],
};

/** Rethrows errors of `run`; converts a write error of the file system or SQLite to one with a hint. */
export async function explainWriteErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    const isRefusal =
      WRITE_REFUSALS.errno.includes(code) ||
      WRITE_REFUSALS.sqlite.includes((sqliteCode(thrown) ?? 0) & 0xff);
    throw isRefusal ? writeRefused("The index cannot be written", thrown) : thrown;
  }
}

/** Converts a write error to one with a hint: STORAGE_FULL or INDEX_UNAVAILABLE. */
export function writeRefused(what: string, cause: unknown): SvcError {
  const error = toSvcError(cause);
  if (error.code !== "INTERNAL_ERROR") return error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // Windows has one answer to both.
  if (code === "EBUSY" || (code === "EPERM" && process.platform === "win32")) {
    const why = "another program has it open, or svc may not change it";
    return new SvcError("INDEX_UNAVAILABLE", `${what}: ${why}.`, {
      hint: "End other svc processes, also those that editors have started, and try again.",
      cause,
    });
  }
  if (code === "EMFILE") {
    return new SvcError("INDEX_UNAVAILABLE", `${what}: svc has reached its limit of open files.`, {
      hint: "Raise the limit, for example with `ulimit -n 1024`.",
      cause,
    });
  }
  return new SvcError("INDEX_UNAVAILABLE", `${what}.`, {
    hint: "Check that svc may write to its data folder (SERVICE_HOME), and that the disk works and can hold more files.",
    cause,
  });
}
