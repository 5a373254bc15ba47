// npm run test:trust [-- --soak] [-- files]: everything a test needs, then what is promised, at length.

import { ensureInstalled, runPinned } from "./setup.mjs";

ensureInstalled();
process.exitCode =
  runPinned(["build.mjs", "--if-changed"]) ||
  runPinned(["scripts/trust/run.ts", ...process.argv.slice(2)]);
