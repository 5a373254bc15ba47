import { expect, test } from "vitest";

import { requireNamespaces } from "../../src/credentials/credential-namespaces.ts";

const failure = (message: RegExp) =>
  expect.objectContaining({ code: "USAGE", message: expect.stringMatching(message) });

test("all namespaces, or names of them, at least one", () => {
  expect(() => requireNamespaces("all")).not.toThrow();
  expect(() => requireNamespaces(["docs", "api-2.x"])).not.toThrow();
  expect(() => requireNamespaces([])).toThrow(failure(/at least one namespace/));
  expect(() => requireNamespaces(["docs", "API"])).toThrow(failure(/"API" is not a namespace/));
  // The word of the flags is a name like any other.
  expect(() => requireNamespaces(["all"])).not.toThrow();
});
