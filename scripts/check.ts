// npm run check [-- --changed]: runs every static check at once. Prints the complete output of those that fail and
// nothing for the others. With --changed it runs those that the files changed since the main branch need.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { changedFiles } from "./check/changed-files.ts";
import { CHECKS, planOf, type Check } from "./check/checks.ts";

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: string;
}

const ROOT = path.join(import.meta.dirname, "..");

const { values } = parseArgs({ options: { changed: { type: "boolean", default: false } } });
const changed = values.changed ? changedFiles(ROOT) : [];
const { checks, leftOut } = values.changed
  ? planOf(changed, (file) => existsSync(path.join(ROOT, file)))
  : { checks: CHECKS, leftOut: [] };
const outcomes = await Promise.all(
  checks
    .filter(({ script }) => existsSync(path.join(ROOT, script)))
    .map(async (check) => ({ check, outcome: await run(check) })),
);
for (const { check, outcome } of outcomes) {
  if (!outcome.ok) console.log(`--- ${check.name}\n${outcome.output.trimEnd()}\n`);
}
for (const { check, outcome } of outcomes) {
  console.log(`${outcome.ok ? "ok    " : "FAILED"} ${check.name.padEnd(15)} ${outcome.seconds} s`);
}
if (values.changed) {
  const only = checks.filter(({ isPerFile }) => isPerFile === true).map(({ name }) => name);
  console.log(`\n${changed.length} changed files. Left out: ${leftOut.join(", ") || "nothing"}.`);
  if (only.length > 0) console.log(`Only for the changed files: ${only.join(", ")}.`);
}
if (outcomes.some(({ outcome }) => !outcome.ok)) process.exitCode = 1;

function run({ script, args = [] }: Check): Promise<Outcome> {
  const start = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  return new Promise((resolve) => {
    const end = (ok: boolean): void => {
      resolve({ ok, output, seconds: ((performance.now() - start) / 1000).toFixed(1) });
    };
    child.on("error", (error) => {
      output += error.message;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}
