import { expect, test } from "vitest";

import { parameterPath } from "../../src/base/receiver-marks.ts";

test("a receiver in a macro names a parameter and the members from it", () => {
  expect(parameterPath("~1.state.window")).toEqual({ parameter: 1, path: ".state.window" });
  expect(parameterPath("~0")).toEqual({ parameter: 0, path: "" });
  expect(parameterPath("~")).toBeUndefined();
  expect(parameterPath("@Foo")).toBeUndefined();
});
