import { expect, test } from "vitest";

import { isLoopback } from "../../src/base/loopback.ts";

test.each(["127.0.0.1", "127.9.8.7", "localhost", "LOCALHOST", "::1", "[::1]"])(
  "%s can only be reached from this machine",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "127.0.0.1.example.org",
  "localhost.example.org",
  "example-localhost",
  "1127.0.0.1",
  "::12",
  "[::1",
  "",
])("%j is not known to be", (host) => {
  expect(isLoopback(host)).toBe(false);
});
