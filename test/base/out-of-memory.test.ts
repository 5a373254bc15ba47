import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

import { toSvcError } from "../../src/base/errors.ts";

const explained = { code: "INDEX_UNAVAILABLE", message: "svc ran out of memory." };

test("a thread that runs out of memory ends with an error that says so", async () => {
  const worker = new Worker("const kept = []; for (;;) kept.push({ text: `${kept.length}` });", {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  const [error] = await once(worker, "error").catch((thrown: unknown) => [thrown]);
  expect(toSvcError(error)).toMatchObject(explained);
});

test("a buffer that is too large for this machine gives the same error", () => {
  let thrown: unknown;
  try {
    thrown = new ArrayBuffer(2 ** 52);
  } catch (error) {
    thrown = error;
  }
  expect(toSvcError(thrown)).toMatchObject(explained);
});

test("any other RangeError is internal", () => {
  expect(toSvcError(new RangeError("Invalid array length")).code).toBe("INTERNAL_ERROR");
});
