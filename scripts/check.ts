// npm run check: runs every static check at once. Prints the complete output of those that fail and
// nothing for the others.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

interface Check {
  readonly name: string;
  /** Path below the repository of the script that Node runs. */
  readonly script: string;
  readonly args?: readonly string[];
}

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: string;
}

const ROOT = path.join(import.meta.dirname, "..");

const TYPESCRIPT = "node_modules/typescript/bin/tsc";

const CHECKS: readonly Check[] = [
  { name: "format", script: "node_modules/oxfmt/bin/oxfmt", args: ["--check"] },
  { name: "lint", script: "node_modules/oxlint/bin/oxlint", args: ["--type-aware"] },
  { name: "types", script: TYPESCRIPT, args: ["--noEmit"] },
  { name: "types of web", script: TYPESCRIPT, args: ["--noEmit", "-p", "src/web"] },
  { name: "layers", script: "scripts/check-layers.ts" },
  { name: "names", script: "scripts/check-names.ts" },
  { name: "words", script: "scripts/check-words.ts" },
  { name: "unused code", script: "node_modules/knip/bin/knip.js" },
  { name: "generated files", script: "scripts/generate.ts", args: ["--check"] },
];

const outcomes = await Promise.all(
  CHECKS.filter(({ script }) => existsSync(path.join(ROOT, script))).map(async (check) => ({
    check,
    outcome: await run(check),
  })),
);
for (const { check, outcome } of outcomes) {
  if (!outcome.ok) console.log(`--- ${check.name}\n${outcome.output.trimEnd()}\n`);
}
for (const { check, outcome } of outcomes) {
  console.log(`${outcome.ok ? "ok    " : "FAILED"} ${check.name.padEnd(15)} ${outcome.seconds} s`);
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
