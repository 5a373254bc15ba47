import { expect, test } from "vitest";

import { credentialMachine } from "../credential-machine.ts";

// test/e2e/upgrade.test.ts covers the replacement of the executable.
test("svc that runs from its sources is not replaced", async () => {
  const { svc } = credentialMachine();
  const { code, out, err } = await svc("upgrade", ".");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("This svc was installed with git.");
  expect(err).toContain("Run `git pull && npm run build` instead.");
});
