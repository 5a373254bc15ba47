import { expect, test } from "vitest";

import { compareVersions } from "../../src/upgrade/versions.ts";

test("versions are ordered as semver orders them", () => {
  const ordered = ["0.8.0", "0.8.1", "0.9.0-rc.2", "0.9.0-rc.10", "0.9.0", "0.10.0", "1.0.0"];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  expect(compareVersions("1.2.3", "1.2.3")).toBe(0);
});
