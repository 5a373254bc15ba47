import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { installStamp } from "../../../src/engine/dependencies/file-stamp.ts";
import { tree } from "../../helpers/tree.ts";

test("a file that is replaced by one of the same size and time has another stamp", () => {
  const { path, dispose } = tree({ "package.json": "{}" });
  onTestFinished(dispose);
  const file = join(path, "package.json");
  const time = new Date("1985-10-26T08:15:00Z");
  utimesSync(file, time, time);
  const before = installStamp(file);
  expect(installStamp(file)).toBe(before);
  writeFileSync(join(path, "new"), "{}");
  utimesSync(join(path, "new"), time, time);
  renameSync(join(path, "new"), file);
  expect(installStamp(file)).not.toBe(before);
  expect(installStamp(join(path, "missing"))).toBeUndefined();
});
