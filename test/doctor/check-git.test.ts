import { expect, test } from "vitest";
import { isOld } from "../../src/doctor/check-git.ts";
import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";
import { complaintsIn } from "./patient.ts";

test("git is not installed", async () => {
  const bare = credentialMachine();
  const env = { PATH: bare.home, SERVICE_DATA_KEY_FILE: bare.keyFile };
  const found = complaintsIn(await runProgram(bare, ["doctor", "--json"], { env }));
  expect(found).toEqual([
    expect.objectContaining({
      check: "git",
      state: "warning",
      mend: "Install git 2.39.4 or later.",
    }),
  ]);
});

test.each([
  ["2.39.3", true],
  ["2.39.4", false],
  ["2.39.5 (Apple Git-154)", false],
  ["2.40.0.windows.1", false],
  ["2.9", true],
  ["1.8.3.1", true],
  ["3.0", false],
  ["", false],
])("git %s is old: %s", (version, expected) => {
  expect(isOld(version)).toBe(expected);
});
