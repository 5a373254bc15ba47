/** The system, or svc itself, does not let a tree be watched; `message` is a sentence for people. */
export class WatchLimitError extends Error {}

const HOW_TO_RAISE =
  "raise it with `sysctl fs.inotify.max_user_watches=524288`, and in /etc/sysctl.d for good";

/** What a failure to watch a directory means; undefined where only this directory is concerned. */
export function watchLimitError(error: unknown): WatchLimitError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    // Gone meanwhile, or not to be read: the walk says so, and the folder above hears of a change.
    case "ENOENT":
    case "ENOTDIR":
    case "EACCES":
    case "EPERM":
    case "ELOOP":
    case "ENAMETOOLONG":
      return undefined;
    case "ENOSPC":
      return new WatchLimitError(
        `The limit of watched folders of this user is reached; ${HOW_TO_RAISE}.`,
      );
    case "EMFILE":
      return new WatchLimitError(
        "The limit of watchers or open files of this user is reached; raise fs.inotify.max_user_instances with `sysctl fs.inotify.max_user_instances=512`, or the limit of open files.",
      );
    default:
      return new WatchLimitError(`Folders cannot be watched here (${code || String(error)}).`);
  }
}

export function tooManyFolders(folders: number): WatchLimitError {
  return new WatchLimitError(
    `There are more than ${folders} folders, more than svc watches; leave some out in .svcignore.`,
  );
}
