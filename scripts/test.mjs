// npm test [-- arguments of scripts/testing/run.ts or vitest]: everything the tests need, then the tests.

import { ensureInstalled, runPinned } from "./setup.mjs";

ensureInstalled();
process.exitCode = runPinned(["scripts/testing/run.ts", ...process.argv.slice(2)]);
