// The processor time of a walk and of reading its files, next to the minimum that Node needs for the system calls, and
// next to git for the same task. The first walk of a process, in the column "first", is the cost for indexing: its code
// is compiled on the way.
// Run: node bench/scan.ts FOLDER [ROUNDS]

import { spawnSync } from "node:child_process";
import { closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { cpus } from "node:os";

import { SAFE_READ } from "../src/base/files.ts";
import { toFilePath } from "../src/base/path-bytes.ts";
import { languageOf, fileRole } from "../src/scan/classify.ts";
import { readOpenTextFile } from "../src/scan/read-text-file.ts";
import { walk } from "../src/scan/walk.ts";
import type { WalkResult } from "../src/scan/walk-result.ts";
import { FolderReader } from "../src/sources/folder-reader.ts";
import { openBelow, requireFolder } from "../src/sources/confined-path.ts";

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
  measure(requireFolder(folder), Number(rounds));
}

function measure(root: string, count: number): void {
  let found: WalkResult | undefined;
  const walks = cpuTimes(count, () => (found = walk(root)));
  const { files = [], skipped = [] } = found ?? {};
  const names = files.map(({ path }) => toFilePath(`${root}/${path}`));
  const folders = [...new Set(files.flatMap(({ path }) => foldersAbove(root, path)))];
  const reader = new FolderReader({ root, namespace: "bench" });
  const buffer = Buffer.alloc(LIMIT_BYTES + 1);
  const cpuRow = (what: string, run: () => unknown, times = count): Row => {
    return { what, unit: "cpu ms", times: cpuTimes(times, run) };
  };
  const rows: Row[] = [
    { what: "walk: list, ignore, stat", unit: "cpu ms", times: walks },
    cpuRow("  the same folders listed, files stat, by node:fs", () => {
      for (const path of folders) readdirSync(toFilePath(path), { withFileTypes: true });
      for (const name of names) lstatSync(name);
    }),
    cpuRow("language and role of each file", () => {
      for (const { path } of files) fileRole(path, languageOf(path));
    }),
    cpuRow("open each file (FolderReader) and close it", () => {
      for (const { path } of files) closeSync(reader.open(path));
    }),
    cpuRow("  the same by node:fs, without a check", () => {
      for (const name of names) closeSync(openSync(name, SAFE_READ));
    }),
    cpuRow(
      "  the same by openInside",
      () => {
        for (const { path } of files) closeSync(openBelow(root, path));
      },
      Math.min(count, 3),
    ),
    cpuRow("open, read, decode and hash each file", () => {
      for (const { path } of files) {
        const file = reader.open(path);
        readOpenTextFile(file, LIMIT_BYTES, buffer);
        closeSync(file);
      }
    }),
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

function foldersAbove(root: string, path: string): string[] {
  const found = [root];
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    found.push(`${root}/${path.slice(0, slash)}`);
  }
  return found;
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
