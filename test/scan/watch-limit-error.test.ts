import { expect, test } from "vitest";

import { watchLimitError } from "../../src/scan/watch-limit-error.ts";

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test.each(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"])(
  "%s affects one folder",
  (code) => expect(watchLimitError(failure(code))).toBeUndefined(),
);

test.each([
  ["ENOSPC", /sysctl fs\.inotify\.max_user_watches=/],
  ["EMFILE", /sysctl fs\.inotify\.max_user_instances=/],
  ["EIO", /cannot watch folders here \(EIO\)/],
])("the message for %s says how to fix it", (code, message) =>
  expect(watchLimitError(failure(code))?.message).toMatch(message),
);
