import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { cancelled, runError, runFailure } from "../../../src/engine/indexing/run-failure.ts";

test("an error of svc keeps its code and text in a message, and the stack of its cause", () => {
  const cause = new Error("no space left on device");
  const thrown = new SvcError("STORAGE_FULL", "The disk is full.", { cause });
  const failure = structuredClone(runFailure(thrown));
  expect(failure).toMatchObject({ code: "STORAGE_FULL", detail: "The disk is full." });
  expect(failure.stack).toContain("no space left on device");
  expect(runError(failure)).toMatchObject({
    code: "STORAGE_FULL",
    detail: "The disk is full.",
    cause: failure.stack,
  });
});

test("any other error is an internal one", () => {
  expect(runFailure(new TypeError("x is undefined")).code).toBe("INTERNAL_ERROR");
  expect(runFailure("text").code).toBe("INTERNAL_ERROR");
});

test("a cancelled run has a code that callers know", () => {
  expect(cancelled()).toMatchObject({ code: "INDEX_UNAVAILABLE" });
});
