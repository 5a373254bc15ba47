// node bench/drift.ts --mirrors DIR [--cache DIR] [--half develop|judge] [--only OWNER/NAME] [--snapshots N] [--evaluate] [--verbose]
// Replays histories: runs `svc changes --docs` at commits before a correction of the documentation. A reported name is
// right if the page later lost it, or if a person judged it right (bench/drift/judgements.json). DIR holds bare
// repositories with their whole history, `owner+name/repo`. Needs `npm run build`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { isPastPath } from "../src/engine/drift/past.ts";
import { fileRole, languageOf } from "../src/scan/classify.ts";
import { correctionsIn, type Correction } from "./drift/corrections.ts";
import { checkOut, cloneOf, git } from "./drift/git.ts";
import { REPOSITORIES } from "./drift/repositories.ts";
import { keep } from "./quality/publish.ts";
import { homesIn, SVC, type Environment } from "./workspace.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-drift") },
    half: { type: "string", default: "" },
    only: { type: "string", default: "" },
    snapshots: { type: "string", default: "6" },
    evaluate: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

interface Statement {
  readonly path: string;
  readonly line: number;
  readonly section?: string;
  readonly kind: string;
  readonly text: string;
  readonly name: string;
  readonly became?: string;
  readonly removed: { readonly commit: string; readonly subject: string };
}

/** A name that was reported on a page, once for all snapshots. */
interface Reported extends Statement {
  readonly snapshot: string;
  /** "gone": a later version of the page lacks it. "there": no later one does. */
  readonly fate: "gone" | "there";
  /** The judgement of a person; undefined for names that nobody judged. */
  readonly judged: boolean | undefined;
}

const JUDGEMENTS = join(import.meta.dirname, "drift/judgements.json");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- data of this bench
const judgements = JSON.parse(readFileSync(JUDGEMENTS, "utf8")) as Readonly<
  Record<string, { readonly right: boolean; readonly why: string }>
>;

/** Corrections of a repository, kept between runs: finding them takes most of the time. */
function keptCorrections(folder: string): readonly Correction[] {
  const file = `${folder}.corrections.json`;
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(correctionsIn(folder)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as written above
  return JSON.parse(readFileSync(file, "utf8")) as readonly Correction[];
}

/** Commits before corrections, oldest first, and as many that are evenly spread over the history. */
function snapshotsOf(folder: string, corrections: readonly Correction[]): readonly string[] {
  const count = Number(values.snapshots);
  const order = git(folder, ["rev-list", "--reverse", "--topo-order", "HEAD"]).trim().split("\n");
  const line = git(folder, ["rev-list", "--reverse", "--first-parent", "HEAD"]).trim().split("\n");
  const spread = Array.from({ length: count }, (_, at) => {
    const share = (at + 1) / count;
    return line[Math.ceil(share * line.length) - 1] ?? "";
  });
  const at = new Map(order.map((id, index) => [id, index]));
  const byOrder = (one: string, other: string): number => (at.get(one) ?? 0) - (at.get(other) ?? 0);
  const byParent = Map.groupBy(corrections, ({ parent }) => parent);
  const parents = [...byParent.keys()].filter((id) => at.has(id)).toSorted(byOrder);
  const size = Math.max(1, parents.length / count);
  for (let start = 0; start < parents.length; start += size) {
    const part = parents.slice(Math.floor(start), Math.floor(start + size));
    const [best] = part.toSorted(
      (one, other) => (byParent.get(other)?.length ?? 0) - (byParent.get(one)?.length ?? 0),
    );
    if (best !== undefined) spread.push(best);
  }
  return [...new Set(spread)].toSorted(byOrder);
}

function report(
  folder: string,
  env: Environment,
): { readonly statements: readonly Statement[]; readonly ms: number } {
  const started = performance.now();
  const args = ["changes", "--docs", "--json", "--limit", "10000"];
  const { status, stdout, stderr } = spawnSync(process.env["SVC_BIN"] ?? SVC, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as docs/drift.md describes it
  const { statements } = JSON.parse(stdout) as { readonly statements: readonly Statement[] };
  return { statements, ms: performance.now() - started };
}

/** Returns whether the name is gone from the tip: from this page or, if the page was moved, from all others. */
function fateOf(folder: string, { path, name }: Statement): Reported["fate"] {
  const word = name.replace(/^--/, "").replace(/^.*\//, "");
  const isThere = git(folder, ["ls-tree", "origin/HEAD", "--", path]) !== "";
  const where = isThere ? ["--", path] : [];
  const args = ["grep", "-l", "-z", "-I", "-w", "-F", "-e", word, "origin/HEAD", ...where];
  const pages = git(folder, args)
    .split("\0")
    .map((one) => one.slice(one.indexOf(":") + 1))
    .filter((page) => fileRole(page, languageOf(page)) === "docs" && !isPastPath(page));
  return pages.length === 0 ? "gone" : "there";
}

function keyOf(github: string, { path, name }: Statement): string {
  return `${github} ${path} ${name}`;
}

/** The reports of svc at the snapshots of a repository, each name of a page once. */
interface Replay {
  readonly snapshots: number;
  readonly secondsPerSnapshot: number;
  readonly statements: readonly (Statement & { readonly snapshot: string })[];
  readonly found: number;
  readonly missed: readonly {
    readonly snapshot: string;
    readonly page: string;
    readonly name: string;
  }[];
}

function replay(folder: string): Replay {
  checkOut(folder, git(folder, ["rev-parse", "origin/HEAD"]).trim());
  const corrections = keptCorrections(folder);
  const data = mkdtempSync(join(tmpdir(), "svc-bench-drift-data-"));
  const env = homesIn(data)();
  const reported = new Map<string, Statement & { readonly snapshot: string }>();
  const missed: { snapshot: string; page: string; name: string }[] = [];
  let [found, time] = [0, 0];
  const snapshots = snapshotsOf(folder, corrections);
  for (const snapshot of snapshots) {
    checkOut(folder, snapshot);
    const { statements, ms } = report(folder, env);
    time += ms;
    const names = new Set(statements.map(({ path, name }) => `${path} ${name}`));
    for (const { parent, page, name } of corrections) {
      if (parent !== snapshot) continue;
      if (names.has(`${page} ${name}`)) found += 1;
      else missed.push({ snapshot, page, name });
    }
    for (const statement of statements) {
      const key = `${statement.path} ${statement.name}`;
      if (!reported.has(key)) reported.set(key, { ...statement, snapshot });
    }
  }
  rmSync(data, { recursive: true, force: true });
  const secondsPerSnapshot = Math.round(time / snapshots.length / 100) / 10;
  const statements = [...reported.values()];
  return { snapshots: snapshots.length, secondsPerSnapshot, statements, found, missed };
}

/** Replays a repository; with --evaluate, returns the reports of the last run. */
function keptReplay(folder: string): Replay {
  const file = `${folder}.replay.json`;
  if (!values.evaluate) writeFileSync(file, JSON.stringify(replay(folder)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as written above
  return JSON.parse(readFileSync(file, "utf8")) as Replay;
}

interface Measured {
  readonly reported: readonly Reported[];
  readonly missed: readonly Missed[];
  readonly figures: object;
}

function measure(github: string): Measured {
  const folder = cloneOf(github, values);
  const { statements, found, missed: names, ...rest } = keptReplay(folder);
  const reported = statements.map((statement) => ({
    ...statement,
    fate: fateOf(folder, statement),
    judged: judgements[keyOf(github, statement)]?.right,
  }));
  const missed = names.map(({ snapshot, page, name }) => ({
    snapshot,
    page,
    name,
    isDrift: judgements[`missed ${github} ${page} ${name}`]?.right,
  }));
  if (values.verbose) {
    for (const one of missed) console.log(`  missed ${JSON.stringify(one)}`);
    for (const one of reported) console.log(`  ${verdictOf(one)} ${lineOf(one)}`);
  }
  return { reported, missed, figures: { ...rest, ...summary(reported), ...recall(found, missed) } };
}

/** A correction that was not reported, and whether a person judged that the page really did not fit. */
interface Missed {
  readonly isDrift: boolean | undefined;
}

/** "wanted": all corrections that were found by their words; "real": the same without those that a person rejected. */
function recall(found: number, missed: readonly Missed[]): Readonly<Record<string, number>> {
  const none = missed.filter(({ isDrift }) => isDrift === false).length;
  return { found, wanted: found + missed.length, real: found + missed.length - none };
}

function verdictOf({ fate, judged }: Reported): string {
  if (judged !== undefined) return judged ? "right" : "WRONG";
  return fate === "gone" ? "gone" : "?";
}

function lineOf({ snapshot, path, line, text, name, removed }: Reported): string {
  return `${snapshot.slice(0, 10)} ${path}:${line} ${text} [${name}] ${removed.commit.slice(0, 10)} ${removed.subject}`;
}

function summary(reported: readonly Reported[]): Readonly<Record<string, number>> {
  // A judgement takes precedence over the later versions of the page: a page may lose a name for other reasons.
  const right = reported.filter(({ fate, judged }) => judged ?? fate === "gone").length;
  const open = reported.filter(
    ({ fate, judged }) => judged === undefined && fate === "there",
  ).length;
  const judged = reported.filter((one) => one.judged !== undefined).length;
  const wrong = reported.length - right - open;
  const precision = Math.round((1000 * right) / Math.max(1, right + wrong)) / 1000;
  return { reported: reported.length, right, wrong, open, judged, precision };
}

const results: Record<string, object> = {};
const halves: Record<string, { reported: Reported[]; missed: Missed[]; found: number }> = {
  develop: { reported: [], missed: [], found: 0 },
  judge: { reported: [], missed: [], found: 0 },
};
for (const { github, half } of REPOSITORIES) {
  if (
    (values.half !== "" && values.half !== half) ||
    (values.only !== "" && values.only !== github)
  )
    continue;
  const { reported, missed, figures } = measure(github);
  results[github] = { half, ...figures };
  console.log(github, half, JSON.stringify(figures));
  const sum = halves[half];
  if (sum === undefined) continue;
  sum.reported.push(...reported);
  sum.missed.push(...missed);
  sum.found += "found" in figures ? Number(figures.found) : 0;
}
for (const [half, { reported, missed, found }] of Object.entries(halves)) {
  results[half] = { ...summary(reported), ...recall(found, missed) };
  console.log(half, JSON.stringify(results[half]));
}
keep("drift", { repositories: results });
