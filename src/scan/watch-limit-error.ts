/** Thrown when the system, or svc itself, cannot watch a tree. `message` is a sentence for people. */
export class WatchLimitError extends Error {}

const HOW_TO_RAISE =
  "raise it with `sysctl fs.inotify.max_user_watches=524288`, and permanently in /etc/sysctl.d";

/** Converts a failure to watch a directory. Undefined if it affects only this directory. */
export function watchLimitError(error: unknown): WatchLimitError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    // The directory was removed or is unreadable. The walk reports that, and its parent gets an event.
    case "ENOENT":
    case "ENOTDIR":
    case "EACCES":
    case "EPERM":
    case "ELOOP":
    case "ENAMETOOLONG":
      return undefined;
    case "ENOSPC":
      return new WatchLimitError(
        `This user has reached the limit of watched folders; ${HOW_TO_RAISE}.`,
      );
    case "EMFILE":
      return new WatchLimitError(
        "This user has reached the limit of watchers or open files; raise fs.inotify.max_user_instances with `sysctl fs.inotify.max_user_instances=512`, or the limit of open files.",
      );
    default:
      return new WatchLimitError(`svc cannot watch folders here (${code || String(error)}).`);
  }
}

/** The error for a source with more folders than svc watches. */
export function tooManyFolders(folders: number): WatchLimitError {
  return new WatchLimitError(
    `There are more than ${folders} folders, the most that svc watches; exclude some in .svcignore.`,
  );
}
