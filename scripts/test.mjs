// npm test [-- vitest arguments]: everything a test needs, then the tests.

import { ensureInstalled, runPinned } from "./setup.mjs";

ensureInstalled();
process.exitCode =
  runPinned(["build.mjs", "--if-changed"]) ||
  runPinned(["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)]);
