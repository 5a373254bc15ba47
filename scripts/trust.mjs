// npm run test:trust [-- --soak] [-- files]: runs the test setup, then the long tests of the promises.

import { ensureInstalled, runPinned } from "./setup.mjs";

ensureInstalled();
process.exitCode =
  runPinned(["build.mjs", "--if-changed"]) ||
  runPinned(["scripts/trust/run.ts", ...process.argv.slice(2)]);
