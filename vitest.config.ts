import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          // Processes, not threads: V8's flags, which search_text sets, hold for a whole process.
          // Starting a context of its own for each file takes five times as long as the tests.
          pool: "forks",
          isolate: false,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          testTimeout: 30_000,
        },
      },
    ],
    reporters: ["dot", "./test/helpers/reporter.ts"],
  },
});
