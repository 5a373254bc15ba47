// Reference work, done in this process and in the same minute: the ratios of the benches are relative to
// it. It is slow on a slow machine too.
import { readFileSync } from "node:fs";

import type { Row } from "./report.ts";

export const PLAIN_SCAN = "plain scan of all files";

/** Reads every file and finds the lines that contain a word: the cost of a query without an index. */
export function plainScan(files: readonly string[], times: number): Row {
  const samples = Array.from({ length: times + 1 }, () => {
    const before = process.threadCpuUsage();
    for (const file of files) matchingLines(readFileSync(file, "utf8"));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  // The first run compiles.
  return { name: PLAIN_SCAN, unit: "cpu ms", samples: samples.slice(1) };
}

function matchingLines(text: string): number {
  return text.split("\n").filter((line) => line.includes("compilation")).length;
}
