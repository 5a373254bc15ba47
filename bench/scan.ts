// How much processor time a walk takes, beside what git needs for the same question.
// Run: node bench/scan.ts FOLDER [ROUNDS]

import { spawnSync } from "node:child_process";
import { cpus } from "node:os";

import { languageOf, roleOf } from "../src/scan/classify.ts";
import { readText } from "../src/scan/read-text.ts";
import { walk } from "../src/scan/walk.ts";

const LIMIT_BYTES = 1 << 20;

interface Row {
  readonly what: string;
  readonly unit: "cpu ms" | "wall ms";
  readonly times: readonly number[];
}

const [folder, rounds = "9"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node bench/scan.ts FOLDER [ROUNDS]");
  process.exitCode = 2;
} else {
  measure(folder, Number(rounds));
}

function measure(root: string, count: number): void {
  const { files, skipped } = walk(root);
  const buffer = Buffer.alloc(LIMIT_BYTES + 1);
  const rows: Row[] = [
    { what: "walk + ignore + stat", unit: "cpu ms", times: cpuTimes(count, () => walk(root)) },
    {
      what: "language and role of each file",
      unit: "cpu ms",
      times: cpuTimes(count, () => {
        for (const { path } of files) roleOf(path, languageOf(path));
      }),
    },
    {
      what: "read, decode and hash each file",
      unit: "cpu ms",
      times: cpuTimes(count, () => {
        for (const { path } of files) readText(`${root}/${path}`, LIMIT_BYTES, buffer);
      }),
    },
    ...(isRepository(root) ? gitRows(root, count) : []),
  ];
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  console.log(
    `corpus   ${root}: ${files.length} files, ${(sizeBytes / 1e6).toFixed(1)} MB, ${skipped.length} skipped`,
  );
  console.log(`machine  ${cpus()[0]?.model ?? "unknown"}, node ${process.version}, n = ${count}\n`);
  console.log(
    `${"step".padEnd(50)}${"unit".padEnd(9)}${"first".padStart(8)}${"median".padStart(8)}${"min".padStart(8)}`,
  );
  for (const { what, unit, times } of rows) {
    const sorted = times.toSorted((a, b) => a - b);
    const figures = [times[0], sorted[sorted.length >> 1], sorted[0]];
    console.log(
      what.padEnd(50) +
        unit.padEnd(9) +
        figures.map((ms) => (ms ?? 0).toFixed(1).padStart(8)).join(""),
    );
  }
}

function isRepository(root: string): boolean {
  return spawnSync("git", ["rev-parse"], { cwd: root, stdio: "ignore" }).status === 0;
}

function gitRows(root: string, count: number): Row[] {
  const questions = [
    ["ls-files", "-s", "-z"],
    ["ls-files", "-c", "-o", "--exclude-standard", "-z"],
    ["status", "--porcelain"],
  ];
  return questions.map((args) => ({
    what: `git ${args.join(" ")}`,
    unit: "wall ms",
    times: wallTimes(count, () => spawnSync("git", args, { cwd: root, stdio: "ignore" })),
  }));
}

function cpuTimes(count: number, run: () => unknown): number[] {
  return Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

function wallTimes(count: number, run: () => unknown): number[] {
  return Array.from({ length: count }, () => {
    const before = performance.now();
    run();
    return performance.now() - before;
  });
}
