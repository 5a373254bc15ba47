import { describe } from "vitest";

import {
  missingRequirements,
  REQUIREMENT_PREFIX,
  type RequirementName,
} from "../../scripts/testing/requirements.ts";

/**
 * Registers tests that need programs or rights which a machine may lack. If one is missing they are
 * skipped: the closing lines name them with the missing needs (test/helpers/reporter.ts).
 */
export function needs(names: readonly RequirementName[], register: () => void): void {
  const missing = missingRequirements(names);
  const leaveOut = (): void => {
    // oxlint-disable-next-line vitest/no-disabled-tests -- left out by name
    describe.skip(`${REQUIREMENT_PREFIX}${missing.join(", ")}`, () => {
      register();
    });
  };
  (missing.length === 0 ? register : leaveOut)();
}
