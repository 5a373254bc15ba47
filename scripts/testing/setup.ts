// npm run test:setup: installs the programs that some tests need. Without it those tests are skipped.
import { spawnSync } from "node:child_process";

import {
  describeRequirements,
  findProgram,
  missingRequirements,
  TEST_REQUIREMENTS,
} from "./requirements.ts";

const missing = missingRequirements();
if (missing.length === 0) {
  console.log("Every program that the tests need is installed.");
} else {
  console.log(`Missing on this machine:\n${describeRequirements(missing).join("\n")}\n`);
  process.exitCode = install(missing.flatMap((name) => [...TEST_REQUIREMENTS[name].packages]));
}

/** Returns an exit code. */
function install(packages: readonly string[]): number {
  const apt = ["apt-get", "install", "-qy", "--no-install-recommends", ...packages];
  if (findProgram("apt-get") === undefined) {
    console.error(
      "Install them with the package manager of this system; apt-get is not available.",
    );
    return 1;
  }
  if (process.getuid?.() !== 0) {
    console.error(`Run this as root, or: sudo ${apt.join(" ")}`);
    return 1;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const [command = "", ...args] of [["apt-get", "update", "-q"], apt]) {
    const { status } = spawnSync(command, args, { stdio: ["ignore", 2, 2], env });
    if (status !== 0) return status ?? 1;
  }
  const left = missingRequirements();
  if (left.length === 0) return 0;
  console.error(`Still missing after the installation:\n${describeRequirements(left).join("\n")}`);
  return 1;
}
