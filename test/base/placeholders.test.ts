import { expect, test } from "vitest";

import { isPlaceholder } from "../../src/base/placeholders.ts";

test.each([
  "$DB_PASSWORD",
  "${PASSWORD}",
  "prefix-${PASSWORD}",
  "{{ password }}",
  "<password>",
  "%(password)s",
  "****",
  "xxx",
  "password",
  "mypassword1",
  "your-secret",
  "changeme",
  "REDACTED",
  "postgres",
])("%j stands in for a password", (value) => {
  expect(isPlaceholder(value)).toBe(true);
});

test.each(["hunter2", "passwords-are-9", "x7", "correct horse", "secretive"])(
  "%j may be one",
  (value) => {
    expect(isPlaceholder(value)).toBe(false);
  },
);
