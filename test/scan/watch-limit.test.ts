import { expect, test } from "vitest";

import { limitOf } from "../../src/scan/watch-limit.ts";

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test.each(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"])(
  "%s concerns one folder",
  (code) => expect(limitOf(failure(code))).toBeUndefined(),
);

test.each([
  ["ENOSPC", /sysctl fs\.inotify\.max_user_watches=/],
  ["EMFILE", /sysctl fs\.inotify\.max_user_instances=/],
  ["EIO", /cannot be watched here \(EIO\)/],
])("%s says how to mend it", (code, message) =>
  expect(limitOf(failure(code))?.message).toMatch(message),
);
