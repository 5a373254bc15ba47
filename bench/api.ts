// Measures how well `svc changes --api` finds the removals, changes and additions of a new version, compared with the
// Python interpreter, the TypeScript compiler and the Go tools on the same two versions (docs/api-changes.md).
//
//     node bench/api.ts --mirrors DIR --cache DIR [--only click] [--show 10]

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { PAIRS, type PythonPair, type VersionPair } from "./api/pairs.ts";
import { scoreApi, type ApiScore, type ReportedChange, type TruthNames } from "./api/score-api.ts";
import { installTool } from "./references/checkout.ts";
import { TYPESCRIPT } from "./references/language-service.ts";

const HERE = join(import.meta.dirname, "api");

const { values } = parseArgs({
  options: {
    mirrors: { type: "string" },
    cache: { type: "string" },
    only: { type: "string" },
    show: { type: "string", default: "0" },
    json: { type: "string" },
    python: { type: "string", default: "python3" },
    svc: { type: "string", default: join(import.meta.dirname, "../dist/svc") },
  },
});
const { mirrors, cache, only } = values;
if (mirrors === undefined || cache === undefined) {
  process.stderr.write(
    "Usage: node bench/api.ts --mirrors DIR --cache DIR [--only NAME] [--show N]\n",
  );
  process.exit(2);
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 << 20 });
}

function checkout(repository: string, tag: string): string {
  const path = join(cache ?? "", `${repository.replace("/", "+")}-${tag.replaceAll("/", "_")}`);
  if (!existsSync(path)) {
    const mirror = join(mirrors ?? "", repository.replace("/", "+"), "repo");
    git("clone", "-q", "--no-hardlinks", mirror, path);
    git("-C", path, "checkout", "-q", tag);
  }
  return path;
}

function truthOf(pair: VersionPair, path: string): TruthNames {
  const options = { encoding: "utf8", maxBuffer: 256 << 20 } as const;
  const output =
    pair.language === "typescript"
      ? execFileSync(
          process.execPath,
          [join(HERE, "script-api.mjs"), path, ...pair.source, compiler()],
          options,
        )
      : execFileSync(
          values.python,
          [join(HERE, "python_api.py"), join(path, pair.root), pair.module],
          { ...options, env: pythonEnvironment(pair) },
        );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own scripts
  return (JSON.parse(output) as { readonly names: TruthNames }).names;
}

function pythonEnvironment({ needs = [] }: PythonPair): NodeJS.ProcessEnv {
  const needed = needs.map(({ repository, tag, root }) => join(checkout(repository, tag), root));
  return { ...process.env, PYTHONPATH: needed.join(":"), PYTHONDONTWRITEBYTECODE: "1" };
}

function compiler(): string {
  return join(installTool(TYPESCRIPT, cache ?? ""), "lib/typescript.js");
}

function answerOf(pair: VersionPair, path: string, folder: string): readonly ReportedChange[] {
  const [before, now] = pair.tags;
  const env = {
    ...process.env,
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CACHE_HOME: join(folder, "data"),
  };
  const args = ["changes", "--api", "--since", `${before}..${now}`, "--limit", "10000", "--json"];
  const output = execFileSync(values.svc, args, {
    cwd: path,
    env,
    encoding: "utf8",
    maxBuffer: 256 << 20,
    stdio: ["ignore", "pipe", "ignore"],
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the program
  return (JSON.parse(output) as { changes: readonly ReportedChange[] }).changes;
}

mkdirSync(cache, { recursive: true });
const scores: (ApiScore & { readonly name: string })[] = [];
for (const pair of PAIRS) {
  if (only !== undefined && !only.split(",").includes(pair.name)) continue;
  const [before, now] = pair.tags.map((tag) => checkout(pair.repository, tag));
  if (before === undefined || now === undefined) continue;
  const truth = { before: truthOf(pair, before), now: truthOf(pair, now) };
  const score = scoreApi(truth, answerOf(pair, now, cache), pair);
  const held = pair.isHeldOut === true ? " (held out)" : "";
  scores.push({ name: `${pair.name} ${pair.tags.join("..")}${held}`, ...score });
  report({ name: scores.at(-1)?.name ?? "", ...score, truth });
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify(scores, undefined, 2)}\n`);

function share(part: number, of: number): string {
  return of === 0 ? "-" : (part / of).toFixed(3);
}

function report(
  score: ApiScore & {
    readonly name: string;
    readonly truth: { readonly before: TruthNames; readonly now: TruthNames };
  },
): void {
  process.stdout.write(`${score.name}\n`);
  const { resolved, unjudged } = score;
  process.stdout.write(
    `  with what types mean: ${resolved.right}/${resolved.expected} changed; ${unjudged} not judged\n`,
  );
  for (const what of ["removed", "changed", "added"] as const) {
    const { right, reported: all, expected, wrong, missed } = score[what];
    process.stdout.write(
      `  ${what.padEnd(8)} precision ${share(right, all)} (${right}/${all})  recall ${share(expected - missed.length, expected)} (${expected - missed.length}/${expected})\n`,
    );
    const shown = Number(values.show);
    for (const one of wrong.slice(0, shown)) process.stdout.write(`    wrong   ${one}\n`);
    for (const one of missed.slice(0, shown)) process.stdout.write(`    missed  ${one}\n`);
    if (what !== "changed") continue;
    for (const one of missed.slice(0, shown))
      process.stdout.write(
        `      ${JSON.stringify(score.truth.before[one])}\n      ${JSON.stringify(score.truth.now[one])}\n`,
      );
  }
}
