import { expect, test } from "vitest";

import { credentialMachine } from "../credential-machine.ts";

// What it does with the executable: test/e2e/upgrade.test.ts.
test("svc that runs from its sources is not replaced", async () => {
  const { svc } = credentialMachine();
  const { code, out, err } = await svc("upgrade", ".");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("This svc was installed with git.");
  expect(err).toContain("Run `git pull && npm run build` instead.");
});
