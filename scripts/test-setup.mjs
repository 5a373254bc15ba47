// npm run test:setup: installs the packages, and the programs that some tests need.

import { ensureInstalled, runPinned } from "./setup.mjs";

ensureInstalled();
process.exitCode = runPinned(["scripts/testing/setup.ts"]);
