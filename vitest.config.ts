import path from "node:path";

import { defineConfig } from "vitest/config";

import { LongestFirst } from "./test/helpers/longest-first.ts";
import { memoryFolder } from "./test/helpers/memory-folder.ts";

// Threads and programs that tests start from the sources: with Node's cache of compiled modules a start costs a
// quarter. Every process inherits it; one that gets an environment of its own is given it by name.
process.env["NODE_COMPILE_CACHE"] ??= path.join(
  import.meta.dirname,
  "node_modules/.cache/svc-tests",
);

// Indexes and stores sync their files. On a disk each test waits for that, and what a killed process wrote is there
// with and without it.
const memory = memoryFolder();
if (memory !== undefined) process.env["TMPDIR"] ??= memory;

/** Tests that keep several processes busy for long: they would make the others wait beyond their limits. */
const CAMPAIGNS = [
  "test/engine/{indexing/kills*,indexing/indexer-processes,watching/watch-processes}.test.ts",
  "test/credentials/faults/**/*.test.ts",
  "test/credentials/migrate-kills.test.ts",
  // Needs the built program.
  "test/trust/{branches,partition,soak,team}.test.ts",
];

/**
 * Tests that start git or other programs hundreds of times. To start one costs the more the larger the process is: 0.5 ms
 * of processor time in one of 50 MB, 20 in one of 1 GB, and as much again in its child. Workers grow with each file.
 */
const SPAWNING = [
  "test/sources/**/*.test.ts",
  "test/scan/{ignore,ripgrep-ignore,walk-rules}.test.ts",
  "test/engine/{drift,impact,revisions,why}/*.test.ts",
  "test/engine/indexing/{git-sources*,repository-kinds,allow-outside-git,start-from-base,three-worktrees}.test.ts",
  "test/scripts/{check,release}/**/*.test.ts",
  "test/trust/isolation/*.test.ts",
];

/**
 * Two more than two cores: tests that wait for a process, a lock or a deadline leave theirs idle. With three, the cores are busy
 * for 85 % of the time.
 */
const MAX_WORKERS = 4;

/** A test uses a grammar for seconds: to optimize its WebAssembly costs a tenth of the time of all tests, and gains less. */
const NODE_FLAGS = ["--liftoff-only"];

const SHARED = {
  // Processes, not threads: V8's flags, which search_text sets, hold for a whole process.
  // Starting a context of its own for each file takes five times as long as the tests.
  pool: "forks",
  isolate: false,
  maxWorkers: MAX_WORKERS,
  // Node loads the sources itself, as it does in threads and programs: Vite has nothing to transform, and the cache of
  // compiled modules serves the tests too.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  runner: "./scripts/testing/test-runner.ts",
} as const;

const UNIT = {
  ...SHARED,
  execArgv: NODE_FLAGS,
  // Many tests start programs; that is slow on a busy machine, and no test is about it.
  testTimeout: 20_000,
  // Hooks index the projects of their tests, and have as long.
  hookTimeout: 20_000,
} as const;

// One project after the other, which LongestFirst sees to: between groups of Vitest, workers would wait for the last file.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "spawning",
          include: SPAWNING,
          ...UNIT,
        },
      },
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", ...SPAWNING, ...CAMPAIGNS],
          ...UNIT,
        },
      },
      {
        test: {
          name: "campaigns",
          include: CAMPAIGNS,
          ...SHARED,
          execArgv: NODE_FLAGS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          ...SHARED,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    reporters: ["dot", "./test/helpers/reporter.ts"],
  },
});
